/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What pointers-to-shared step over. clang computes addresses in many forms: by types, or in bytes. The typing pass
 * marks each index that steps over elements, and adds their size. Each step becomes a separate instruction, in one of
 * two forms that all other parts read:
 *
 *     getelementptr [SIZE x i8], pointer, index    over elements of SIZE bytes; !upc.unit: so many for an index of 1
 *     getelementptr i8, pointer, bytes             to a part of the element
 */
#include <string.h>

#include "upc/lower/lowering.h"
#include "upc/translate/translate.h"

#define MOST_DEPTH 8
#define UNIT "upc.unit"

/* ---- the forms that other parts read ---- */

static unsigned unit_kind(LLVMValueRef element)
{
	return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(element)), UNIT, sizeof UNIT - 1);
}

bool upc__read_step(LLVMValueRef element, struct upc_step *step)
{
	if (!LLVMIsAGetElementPtrInst(element) || !upc__is_shared(LLVMTypeOf(element)))
		return false;
	LLVMTypeRef type = LLVMGetGEPSourceElementType(element);
	bool inside = LLVMGetTypeKind(type) != LLVMArrayTypeKind;
	LLVMValueRef note = LLVMGetMetadata(element, unit_kind(element)), unit = NULL;
	if (note)
		LLVMGetMDNodeOperands(note, &unit);
	*step = (struct upc_step){.pointer = LLVMGetOperand(element, 0),
		.index = LLVMGetOperand(element, 1),
		.size = inside ? 1 : LLVMGetArrayLength(type),
		.unit = unit ? LLVMConstIntGetZExtValue(unit) : 1,
		.inside = inside};
	return true;
}

static LLVMValueRef step_by(
	struct lowering *lowering, LLVMValueRef pointer, LLVMValueRef index, uint64_t unit, uint64_t size)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMTypeRef element = LLVMArrayType(lowering->i8, (unsigned)size);
	if (LLVMTypeOf(index) != lowering->i64)
		index = LLVMBuildSExt(builder, index, lowering->i64, "");
	if (LLVMIsConstant(pointer) && LLVMIsConstant(index)) { /* the sum is a constant, without metadata */
		index = LLVMBuildMul(builder, index, upc__constant(lowering, (int64_t)unit), "");
		unit = 1;
	}
	LLVMValueRef sum = LLVMBuildGEP2(builder, element, pointer, &index, 1, "");
	LLVMMetadataRef note[] = {LLVMValueAsMetadata(upc__constant(lowering, (int64_t)unit))};
	if (unit != 1)
		upc__note(lowering, sum, UNIT, note, 1);
	return sum;
}

static LLVMValueRef step_inside(struct lowering *lowering, LLVMValueRef pointer, LLVMValueRef bytes)
{
	return LLVMBuildGEP2(lowering->builder, lowering->i8, pointer, &bytes, 1, "");
}

/* ---- indices ---- */

static bool is_operation(LLVMValueRef value, LLVMOpcode opcode)
{
	return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == opcode;
}

/* The mark in an index, or in a number of bytes that was computed from the index; NULL: none. */
static LLVMValueRef mark_in(LLVMValueRef index, int depth)
{
	if (upc__is_call_of(index, UPC_INDEX))
		return index;
	bool computed = LLVMIsABinaryOperator(index) || LLVMIsASExtInst(index) || LLVMIsAZExtInst(index);
	LLVMValueRef mark = NULL;
	for (int i = 0; computed && depth < MOST_DEPTH && !mark && i < LLVMGetNumOperands(index); i++)
		mark = mark_in(LLVMGetOperand(index, (unsigned)i), depth + 1);
	return mark;
}

