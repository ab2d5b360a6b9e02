/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses in a loop whose thread is the same in all iterations, and the test, in front of the loop, whether that
 * thread's memory is on this node. All indices from a `shared []` pointer reach one thread; indices from a cyclic
 * pointer do if they are congruent modulo THREADS. It is also proved that the pointer itself keeps its thread: it is
 * the address of a variable; or a local variable whose address is not taken, and which the loop changes by such indices
 * only; or a variable outside of functions, if the loop calls no function and stores only numbers.
 *
 * A upc_forall that jumps from one iteration of this thread to the next executes only iterations of this thread, if it
 * is not nested in another one: its variable is congruent, too.
 */
#include <string.h>

#include "upc/lower/loop_tests.h"

#define MOST_DEPTH 8

static bool is_indefinite(LLVMTypeRef type)
{
	return upc__is_shared(type) && upc__block(type) == 0;
}

static bool is_cyclic(LLVMTypeRef type)
{
	return upc__is_shared(type) && upc__block(type) == 1;
}

/* ---- elements: what indices step over, as opposed to parts of one element ---- */

/* Returns true if a pointer is inside an element: further indices do not leave it. */
static bool is_part(LLVMValueRef pointer)
{
	struct upc_step step;
	for (; upc__read_step(pointer, &step); pointer = step.pointer)
		if (step.inside)
			return true;
	return false;
}

/* Walks from POINTER through elements of arrays to where they start: a value read from a variable, or a constant. */
static LLVMValueRef stem_of(LLVMValueRef pointer)
{
	LLVMTypeRef type = LLVMTypeOf(pointer);
	while (LLVMIsAGetElementPtrInst(pointer)) {
		LLVMTypeRef before = LLVMTypeOf(LLVMGetOperand(pointer, 0));
		if (!upc__is_shared(before) || upc__block(before) != upc__block(type))
			break;
		pointer = LLVMGetOperand(pointer, 0);
	}
	return pointer;
}

/* Called for each step over a cyclic pointer's elements, from the pointer back to its stem, until it returns false. */
typedef bool visit_step(
	struct lowering *lowering, struct tested_loop *loop, const struct upc_step *step, void *context);

/* Fails if a step may not be over elements: a member of a union, or a constant, may have been indexed. */
static bool visit_steps(
	struct lowering *lowering, struct tested_loop *loop, LLVMValueRef pointer, visit_step *visit, void *context)
{
	LLVMValueRef stem = stem_of(pointer);
	struct upc_step step;
	bool stepped = false;
	for (; pointer != stem && upc__read_step(pointer, &step); pointer = step.pointer) {
		if (is_part(pointer))
			continue;
		if (!visit(lowering, loop, &step, context))
			return false;
		stepped = true;
	}
	return !stepped || !LLVMIsAConstantExpr(stem);
}

static bool is_round_scale(const struct lowering *lowering, uint64_t scale)
{
	uint64_t threads = (uint64_t)lowering->options->static_threads;
	return threads > 0 ? scale % threads == 0 : upc__has_threads(scale);
}

static bool is_round_index(
	struct lowering *lowering, struct tested_loop *loop, const struct upc_step *step, void *context)
{
	(void)loop;
	(void)context;
	return is_round_scale(lowering, step->unit) || upc__is_round(lowering, step->index, 0);
}

static bool is_congruent_index(
	struct lowering *lowering, struct tested_loop *loop, const struct upc_step *step, void *context)
{
	(void)context;
	return is_round_scale(lowering, step->unit) || upc__is_congruent(lowering, loop, step->index, 0);
}

/* ---- pointers that stay with one thread ---- */

static bool is_steady(struct lowering *lowering, struct tested_loop *loop, LLVMValueRef pointer, int depth);

