/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upc_forall without a test in each iteration. If the affinity cycles through the threads with the loop's variable, a
 * thread jumps from one of its iterations to its next:
 *
 *     head: i < n? no: out          head: i < n? no: out
 *     test: mine? no: latch         test: mine? yes: own; no: find
 *     body                          find: jump to the first one that is mine: own, or the end: head
 *     latch: i++, head              own, body
 *                                   next: jump to the next one: body, or the end: head
 *                                   latch: i++, head (within another upc_forall, where every iteration is mine)
 *
 * The loop is changed only if it is proved that the change cannot be observed: only the latch changes the variable
 * while the loop runs; head and test only read, and only private memory; the bound does not depend on the variable; the
 * variable is incremented by one and has the same final value.
 */
#include <stdlib.h>
#include <string.h>

#include "upc/abi.h"
#include "upc/lower/lowering.h"

#define MOST_BLOCKS 2000
#define MOST_INSTRUCTIONS 32

struct forall {
	LLVMValueRef affinity;                            /* the call */
	LLVMValueRef value;                               /* its operand */
	LLVMBasicBlockRef head, check, test, body, latch; /* `check` tests `inner` */
	LLVMBasicBlockRef blocks[MOST_BLOCKS];
	int block_count;
	LLVMValueRef variable;
	LLVMValueRef inner;      /* a variable, not 0 when the thread executes every iteration */
	LLVMValueRef comparison; /* in head */
	bool swapped;            /* the variable is the second operand */
	uint64_t scale;          /* elements between two iterations, for a pointer */
	uint64_t run;            /* consecutive iterations with the same affinity */
	LLVMValueRef further;    /* when run > 1: a variable that counts the iterations left in this run */
	bool steady;             /* the bound is invariant */
	LLVMBasicBlockRef again; /* jumps from an iteration to the body of the next one */
	LLVMBasicBlockRef end;   /* jumps to the head, if there is no next one */
};

static bool is_private_load(LLVMValueRef value)
{
	return LLVMIsALoadInst(value) && !LLVMGetVolatile(value) &&
	       LLVMGetOrdering(value) == LLVMAtomicOrderingNotAtomic &&
	       !upc__is_shared(LLVMTypeOf(LLVMGetOperand(value, 0)));
}

static bool is_load_of(LLVMValueRef value, LLVMValueRef variable)
{
	return is_private_load(value) && LLVMGetOperand(value, 0) == variable;
}

static bool is_calculation(LLVMValueRef value)
{
	return LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) || LLVMIsAGetElementPtrInst(value) ||
	       LLVMIsAICmpInst(value) || LLVMIsASelectInst(value);
}

/* Returns the block's terminator if everything before it, except EXCEPT, only reads and computes. */
static LLVMValueRef pure_end(LLVMBasicBlockRef block, LLVMValueRef except)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	int count = 0;
	for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != end; at = LLVMGetNextInstruction(at))
		if (++count > MOST_INSTRUCTIONS || (at != except && !is_private_load(at) && !is_calculation(at) &&
							   !upc__is_call_of(at, "llvm.dbg.")))
			return NULL;
	return end;
}

/* Lists the predecessors of BLOCK. Returns their number; -1: it is entered in another way, or has more than COUNT. */
static int predecessors(LLVMBasicBlockRef block, LLVMBasicBlockRef *list, int count)
{
	int found = 0;
	for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user) || found == count)
			return -1;
		list[found++] = LLVMGetInstructionParent(user);
	}
	return found;
}

static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef block)
{
	LLVMBasicBlockRef one;
	return predecessors(block, &one, 1) == 1 ? one : NULL;
}

static bool is_branch(LLVMValueRef end)
{
	return end && LLVMIsABranchInst(end) && LLVMIsConditional(end);
}

