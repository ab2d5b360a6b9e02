/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The place of an access of shared memory: its address in the mapped segments, and whether that may be used. Elements
 * of a blocked array that are likely accessed one after the other share the computation, and the test, of their block.
 */
#include <string.h>

#include "upc/lower/lowering.h"

/* Returns true if VARIABLE is incremented or decremented by one somewhere. */
static bool is_counter(LLVMValueRef variable)
{
	if (!LLVMIsAAllocaInst(variable))
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef store = LLVMGetUser(use);
		LLVMValueRef sum = LLVMIsAStoreInst(store) ? LLVMGetOperand(store, 0) : NULL;
		if (!sum || !LLVMIsABinaryOperator(sum) || LLVMGetInstructionOpcode(sum) != LLVMAdd)
			continue;
		LLVMValueRef load = LLVMGetOperand(sum, 0), one = LLVMGetOperand(sum, 1);
		if (LLVMIsALoadInst(load) && LLVMGetOperand(load, 0) == variable && LLVMIsAConstantInt(one) &&
			(LLVMConstIntGetSExtValue(one) == 1 || LLVMConstIntGetSExtValue(one) == -1))
			return true;
	}
	return false;
}

static bool is_operation(LLVMValueRef value, LLVMOpcode opcode)
{
	return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == opcode;
}

/* Returns true if the next index is likely to be adjacent to this one. */
static bool steps_by_one(LLVMValueRef index, int depth)
{
	if (LLVMIsALoadInst(index))
		return is_counter(LLVMGetOperand(index, 0));
	bool sum = is_operation(index, LLVMAdd) || is_operation(index, LLVMSub);
	if (depth > 6 || !(sum || LLVMIsASExtInst(index) || LLVMIsAZExtInst(index)))
		return false;
	return steps_by_one(LLVMGetOperand(index, 0), depth + 1) ||
	       (sum && steps_by_one(LLVMGetOperand(index, 1), depth + 1));
}

/* Returns true if an index is a row's index plus one within the row, as in a[row][column]. */
static bool has_row(LLVMValueRef index, int depth)
{
	if (depth > 6 || !is_operation(index, LLVMAdd))
		return depth > 0 && (is_operation(index, LLVMMul) || is_operation(index, LLVMShl));
	return has_row(LLVMGetOperand(index, 0), depth + 1) || has_row(LLVMGetOperand(index, 1), depth + 1);
}

/* The cache of one access in the source (struct last_access). Initialized to an index that cannot occur. */
static LLVMValueRef last_access(struct lowering *lowering, LLVMValueRef access)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(access));
	LLVMTypeRef fields[] = {lowering->i64, lowering->i64, lowering->i64, lowering->i64};
	LLVMTypeRef type = LLVMStructTypeInContext(lowering->context, fields, 4, false);
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
	LLVMPositionBuilderBefore(lowering->builder, first);
	LLVMValueRef last = LLVMBuildAlloca(lowering->builder, type, "last");
	LLVMBuildStore(lowering->builder, LLVMConstNull(type), last);
	LLVMValueRef index = LLVMBuildStructGEP2(lowering->builder, type, last, 1, "");
	LLVMBuildStore(lowering->builder, upc__constant(lowering, INT64_MIN), index);
	upc__before(lowering, access);
	return last;
}

bool upc__is_alike(LLVMValueRef a, LLVMValueRef b, int depth)
{
	if (a == b)
		return true;
	bool load = LLVMIsALoadInst(a) && LLVMIsALoadInst(b) && !LLVMGetVolatile(a) && !LLVMGetVolatile(b);
	bool cast = LLVMIsACastInst(a) && LLVMIsACastInst(b),
	     sum = LLVMIsABinaryOperator(a) && LLVMIsABinaryOperator(b),
	     element = LLVMIsAGetElementPtrInst(a) && LLVMIsAGetElementPtrInst(b);
	if (depth > 6 || !(load || cast || sum || element) || LLVMGetNumOperands(a) != LLVMGetNumOperands(b) ||
		LLVMTypeOf(a) != LLVMTypeOf(b) || LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b))
		return false;
	struct upc_step one, other;
	if (upc__read_step(a, &one) && upc__read_step(b, &other) &&
		(one.size != other.size || one.unit != other.unit || one.inside != other.inside))
		return false;
	for (int i = 0; i < LLVMGetNumOperands(a); i++)
		if (!upc__is_alike(LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i), depth + 1))
			return false;
	return true;
}