/* Returns true if VARIABLE is a local variable whose address is not taken, and its values have the same thread. */
static bool keeps_thread(struct lowering *lowering, struct tested_loop *loop, LLVMValueRef variable, int depth)
{
	struct loop_variable found;
	if (!upc__understand_variable(loop, variable, &found))
		return false;
	if (upc__is_set_inside(&found))
		return is_steady(lowering, loop, LLVMGetOperand(found.only, 0), depth + 1);
	for (int i = 0; i < found.count; i++) {
		LLVMValueRef value = LLVMGetOperand(found.stores[i], 0);
		if (upc__read_from(stem_of(value)) != variable)
			return false;
		if (is_cyclic(LLVMTypeOf(value)) &&
			(is_part(value) || !visit_steps(lowering, loop, value, is_round_index, NULL)))
			return false;
	}
	return !found.renewed;
}

/* Returns true if clang says that ACCESS is of an object of its own type, not a character or a union's member. */
static bool is_typed(const struct lowering *lowering, LLVMValueRef access)
{
	LLVMValueRef tag = LLVMGetMetadata(access, LLVMGetMDKindIDInContext(lowering->context, "tbaa", 4));
	LLVMValueRef parts[8];
	unsigned length, count = tag ? LLVMGetMDNodeNumOperands(tag) : 0;
	if (count < 3 || count > 4)
		return false;
	LLVMGetMDNodeOperands(tag, parts);
	LLVMValueRef type = parts[1];
	count = LLVMGetMDNodeNumOperands(type);
	if (count < 1 || count > sizeof parts / sizeof *parts)
		return false;
	LLVMGetMDNodeOperands(type, parts);
	const char *name = LLVMGetMDString(parts[0], &length);
	return name && strcmp(name, "omnipotent char") != 0;
}

/* Returns true if VARIABLE is outside of functions, and nothing in the loop can change it. LOAD reads it. */
static bool is_unchanged(
	const struct lowering *lowering, const struct tested_loop *loop, LLVMValueRef variable, LLVMValueRef load)
{
	if (!LLVMIsAGlobalVariable(variable) || loop->calls || !is_typed(lowering, load))
		return false;
	for (int i = 0; i < loop->block_count; i++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(loop->blocks[i]); at; at = LLVMGetNextInstruction(at))
			if (LLVMIsAStoreInst(at) && !LLVMIsAAllocaInst(LLVMGetOperand(at, 1)) &&
				!is_typed(lowering, at))
				return false;
	return true;
}

/* Returns true if a pointer that is computed in the loop points to memory of the same thread in all iterations. */
static bool is_steady(struct lowering *lowering, struct tested_loop *loop, LLVMValueRef pointer, int depth)
{
	LLVMTypeRef type = LLVMTypeOf(pointer);
	if (depth > MOST_DEPTH || (!is_indefinite(type) && !is_cyclic(type)) ||
		(is_cyclic(type) && !visit_steps(lowering, loop, pointer, is_congruent_index, NULL)))
		return false;
	LLVMValueRef stem = stem_of(pointer), variable = upc__read_from(stem);
	if (LLVMIsAConstant(stem))
		return !LLVMIsNull(stem) && !LLVMIsUndef(stem);
	return variable &&
	       (keeps_thread(lowering, loop, variable, depth) || is_unchanged(lowering, loop, variable, stem));
}

/* ---- the accesses ---- */

/* Returns true if POINTER points to this thread's memory in each iteration. */
static bool is_affinity(const struct tested_loop *loop, LLVMValueRef pointer)
{
	return loop->dealt && upc__is_alike(pointer, loop->dealt->affinity, 0);
}