/* `value != 0`, as clang tests an int. */
static bool is_test_of(LLVMValueRef condition, LLVMValueRef value)
{
	return LLVMIsAICmpInst(condition) && LLVMGetICmpPredicate(condition) == LLVMIntNE &&
	       LLVMGetOperand(condition, 0) == value && LLVMIsNull(LLVMGetOperand(condition, 1));
}

/* Walks up from the affinity's block: `inner ||` is in the block before it, the loop's condition before that. */
static bool find_head(struct forall *loop)
{
	LLVMValueRef end = pure_end(loop->test, loop->affinity);
	if (!is_branch(end) || !is_test_of(LLVMGetCondition(end), loop->affinity))
		return false;
	loop->body = LLVMGetSuccessor(end, 0);
	LLVMBasicBlockRef check = loop->check = only_predecessor(loop->test);
	end = check ? pure_end(check, NULL) : NULL;
	if (!is_branch(end) || LLVMGetSuccessor(end, 0) != loop->body || LLVMGetSuccessor(end, 1) != loop->test)
		return false;
	LLVMValueRef inner = LLVMGetFirstInstruction(check);
	if (!is_private_load(inner) || !is_test_of(LLVMGetCondition(end), inner))
		return false;
	loop->inner = LLVMGetOperand(inner, 0);
	loop->head = only_predecessor(check);
	end = loop->head ? pure_end(loop->head, NULL) : NULL;
	if (!is_branch(end) || LLVMGetSuccessor(end, 0) != check || !LLVMIsAICmpInst(LLVMGetCondition(end)))
		return false;
	loop->comparison = LLVMGetCondition(end);
	return LLVMIsAAllocaInst(loop->inner);
}

static bool is_one(LLVMValueRef value)
{
	return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 1;
}

/* Returns true if a block has only variable++, and branches back to the head. */
static bool is_latch(struct forall *loop, LLVMBasicBlockRef block)
{
	LLVMValueRef load = LLVMGetFirstInstruction(block);
	LLVMValueRef add = load ? LLVMGetNextInstruction(load) : NULL;
	LLVMValueRef store = add ? LLVMGetNextInstruction(add) : NULL;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	if (!store || LLVMGetNextInstruction(store) != end || !is_private_load(load) || !LLVMIsAStoreInst(store) ||
		LLVMIsConditional(end))
		return false;
	loop->variable = LLVMGetOperand(load, 0);
	return LLVMGetInstructionOpcode(add) == LLVMAdd && LLVMGetOperand(add, 0) == load &&
	       is_one(LLVMGetOperand(add, 1)) && LLVMGetOperand(store, 0) == add &&
	       LLVMGetOperand(store, 1) == loop->variable && !LLVMGetVolatile(store);
}

static bool find_latch(struct forall *loop)
{
	LLVMBasicBlockRef list[2];
	if (predecessors(loop->head, list, 2) != 2)
		return false;
	for (int i = 0; i < 2; i++)
		if (LLVMIsABranchInst(LLVMGetBasicBlockTerminator(list[i])) && is_latch(loop, list[i])) {
			loop->latch = list[i];
			return LLVMIsAAllocaInst(loop->variable);
		}
	return false;
}

static bool is_in_loop(const struct forall *loop, LLVMBasicBlockRef block)
{
	for (int i = 0; i < loop->block_count; i++)
		if (loop->blocks[i] == block)
			return true;
	return false;
}

/* Finds all blocks from which the latch is reachable without passing the head. */
static bool find_blocks(struct forall *loop)
{
	loop->block_count = 0;
	loop->blocks[loop->block_count++] = loop->head;
	loop->blocks[loop->block_count++] = loop->latch;
	for (int i = 1; i < loop->block_count; i++) {
		LLVMBasicBlockRef list[MOST_INSTRUCTIONS];
		int count = predecessors(loop->blocks[i], list, MOST_INSTRUCTIONS);
		if (count < 0)
			return false;
		for (int j = 0; j < count; j++) {
			if (is_in_loop(loop, list[j]))
				continue;
			if (loop->block_count == MOST_BLOCKS)
				return false;
			loop->blocks[loop->block_count++] = list[j];
		}
	}
	return true;
}