/*
 * Accesses with the same index, such as those of members of one element, share a cache. If the pointer is the start of
 * a variable, it is not compared at run time, so it must be the same variable.
 */
static bool can_share(const struct lowering *lowering, LLVMValueRef user, const struct place *place)
{
	LLVMValueRef pointer = place->element[1], other = LLVMGetOperand(user, 1);
	for (unsigned i = 2; i < 6; i++)
		if (!upc__is_alike(LLVMGetOperand(user, i), place->element[i], 0))
			return false;
	if (upc__is_marked(lowering, pointer, MARK_BEGIN))
		return LLVMIsALoadInst(other) && LLVMGetOperand(other, 0) == LLVMGetOperand(pointer, 0);
	return upc__is_alike(pointer, other, 0);
}

/* Sets the cache of an element whose other arguments are set: an existing one of this function, or a new one. */
static void find_cache(struct lowering *lowering, LLVMValueRef access, struct place *place)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(access));
	if (lowering->cache_owner != function)
		lowering->cache_count = 0;
	lowering->cache_owner = function;
	for (int i = 0; i < lowering->cache_count && !place->element[0]; i++)
		if (can_share(lowering, lowering->caches[i], place))
			place->element[0] = LLVMGetOperand(lowering->caches[i], 0);
	place->new_cache = !place->element[0];
	if (!place->element[0])
		place->element[0] = last_access(lowering, access);
}

/*
 * If POINTER is an element of a blocked array, or a part of one, and the next access is likely adjacent: sets the
 * arguments of __upci_node_address and returns true.
 */
static bool find_element(struct lowering *lowering, LLVMValueRef access, LLVMValueRef pointer, struct place *place)
{
	size_t length;
	int64_t offset = 0;
	/* Includes an offset of 0: the first member of a structure or union, and the members of that. */
	for (; is_operation(pointer, LLVMAdd) && LLVMIsAConstantInt(LLVMGetOperand(pointer, 1));
		pointer = LLVMGetOperand(pointer, 0))
		offset += LLVMConstIntGetSExtValue(LLVMGetOperand(pointer, 1));
	place->offset = offset != 0 ? upc__constant(lowering, offset) : NULL;
	LLVMValueRef called = LLVMIsACallInst(pointer) ? LLVMGetCalledValue(pointer) : NULL;
	const char *name = called && LLVMIsAFunction(called) ? LLVMGetValueName2(called, &length) : "";
	if (!lowering->options->optimize || lowering->returns_twice ||
		(strcmp(name, "__upci_add_blocked") != 0 && strcmp(name, "__upci_called_add_blocked") != 0) ||
		!steps_by_one(LLVMGetArgOperand(pointer, 1), 0))
		return false;
	for (unsigned i = 0; i < 4; i++)
		place->element[1 + i] = LLVMGetArgOperand(pointer, i);
	bool variable = upc__is_marked(lowering, place->element[1], MARK_BEGIN);
	place->element[5] = LLVMConstInt(LLVMInt1TypeInContext(lowering->context), variable, false);
	find_cache(lowering, access, place);
	return true;
}

struct place upc__find_place(struct lowering *lowering, LLVMValueRef access, LLVMValueRef pointer)
{
	struct place place = {.pointer = upc__as_integer(lowering, pointer), .block = upc__block(LLVMTypeOf(pointer))};
	if (access && find_element(lowering, access, place.pointer, &place))
		return place;
	place.offset = NULL;
	/* An index into indefinitely blocked memory stays in one thread's segment: the optimizer may see it as an
	 * array. */
	while (place.block == 0 && is_operation(place.pointer, LLVMAdd)) {
		LLVMValueRef term = LLVMGetOperand(place.pointer, 1);
		place.offset = place.offset ? LLVMBuildAdd(lowering->builder, place.offset, term, "") : term;
		place.pointer = LLVMGetOperand(place.pointer, 0);
	}
	return place;
}