/* Returns the constant factor of VALUE, with the other factor in *RATE; 1: not known. */
static int64_t factor_of(LLVMValueRef value, LLVMValueRef *rate)
{
	bool product = is_operation(value, LLVMMul), shift = is_operation(value, LLVMShl);
	if ((!product && !shift) || !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
		return 1;
	*rate = LLVMGetOperand(value, 0);
	int64_t by = LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
	return product ? by : INT64_C(1) << by;
}

/* A number of bytes divided by SIZE, of which it is a multiple; the constant part goes to *UNIT. */
static LLVMValueRef divide(struct lowering *lowering, LLVMValueRef bytes, int64_t size, uint64_t *unit)
{
	LLVMValueRef rest = bytes;
	int64_t factor = factor_of(bytes, &rest);
	if (factor > 0 && factor % size == 0) {
		*unit = (uint64_t)(factor / size);
		return rest;
	}
	LLVMValueRef left = is_operation(bytes, LLVMSub) ? LLVMGetOperand(bytes, 0) : NULL;
	if (left && LLVMIsAConstantInt(left) && LLVMIsNull(left)) {
		rest = divide(lowering, LLVMGetOperand(bytes, 1), size, unit);
		return LLVMBuildNeg(lowering->builder, rest, "");
	}
	return size == 1 ? bytes : LLVMBuildExactSDiv(lowering->builder, bytes, upc__constant(lowering, size), "");
}

/* Returns true if ELEMENT is the new value of the pointer that it was computed from: `p++` has no index to mark. */
static bool is_increment(LLVMValueRef element)
{
	LLVMValueRef load = LLVMGetOperand(element, 0);
	for (LLVMUseRef use = LLVMGetFirstUse(element); LLVMIsALoadInst(load) && use; use = LLVMGetNextUse(use)) {
		LLVMValueRef store = LLVMGetUser(use);
		if (LLVMIsAStoreInst(store) && LLVMGetOperand(store, 0) == element &&
			LLVMGetOperand(store, 1) == LLVMGetOperand(load, 0))
			return true;
	}
	return false;
}

/* An address computation that is being divided into steps. */
struct walk {
	LLVMValueRef element; /* the instruction that clang made */
	LLVMValueRef pointer; /* so far */
	LLVMValueRef bytes;   /* to be added to `pointer`, inside of an element; NULL: none */
	bool inside;
};

static void add_bytes(struct lowering *lowering, struct walk *walk, LLVMValueRef index, uint64_t stride)
{
	if (LLVMTypeOf(index) != lowering->i64)
		index = LLVMBuildSExt(lowering->builder, index, lowering->i64, "");
	LLVMValueRef bytes =
		stride == 1 ? index : LLVMBuildMul(lowering->builder, index, upc__number(lowering, stride), "");
	walk->bytes = walk->bytes ? LLVMBuildAdd(lowering->builder, walk->bytes, bytes, "") : bytes;
	walk->inside = true;
}

/* An index without a mark: a part of an element, `p++`, or in a directive, which the typing pass does not see. */
static void take_unmarked(struct lowering *lowering, struct walk *walk, LLVMValueRef index, LLVMTypeRef type)
{
	bool constant = LLVMIsAConstantInt(index);
	if (type == lowering->i8 && constant && is_increment(walk->element)) {
		int64_t bytes = LLVMConstIntGetSExtValue(index);
		walk->pointer = step_by(lowering, walk->pointer, upc__constant(lowering, bytes < 0 ? -1 : 1), 1,
			(uint64_t)(bytes < 0 ? -bytes : bytes));
	} else if (type == lowering->i8 && constant) {
		add_bytes(lowering, walk, index, 1);
	} else {
		walk->pointer = step_by(lowering, walk->pointer, index, upc__elements(lowering, type),
			upc__size(lowering, upc__element(type)));
	}
}

static void take_index(struct lowering *lowering, struct walk *walk, LLVMValueRef index, LLVMTypeRef type)
{
	uint64_t stride = upc__size(lowering, type), unit = 1;
	LLVMValueRef mark = mark_in(index, 0);
	if (LLVMIsAConstantInt(index) && LLVMIsNull(index))
		return;
	if (walk->inside) {
		add_bytes(lowering, walk, index, stride);
	} else if (type == lowering->i8 && is_operation(index, LLVMAdd)) {
		take_index(lowering, walk, LLVMGetOperand(index, 0), type);
		take_index(lowering, walk, LLVMGetOperand(index, 1), type);
	} else if (mark) {
		uint64_t size = LLVMConstIntGetZExtValue(LLVMGetArgOperand(mark, 1));
		if (type != lowering->i8 && stride % size == 0)
			unit = stride / size;
		else
			index = divide(lowering, index, (int64_t)size, &unit);
		walk->pointer = step_by(lowering, walk->pointer, index, unit, size);
	} else {
		take_unmarked(lowering, walk, index, type);
	}
}

static void show_steps(struct lowering *lowering, LLVMValueRef element)
{
	struct walk walk = {.element = element, .pointer = LLVMGetOperand(element, 0)};
	LLVMTypeRef at = LLVMGetGEPSourceElementType(element);
	upc__before(lowering, element);
	for (int i = 1; i < LLVMGetNumOperands(element); i++) {
		LLVMValueRef index = LLVMGetOperand(element, (unsigned)i);
		if (i > 1 && LLVMGetTypeKind(at) == LLVMStructTypeKind) {
			unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
			uint64_t offset = LLVMOffsetOfElement(lowering->layout, at, member);
			add_bytes(lowering, &walk, upc__constant(lowering, (int64_t)offset), 1);
			at = LLVMStructGetTypeAtIndex(at, member);
			continue;
		}
		at = i > 1 ? LLVMGetElementType(at) : at;
		take_index(lowering, &walk, index, at);
	}
	if (walk.bytes)
		walk.pointer = step_inside(lowering, walk.pointer, walk.bytes);
	upc__replace(lowering, element, walk.pointer);
}

/* ---- members ---- */

/* Returns true if CALL marks the address of a member, for the lowering (typing/complete.c). */
static bool is_member_mark(LLVMValueRef call)
{
	size_t length;
	if (!upc__is_call_of(call, "llvm.ptr.annotation."))
		return false;
	LLVMValueRef text = LLVMGetArgOperand(call, 1);
	while (LLVMIsAConstantExpr(text))
		text = LLVMGetOperand(text, 0);
	LLVMValueRef string = LLVMIsAGlobalVariable(text) ? LLVMGetInitializer(text) : NULL;
	return string && LLVMIsAConstantDataSequential(string) && LLVMIsConstantString(string) &&
	       strcmp(LLVMGetAsString(string, &length), UPC_MEMBER) == 0;
}

/* Replaces the mark by a step of no bytes. */
static void show_member(struct lowering *lowering, LLVMValueRef call)
{
	LLVMValueRef pointer = LLVMGetArgOperand(call, 0), shown = pointer;
	upc__before(lowering, call);
	if (upc__is_shared(LLVMTypeOf(pointer)))
		shown = step_inside(lowering, call, upc__constant(lowering, 0));
	LLVMReplaceAllUsesWith(call, shown);
	if (shown != pointer)
		LLVMSetOperand(shown, 0, pointer); /* only now: the builder folds a constant's member to a constant */
	LLVMInstructionEraseFromParent(call);
}

void upc__show_steps(struct lowering *lowering, LLVMValueRef instruction)
{
	if (LLVMIsAGetElementPtrInst(instruction) && upc__is_shared(LLVMTypeOf(instruction)))
		show_steps(lowering, instruction);
	else if (is_member_mark(instruction))
		show_member(lowering, instruction);
}

void upc__remove_index_mark(struct lowering *lowering, LLVMValueRef instruction)
{
	if (upc__is_call_of(instruction, UPC_INDEX))
		upc__replace(lowering, instruction, LLVMGetArgOperand(instruction, 0));
}