/* Returns true if the address of VARIABLE is not taken, and nothing in the loop except STORE changes it. */
static bool is_steady(const struct forall *loop, LLVMValueRef variable, LLVMValueRef store)
{
	if (!LLVMIsAAllocaInst(variable))
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsAInstruction(user))
			return false;
		if (is_private_load(user) || upc__is_call_of(user, "llvm.lifetime.") || user == store)
			continue;
		if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != variable ||
			LLVMGetOperand(user, 0) == variable || LLVMGetVolatile(user) ||
			is_in_loop(loop, LLVMGetInstructionParent(user)))
			return false;
	}
	return true;
}

static LLVMValueRef without_extension(LLVMValueRef value)
{
	return LLVMIsASExtInst(value) || LLVMIsAZExtInst(value) ? LLVMGetOperand(value, 0) : value;
}

static LLVMIntPredicate mirrored(LLVMIntPredicate predicate)
{
	switch (predicate) {
	case LLVMIntSGT:
		return LLVMIntSLT;
	case LLVMIntSGE:
		return LLVMIntSLE;
	case LLVMIntUGT:
		return LLVMIntULT;
	case LLVMIntUGE:
		return LLVMIntULE;
	default:
		return LLVMIntEQ;
	}
}

static LLVMIntPredicate predicate_of(const struct forall *loop)
{
	LLVMIntPredicate predicate = LLVMGetICmpPredicate(loop->comparison);
	return loop->swapped ? mirrored(predicate) : predicate;
}

static bool is_up_to(const struct forall *loop)
{
	LLVMIntPredicate predicate = predicate_of(loop);
	return predicate == LLVMIntSLE || predicate == LLVMIntULE;
}

/* Returns true for `variable < bound` or `variable <= bound`, where the bound does not depend on the variable. */
static bool check_condition(struct forall *loop)
{
	int loads = 0;
	for (LLVMValueRef at = LLVMGetFirstInstruction(loop->head); at; at = LLVMGetNextInstruction(at))
		loads += is_load_of(at, loop->variable);
	loop->swapped = !is_load_of(without_extension(LLVMGetOperand(loop->comparison, 0)), loop->variable);
	if (loads != 1 ||
		!is_load_of(without_extension(LLVMGetOperand(loop->comparison, loop->swapped)), loop->variable))
		return false;
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(loop->comparison, 0));
	LLVMTypeRef own = LLVMGetAllocatedType(loop->variable);
	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetTypeKind(own) != LLVMIntegerTypeKind ||
		LLVMGetIntTypeWidth(type) > 64 || LLVMGetIntTypeWidth(own) < 32)
		return false;
	LLVMIntPredicate predicate = predicate_of(loop);
	return predicate == LLVMIntSLT || predicate == LLVMIntSLE || predicate == LLVMIntULT || predicate == LLVMIntULE;
}

/* Returns true if a value is the same in every iteration. */
static bool is_invariant(const struct forall *loop, LLVMValueRef value, int depth)
{
	if (LLVMIsAConstant(value))
		return true;
	if (depth > 8)
		return false;
	if (is_private_load(value)) {
		LLVMValueRef from = LLVMGetOperand(value, 0);
		bool constant = LLVMIsAGlobalVariable(from) && LLVMIsGlobalConstant(from);
		return constant || is_steady(loop, from, NULL);
	}
	if (!is_calculation(value))
		return false;
	for (int i = 0; i < LLVMGetNumOperands(value); i++)
		if (!is_invariant(loop, LLVMGetOperand(value, (unsigned)i), depth + 1))
			return false;
	return true;
}

/*
 * Returns true if an index is the variable, or its sum or difference with an invariant value; if the result is extended
 * afterwards, it must be of a signed type.
 */