static LLVMValueRef call_element(
	struct lowering *lowering, const char *name, const struct place *place, unsigned first, unsigned count)
{
	LLVMValueRef arguments[6];
	for (unsigned i = 0; i < count; i++)
		arguments[i] = place->element[first + i];
	return upc__call(lowering, name, arguments, count);
}

static LLVMValueRef add_offset(struct lowering *lowering, const struct place *place, LLVMValueRef bytes)
{
	LLVMValueRef offset = place->offset;
	return offset ? LLVMBuildGEP2(lowering->builder, lowering->i8, bytes, &offset, 1, "") : bytes;
}

/* Records the first use of a cache: the call that has all arguments. */
static LLVMValueRef use_cache(struct lowering *lowering, const char *name, const struct place *place)
{
	LLVMValueRef user = call_element(lowering, name, place, 0, 6);
	if (place->new_cache && lowering->cache_count < MOST_CACHES)
		lowering->caches[lowering->cache_count++] = user;
	return user;
}

LLVMValueRef upc__is_known(struct lowering *lowering, const struct place *place)
{
	return place->element[0] ? use_cache(lowering, "__upci_is_in_last", place) : NULL;
}

LLVMValueRef upc__is_own(struct lowering *lowering, const struct place *place, LLVMValueRef pointer)
{
	if (place->element[0])
		return call_element(lowering, "__upci_is_last_own", place, 0, 1);
	return upc__call(lowering, "__upci_is_own", &pointer, 1);
}

LLVMValueRef upc__is_same_node(struct lowering *lowering, struct place *place)
{
	LLVMValueRef arguments[] = {place->pointer, upc__constant(lowering, place->block), lowering->node_shift};
	if (place->element[0])
		return call_element(lowering, "__upci_is_block_same_node", place, 0, 5);
	place->distance = upc__call(lowering, "__upci_distance", arguments, 3);
	return upc__call(lowering, "__upci_is_same_node", &place->distance, 1);
}

void upc__find_last(struct lowering *lowering, const struct place *place)
{
	call_element(lowering, "__upci_find_last", place, 0, 5);
}

LLVMValueRef upc__is_counted(
	struct lowering *lowering, const struct place *place, LLVMValueRef pointer, LLVMValueRef count)
{
	LLVMValueRef arguments[] = {count, pointer, upc__constant(lowering, place->element[0] ? 0 : place->block)};
	return upc__call(lowering, "__upci_is_counted", arguments, 3);
}

LLVMValueRef upc__address(struct lowering *lowering, const struct place *place)
{
	LLVMValueRef arguments[] = {place->pointer, upc__constant(lowering, place->block)};
	LLVMValueRef bytes = NULL;
	if (!place->element[0])
		bytes = upc__call(lowering, "__upci_address", arguments, 2);
	else if (has_row(place->element[2], 0))
		bytes = use_cache(lowering, "__upci_row_address", place);
	else
		bytes = use_cache(lowering, "__upci_node_address", place);
	return add_offset(lowering, place, bytes);
}

LLVMValueRef upc__node_address(struct lowering *lowering, const struct place *place)
{
	LLVMValueRef distance = place->distance;
	LLVMValueRef bytes = place->element[0] ? call_element(lowering, "__upci_tested_address", place, 0, 4)
					       : upc__call(lowering, "__upci_node_memory", &distance, 1);
	return add_offset(lowering, place, bytes);
}

/* Computes the pointer again where this is possible: the value from before the test may otherwise not be needed. */
LLVMValueRef upc__seldom_pointer(struct lowering *lowering, const struct place *place, LLVMValueRef pointer)
{
	LLVMValueRef distance = place->distance, again = NULL;
	if (place->element[0])
		again = call_element(lowering, "__upci_tested_pointer", place, 0, 4);
	else if (place->block <= 1)
		again = upc__call(lowering, "__upci_seldom_pointer", &distance, 1);
	else
		return pointer;
	return place->offset ? LLVMBuildAdd(lowering->builder, again, place->offset, "") : again;
}