/* The pointer that an access shares with others of the same thread: the element's; for `shared []`, the stem. */
static LLVMValueRef pointer_of(LLVMValueRef access)
{
	LLVMValueRef pointer = LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
	if (is_indefinite(LLVMTypeOf(pointer)))
		return stem_of(pointer);
	while (is_part(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return pointer;
}

static bool is_access(const struct lowering *lowering, LLVMValueRef at)
{
	if (!LLVMIsALoadInst(at) && !LLVMIsAStoreInst(at))
		return false;
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(at, LLVMIsAStoreInst(at) ? 1 : 0));
	return (is_indefinite(type) || is_cyclic(type)) && !LLVMGetVolatile(at) &&
	       LLVMGetOrdering(at) == LLVMAtomicOrderingNotAtomic &&
	       !upc__within(at, &lowering->options->translation->strict);
}

/* The position of POINTER in the loop's list of pointers, or the end of the list. */
static int find_pointer(const struct tested_loop *loop, LLVMValueRef pointer)
{
	int i = 0;
	while (i < loop->pointer_count && !upc__is_alike(loop->pointers[i], pointer, 0))
		i++;
	return i;
}

static void collect_access(struct lowering *lowering, struct tested_loop *loop, LLVMValueRef access)
{
	LLVMValueRef pointer = pointer_of(access);
	int place = find_pointer(loop, pointer);
	if (place == MOST_POINTERS || (place == loop->pointer_count && !is_steady(lowering, loop, pointer, 0)))
		return;
	if (place == loop->pointer_count)
		loop->pointers[loop->pointer_count++] = pointer;
	loop->accesses[loop->access_count++] = access;
}

void upc__collect_steady_accesses(struct lowering *lowering, struct tested_loop *loop)
{
	loop->pointer_count = loop->access_count = 0;
	loop->as_dealt = false;
	for (int i = 0; i < loop->block_count; i++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(loop->blocks[i]); at; at = LLVMGetNextInstruction(at))
			if (is_access(lowering, at))
				collect_access(lowering, loop, at);
}

/* ---- the test ---- */

void upc__add_loop_test(struct lowering *lowering, struct tested_loop *loop, LLVMValueRef test)
{
	loop->same_node = loop->same_node ? LLVMBuildAnd(lowering->builder, loop->same_node, test, "") : test;
}

/* Adds a number that the index is congruent to, to the sum. */
static bool sum_index(struct lowering *lowering, struct tested_loop *loop, const struct upc_step *step, void *context)
{
	LLVMValueRef *sum = context;
	if (is_round_index(lowering, loop, step, NULL))
		return true;
	LLVMValueRef term = upc__congruent(lowering, loop, step->index);
	if (step->unit != 1) {
		term = upc__call(lowering, "__upci_rest", &term, 1);
		term = LLVMBuildMul(lowering->builder, term, upc__constant(lowering, (int64_t)step->unit), "");
	}
	*sum = LLVMBuildAdd(lowering->builder, *sum, term, "");
	return true;
}

/* The stem in front of the loop, as i64. The variable may not have a value yet, so the result is frozen. */
static LLVMValueRef read_stem(
	struct lowering *lowering, struct tested_loop *loop, LLVMValueRef pointer, LLVMValueRef *sum)
{
	LLVMBuilderRef builder = lowering->builder;
	struct loop_variable found;
	LLVMValueRef stem = stem_of(pointer), variable = upc__read_from(stem);
	if (is_cyclic(LLVMTypeOf(pointer)))
		visit_steps(lowering, loop, pointer, sum_index, sum);
	if (!variable)
		return upc__as_integer(lowering, stem);
	if (upc__understand_variable(loop, variable, &found) && upc__is_set_inside(&found))
		return read_stem(lowering, loop, LLVMGetOperand(found.only, 0), sum);
	LLVMValueRef value = LLVMBuildLoad2(builder, LLVMTypeOf(stem), variable, "");
	return LLVMBuildFreeze(builder, upc__as_integer(lowering, value), "");
}

LLVMValueRef upc__build_loop_test(struct lowering *lowering, struct tested_loop *loop)
{
	loop->same_node = NULL;
	for (int i = 0; i < loop->pointer_count; i++) {
		LLVMValueRef pointer = loop->pointers[i], arguments[2] = {NULL, upc__constant(lowering, 0)};
		bool cyclic = is_cyclic(LLVMTypeOf(pointer));
		if (is_affinity(loop, pointer))
			continue;
		arguments[0] = read_stem(lowering, loop, pointer, &arguments[1]);
		upc__add_loop_test(lowering, loop,
			upc__call(lowering, cyclic ? "__upci_thread_is_same_node" : "__upci_stays_on_node", arguments,
				cyclic ? 2 : 1));
	}
	return loop->same_node;
}