static bool follows_variable(const struct forall *loop, LLVMValueRef index)
{
	if (is_load_of(without_extension(index), loop->variable))
		return true;
	LLVMValueRef sum = LLVMIsASExtInst(index) ? LLVMGetOperand(index, 0) : index;
	if (!LLVMIsABinaryOperator(sum))
		return false;
	LLVMOpcode opcode = LLVMGetInstructionOpcode(sum);
	LLVMValueRef left = LLVMGetOperand(sum, 0), right = LLVMGetOperand(sum, 1);
	if (opcode == LLVMAdd || opcode == LLVMSub) {
		if (follows_variable(loop, left))
			return is_invariant(loop, right, 0);
		return opcode == LLVMAdd && is_invariant(loop, left, 0) && follows_variable(loop, right);
	}
	return false;
}

/* How a pointer depends on the variable. `from_start`: on nothing else; it starts from that of a shared variable. */
struct course {
	uint64_t scale;
	bool from_start;
};

static bool follow_index(const struct forall *loop, const struct upc_step *step, struct course *course)
{
	if (LLVMIsAConstantInt(step->index) && LLVMConstIntGetZExtValue(step->index) == 0)
		return true;
	if (is_invariant(loop, step->index, 0)) {
		course->from_start = false;
		return true;
	}
	if (course->scale != 0 || !follows_variable(loop, step->index))
		return false;
	course->from_start = course->from_start && is_load_of(without_extension(step->index), loop->variable);
	course->scale = step->unit;
	return true;
}

/* The element that POINTER is a part of, since a member has its element's affinity, whatever further indices are. */
static LLVMValueRef element_of(LLVMValueRef pointer)
{
	struct upc_step step;
	LLVMValueRef element = pointer;
	for (LLVMValueRef at = pointer; upc__read_step(at, &step); at = step.pointer)
		element = step.inside ? step.pointer : element;
	return element;
}

static bool follow(const struct forall *loop, LLVMValueRef pointer, struct course *course)
{
	struct upc_step step;
	if (upc__read_step(pointer, &step))
		return follow(loop, step.pointer, course) && follow_index(loop, &step, course);
	course->from_start = course->from_start && LLVMIsAGlobalVariable(pointer);
	return is_invariant(loop, pointer, 0);
}

/* Returns true if the affinity cycles through the threads; sets the length of runs. */
static bool check_affinity(struct forall *loop)
{
	LLVMTypeRef type = LLVMTypeOf(loop->value);
	loop->scale = loop->run = 1;
	if (!upc__is_shared(type))
		return is_load_of(loop->value, loop->variable) &&
		       LLVMConstIntGetZExtValue(LLVMGetOperand(loop->affinity, 1)) <= 1;
	struct course course = {.from_start = true};
	if (!follow(loop, element_of(loop->value), &course) || course.scale == 0 || upc__has_threads(course.scale))
		return false;
	uint64_t block = upc__block(type);
	if (block == 0 || block % course.scale != 0 || (course.scale > 1 && course.scale < block && !course.from_start))
		return false;
	loop->scale = course.scale;
	loop->run = block / course.scale;
	return true;
}

static bool begins_with_phi(LLVMBasicBlockRef block)
{
	return LLVMIsAPHINode(LLVMGetFirstInstruction(block));
}

static bool understand(struct forall *loop)
{
	if (!find_head(loop) || !find_latch(loop) || !find_blocks(loop) || !is_in_loop(loop, loop->body) ||
		begins_with_phi(loop->head) || begins_with_phi(loop->latch) || begins_with_phi(loop->body))
		return false;
	LLVMValueRef increment = LLVMGetPreviousInstruction(LLVMGetBasicBlockTerminator(loop->latch));
	if (!is_steady(loop, loop->variable, increment) || !check_condition(loop) || !check_affinity(loop))
		return false;
	loop->steady = is_invariant(loop, LLVMGetOperand(loop->comparison, !loop->swapped), 0);
	return true;
}

static LLVMBasicBlockRef new_block(struct lowering *lowering, const struct forall *loop, const char *name)
{
	return LLVMInsertBasicBlockInContext(lowering->context, loop->latch, name);
}

/* Builds the loop's condition again at the builder; its operands go to VALUES, the variable first. */
static LLVMValueRef repeat_condition(struct lowering *lowering, const struct forall *loop, LLVMValueRef values[2])
{
	LLVMValueRef old[MOST_INSTRUCTIONS], new[MOST_INSTRUCTIONS];
	int count = 0;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->head), made = NULL;
	for (LLVMValueRef at = LLVMGetFirstInstruction(loop->head); at != end; at = LLVMGetNextInstruction(at)) {
		if (upc__is_call_of(at, "llvm.dbg."))
			continue;
		made = LLVMInstructionClone(at);
		for (int i = 0; i < LLVMGetNumOperands(made); i++)
			for (int j = 0; j < count; j++)
				if (LLVMGetOperand(made, (unsigned)i) == old[j])
					LLVMSetOperand(made, (unsigned)i, new[j]);
		LLVMInsertIntoBuilder(lowering->builder, made);
		old[count] = at;
		new[count++] = made;
	}
	for (int j = 0; j < count; j++)
		if (old[j] == loop->comparison)
			made = new[j];
	values[0] = LLVMGetOperand(made, loop->swapped);
	values[1] = LLVMGetOperand(made, !loop->swapped);
	return made;
}

static LLVMValueRef widen(struct lowering *lowering, LLVMValueRef value, bool is_signed, LLVMTypeRef type)
{
	if (LLVMTypeOf(value) == type)
		return value;
	return is_signed ? LLVMBuildSExt(lowering->builder, value, type, "")
			 : LLVMBuildZExt(lowering->builder, value, type, "");
}

/*
 * Sets how many iterations follow the current one before the run or the loop ends: IN_RUN, or less. LEFT is the
 * distance from the variable to the bound. If the bound may change, it is tested in each iteration instead.
 */
static void set_further(struct lowering *lowering, const struct forall *loop, LLVMValueRef in_run, LLVMValueRef left)
{
	LLVMBuilderRef builder = lowering->builder;
	if (!loop->further)
		return;
	LLVMValueRef further = in_run;
	if (loop->steady) {
		if (!is_up_to(loop))
			left = LLVMBuildSub(builder, left, upc__constant(lowering, 1), "");
		LLVMValueRef fits = LLVMBuildICmp(builder, LLVMIntULT, in_run, left, "");
		further = LLVMBuildSelect(builder, fits, in_run, left, "");
	}
	LLVMBuildStore(builder, further, loop->further);
}

/* The loop's condition at the builder, and the condition's operands. */
struct state {
	LLVMValueRef more;     /* the condition; NULL: true */
	LLVMValueRef variable; /* in its own type */
	LLVMValueRef bound;    /* in the variable's type */
	LLVMValueRef left;     /* i64: from the variable to the bound */
	LLVMValueRef exact;    /* whether the bound fits the variable's type; NULL: it does */
};

static struct state read_state(struct lowering *lowering, const struct forall *loop)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMValueRef values[2];
	LLVMValueRef more = repeat_condition(lowering, loop, values);
	LLVMTypeRef own = LLVMGetAllocatedType(loop->variable);
	LLVMIntPredicate predicate = predicate_of(loop);
	bool is_signed = predicate == LLVMIntSLT || predicate == LLVMIntSLE;
	struct state state = {
		.more = loop->steady ? NULL : more, .variable = without_extension(values[0]), .bound = values[1]};
	if (LLVMTypeOf(values[1]) != own) {
		state.bound = LLVMBuildTrunc(builder, values[1], own, "");
		LLVMValueRef again = widen(lowering, state.bound, LLVMIsASExtInst(values[0]), LLVMTypeOf(values[1]));
		state.exact = LLVMBuildICmp(builder, LLVMIntEQ, again, values[1], "");
	}
	state.left = LLVMBuildSub(builder, widen(lowering, values[1], is_signed, lowering->i64),
		widen(lowering, values[0], is_signed, lowering->i64), "");
	return state;
}

/*
 * At the builder: advances the variable by STEP, sets IN_RUN as the run's remaining iterations, branches to the body.
 */
static void go_on(struct lowering *lowering, const struct forall *loop, const struct state *state, LLVMValueRef step,
	LLVMValueRef in_run)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMTypeRef own = LLVMGetAllocatedType(loop->variable);
	LLVMIntPredicate predicate = predicate_of(loop);
	bool is_signed = predicate == LLVMIntSLT || predicate == LLVMIntSLE;
	LLVMValueRef narrow = LLVMTypeOf(step) == own ? step : LLVMBuildTrunc(builder, step, own, "");
	/* The sum does not exceed the bound. */
	LLVMValueRef sum = is_signed ? LLVMBuildNSWAdd(builder, state->variable, narrow, "")
				     : LLVMBuildNUWAdd(builder, state->variable, narrow, "");
	LLVMBuildStore(builder, sum, loop->variable);
	set_further(lowering, loop, in_run, LLVMBuildSub(builder, state->left, step, ""));
	LLVMBuildBr(builder, loop->body);
}

/*
 * At the builder: advances STEP iterations and branches to the body; if fewer are left, branches to the head with the
 * variable's final value. If the distance cannot be computed, branches to the latch.
 */
static void leap(struct lowering *lowering, struct forall *loop, LLVMValueRef step, LLVMValueRef in_run)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMBasicBlockRef on = new_block(lowering, loop, "on"), end = new_block(lowering, loop, "end");
	struct state state = read_state(lowering, loop);
	LLVMTypeRef own = LLVMGetAllocatedType(loop->variable);
	if (state.exact) {
		LLVMBasicBlockRef counted = new_block(lowering, loop, "counted");
		LLVMBuildCondBr(builder, state.exact, counted, loop->latch);
		LLVMPositionBuilderAtEnd(builder, counted);
	}
	LLVMValueRef fits = LLVMBuildICmp(builder, is_up_to(loop) ? LLVMIntULE : LLVMIntULT, step, state.left, "");
	if (state.more)
		fits = LLVMBuildAnd(builder, state.more, fits, "");
	LLVMBuildCondBr(builder, fits, on, end);
	loop->again = on;
	loop->end = end;

	LLVMPositionBuilderAtEnd(builder, on);
	go_on(lowering, loop, &state, step, in_run);

	LLVMPositionBuilderAtEnd(builder, end);
	LLVMValueRef one = LLVMConstInt(own, 1, false), last = state.bound;
	if (is_up_to(loop))
		last = LLVMBuildAdd(builder, last, one, "");
	if (state.more)
		last = LLVMBuildSelect(builder, state.more, last, LLVMBuildAdd(builder, state.variable, one, ""), "");
	LLVMBuildStore(builder, last, loop->variable);
	LLVMBuildBr(builder, loop->head);
}

/* The number of iterations of a run after the first. */
static LLVMValueRef rest_of_run(struct lowering *lowering, const struct forall *loop)
{
	return upc__constant(lowering, (int64_t)loop->run - 1);
}

/* Jumps from an iteration of another thread to the first one of this thread. */
static void build_find(struct lowering *lowering, struct forall *loop, LLVMBasicBlockRef find)
{
	LLVMPositionBuilderAtEnd(lowering->builder, find);
	LLVMValueRef step;
	if (upc__is_shared(LLVMTypeOf(loop->value))) {
		LLVMValueRef arguments[] = {LLVMBuildPtrToInt(lowering->builder, loop->value, lowering->i64, ""),
			upc__constant(lowering, (int64_t)loop->run), upc__constant(lowering, (int64_t)loop->scale)};
		step = upc__call(lowering, "__upci_until_pointer", arguments, 3);
	} else {
		bool is_unsigned = LLVMConstIntGetZExtValue(LLVMGetOperand(loop->affinity, 1)) != 0;
		LLVMValueRef value = widen(lowering, loop->value, !is_unsigned, lowering->i64);
		step = upc__call(lowering, is_unsigned ? "__upci_until_unsigned" : "__upci_until_signed", &value, 1);
	}
	leap(lowering, loop, step, rest_of_run(lowering, loop));
}

/* Builds a block that increments as the latch does, and branches to the body. */
static LLVMBasicBlockRef build_latch_copy(struct lowering *lowering, const struct forall *loop)
{
	LLVMBasicBlockRef block = new_block(lowering, loop, "one"), back = LLVMGetInsertBlock(lowering->builder);
	LLVMPositionBuilderAtEnd(lowering->builder, block);
	LLVMValueRef load = LLVMGetFirstInstruction(loop->latch), made = LLVMInstructionClone(load);
	LLVMInsertIntoBuilder(lowering->builder, made);
	LLVMValueRef add = LLVMGetNextInstruction(load), sum = LLVMInstructionClone(add);
	LLVMSetOperand(sum, 0, made);
	LLVMInsertIntoBuilder(lowering->builder, sum);
	LLVMBuildStore(lowering->builder, sum, loop->variable);
	LLVMBuildBr(lowering->builder, loop->body);
	LLVMPositionBuilderAtEnd(lowering->builder, back);
	return block;
}

/* Jumps from an iteration of this thread to its next one. */
static void build_next(struct lowering *lowering, struct forall *loop, LLVMBasicBlockRef next)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMBasicBlockRef deal = new_block(lowering, loop, "deal");
	LLVMPositionBuilderAtEnd(builder, next);
	LLVMValueRef inner = LLVMBuildLoad2(builder, lowering->i32, loop->inner, "");
	LLVMBuildCondBr(
		builder, LLVMBuildICmp(builder, LLVMIntNE, inner, LLVMConstNull(lowering->i32), ""), loop->latch, deal);
	LLVMPositionBuilderAtEnd(builder, deal);
	LLVMValueRef threads = upc__threads(lowering), one = upc__constant(lowering, 1);
	if (loop->run == 1) {
		leap(lowering, loop, threads, NULL);
		return;
	}
	LLVMBasicBlockRef within = new_block(lowering, loop, "within"), over = new_block(lowering, loop, "over");
	LLVMValueRef further = LLVMBuildLoad2(builder, lowering->i64, loop->further, "");
	LLVMBuildCondBr(
		builder, LLVMBuildICmp(builder, LLVMIntNE, further, upc__constant(lowering, 0), ""), within, over);
	LLVMPositionBuilderAtEnd(builder, within);
	LLVMValueRef less = LLVMBuildSub(builder, further, one, "");
	if (loop->steady) {
		LLVMBuildStore(builder, less, loop->further);
		LLVMBuildBr(builder, build_latch_copy(lowering, loop));
	} else {
		leap(lowering, loop, one, less);
	}
	LLVMPositionBuilderAtEnd(builder, over);
	LLVMValueRef others = LLVMBuildMul(
		builder, LLVMBuildSub(builder, threads, one, ""), upc__constant(lowering, (int64_t)loop->run), "");
	leap(lowering, loop, LLVMBuildAdd(builder, others, one, ""), rest_of_run(lowering, loop));
}

/* Runs once, between the test and the body: computes how many iterations are left in the first run. */
static LLVMBasicBlockRef build_own(struct lowering *lowering, struct forall *loop)
{
	if (loop->run == 1)
		return loop->body;
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(loop->head));
	LLVMBasicBlockRef own = new_block(lowering, loop, "own");
	LLVMPositionBuilderBefore(lowering->builder, LLVMGetFirstInstruction(entry));
	loop->further = LLVMBuildAlloca(lowering->builder, lowering->i64, "further");
	upc__before(lowering, loop->affinity);
	LLVMPositionBuilderAtEnd(lowering->builder, own);
	LLVMValueRef arguments[] = {LLVMBuildPtrToInt(lowering->builder, loop->value, lowering->i64, ""),
		upc__constant(lowering, (int64_t)loop->scale)};
	LLVMValueRef over = upc__call(lowering, "__upci_iterations_over", arguments, 2);
	struct state state = read_state(lowering, loop);
	LLVMValueRef in_run = LLVMBuildSub(lowering->builder, rest_of_run(lowering, loop), over, "");
	if (state.exact) /* if the bound does not fit: one iteration at a time */
		state.left = LLVMBuildSelect(lowering->builder, state.exact, state.left,
			upc__constant(lowering, is_up_to(loop) ? 0 : 1), "");
	set_further(lowering, loop, in_run, state.left);
	LLVMBuildBr(lowering->builder, loop->body);
	return own;
}

static void deal(struct lowering *lowering, struct forall *loop)
{
	LLVMBasicBlockRef next = new_block(lowering, loop, "next"), find = new_block(lowering, loop, "find");
	LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(loop->latch), LLVMBasicBlockAsValue(next));
	upc__before(lowering, loop->affinity);
	LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->test);
	LLVMSetSuccessor(end, 0, build_own(lowering, loop));
	LLVMSetSuccessor(end, 1, find);
	build_find(lowering, loop, find);
	build_next(lowering, loop, next);
}

/* Returns true if the variable is signed. If the affinity is an integer, that decides; otherwise the comparison. */
static bool has_signed_variable(const struct forall *loop)
{
	LLVMValueRef first = LLVMGetOperand(loop->comparison, loop->swapped);
	LLVMIntPredicate predicate = predicate_of(loop);
	if (!upc__is_shared(LLVMTypeOf(loop->value)))
		return LLVMConstIntGetZExtValue(LLVMGetOperand(loop->affinity, 1)) == 0;
	if (LLVMIsASExtInst(first) || LLVMIsAZExtInst(first))
		return LLVMIsASExtInst(first);
	return predicate == LLVMIntSLT || predicate == LLVMIntSLE;
}

/* Records what checked versions can use about the loop's accesses (loop_indices.c). */
static void note_dealt(struct lowering *lowering, const struct forall *loop)
{
	if (upc__is_marked(lowering, LLVMGetBasicBlockParent(loop->head), MARK_DIRECT) || loop->run != 1 ||
		loop->scale != 1)
		return;
	lowering->dealt = upc__grow(lowering->dealt, lowering->dealt_count, sizeof *lowering->dealt);
	lowering->dealt[lowering->dealt_count++] = (struct dealt_loop){.head = loop->head,
		.check = loop->check,
		.body = loop->body,
		.again = loop->again,
		.end = loop->end,
		.affinity = loop->value,
		.variable = loop->variable,
		.inner = loop->inner,
		.is_signed = has_signed_variable(loop)};
}

void upc__deal_iterations(struct lowering *lowering)
{
	LLVMValueRef function = LLVMGetNamedFunction(lowering->module, "__upc_affinity");
	struct forall *loop = function ? malloc(sizeof *loop) : NULL;
	if (!loop)
		return;
	for (LLVMValueRef at = LLVMGetFirstFunction(lowering->module); at; at = LLVMGetNextFunction(at))
		for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(at); block;
			block = LLVMGetNextBasicBlock(block)) {
			LLVMValueRef call = LLVMGetFirstInstruction(block);
			for (; call; call = LLVMGetNextInstruction(call)) {
				if (!LLVMIsACallInst(call))
					continue;
				LLVMValueRef called = LLVMGetCalledValue(call);
				if (LLVMIsAConstantExpr(called))
					called = LLVMGetOperand(called, 0);
				if (called != function)
					continue;
				*loop = (struct forall){
					.affinity = call, .value = LLVMGetArgOperand(call, 0), .test = block};
				if (!understand(loop))
					continue;
				deal(lowering, loop);
				note_dealt(lowering, loop);
			}
		}
	free(loop);
}
