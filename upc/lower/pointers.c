/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arithmetic, conversion and comparison of pointers-to-shared. Element indices go round the threads in blocks up to the
 * first member of a structure; from there on they are linear, since an element has affinity to one thread as a whole.
 */
#include <string.h>

#include "upc/abi.h"
#include "upc/lower/lowering.h"

static LLVMValueRef add(struct lowering *lowering, LLVMValueRef sum, LLVMValueRef term)
{
	return sum == NULL ? term : LLVMBuildAdd(lowering->builder, sum, term, "");
}

static LLVMValueRef index_of(struct lowering *lowering, LLVMValueRef index)
{
	return LLVMTypeOf(index) == lowering->i64 ? index : LLVMBuildSExt(lowering->builder, index, lowering->i64, "");
}

/* Whether a pointer is inside of an element: marked, or chosen (?:) from such. */
static bool is_inside(const struct lowering *lowering, LLVMValueRef pointer, int depth)
{
	if (upc__is_marked(lowering, pointer, MARK_INSIDE))
		return true;
	bool chosen = LLVMIsAPHINode(pointer) || LLVMIsASelectInst(pointer);
	int count = chosen && depth < 8 ? LLVMGetNumOperands(pointer) : 0;
	for (int i = 0; i < count; i++)
		if (is_inside(lowering, LLVMGetOperand(pointer, (unsigned)i), depth + 1))
			return true;
	return false;
}

/* What a chain of indices adds: elements that go round the threads, and bytes that don't. */
struct step {
	LLVMValueRef elements;
	LLVMValueRef bytes;
	bool inside;
};

static void step_index(struct lowering *lowering, struct step *step, LLVMValueRef index, LLVMTypeRef type)
{
	if (LLVMIsAConstantInt(index) && LLVMConstIntGetSExtValue(index) == 0)
		return;
	bool linear = step->inside;
	uint64_t scale = linear ? upc__size(lowering, type) : upc__elements(lowering, type);
	index = index_of(lowering, index);
	if (scale != 1)
		index = LLVMBuildMul(lowering->builder, index, upc__number(lowering, scale), "");
	if (linear)
		step->bytes = add(lowering, step->bytes, index);
	else
		step->elements = add(lowering, step->elements, index);
}

static LLVMTypeRef step_member(struct lowering *lowering, struct step *step, LLVMValueRef index, LLVMTypeRef type)
{
	unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
	uint64_t offset = LLVMOffsetOfElement(lowering->layout, type, member);
	step->inside = true;
	if (offset != 0)
		step->bytes = add(lowering, step->bytes, upc__constant(lowering, (int64_t)offset));
	return LLVMStructGetTypeAtIndex(type, member);
}

void upc__lower_element(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
	LLVMTypeRef type = LLVMTypeOf(pointer);
	if (!upc__is_shared(type))
		return;
	LLVMTypeRef at = LLVMGetElementType(type);
	uint64_t size = upc__size(lowering, upc__element(at));
	struct step step = {.inside = is_inside(lowering, pointer, 0)};
	for (int i = 1; i < LLVMGetNumOperands(instruction); i++) {
		LLVMValueRef index = LLVMGetOperand(instruction, (unsigned)i);
		if (i > 1 && LLVMGetTypeKind(at) == LLVMStructTypeKind) {
			at = step_member(lowering, &step, index, at);
			continue;
		}
		if (i > 1)
			at = LLVMGetElementType(at);
		step_index(lowering, &step, index, at);
	}
	LLVMValueRef result = upc__as_integer(lowering, pointer);
	if (step.elements != NULL)
		result = upc__add(lowering, result, step.elements, size, upc__block(type));
	if (step.bytes != NULL)
		result = LLVMBuildAdd(lowering->builder, result, step.bytes, "");
	result = upc__as_pointer(lowering, result, LLVMTypeOf(instruction));
	if (step.inside)
		upc__mark(lowering, result, MARK_INSIDE);
	upc__replace(lowering, instruction, result);
}

static LLVMValueRef without_phase(struct lowering *lowering, LLVMValueRef integer)
{
	return LLVMBuildAnd(lowering->builder, integer, upc__constant(lowering, UPCRT_ADDRESS_MASK), "");
}

static void cast_spaces(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
	LLVMTypeRef from = LLVMTypeOf(pointer), to = LLVMTypeOf(instruction);
	if (!upc__is_shared(from) && !upc__is_shared(to))
		return;
	if (!upc__is_shared(from)) {
		if (!LLVMIsNull(pointer))
			upc__refuse_at(
				lowering, instruction, "a private pointer cannot be converted to a pointer-to-shared");
		upc__replace(lowering, instruction, LLVMConstNull(to));
		return;
	}
	LLVMValueRef integer = upc__as_integer(lowering, pointer);
	if (upc__is_shared(to)) {
		if (upc__block(from) > 1)
			integer = without_phase(lowering, integer);
		upc__replace(lowering, instruction, upc__as_pointer(lowering, integer, to));
		return;
	}
	LLVMValueRef address = upc__call(lowering, "__upci_to_private", &integer, 1);
	upc__replace(lowering, instruction, LLVMBuildBitCast(lowering->builder, address, to, ""));
}

static bool is_union(LLVMTypeRef type)
{
	const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
	return name != NULL && strncmp(name, "union.", 6) == 0;
}

/*
 * Another type of element of the same block size: the phase starts anew. clang reaches members of unions by a cast as
 * well; they are inside their element.
 */
static void cast_types(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
	LLVMTypeRef from = LLVMTypeOf(pointer), to = LLVMTypeOf(instruction);
	if (!upc__is_shared(from))
		return;
	LLVMTypeRef old = upc__element(LLVMGetElementType(from)), new = upc__element(LLVMGetElementType(to));
	if (is_inside(lowering, pointer, 0) || (is_union(old) && !is_union(new))) {
		upc__mark(lowering, instruction, MARK_INSIDE);
		return;
	}
	if (upc__block(from) <= 1 || upc__size(lowering, old) == upc__size(lowering, new))
		return;
	LLVMValueRef integer = without_phase(lowering, upc__as_integer(lowering, pointer));
	upc__replace(lowering, instruction, upc__as_pointer(lowering, integer, to));
}

/* The shared void * that clang has widened to make an integer or a pointer of it; NULL: something else. */
static bool is_widened_generic(LLVMValueRef value)
{
	return LLVMIsAZExtInst(value) && upc__is_generic(LLVMTypeOf(LLVMGetOperand(value, 0)));
}

/* From shared void *: phases of 1 and indefinite blocks are always 0. */
static void cast_integer(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMTypeRef to = LLVMTypeOf(instruction);
	if (!upc__is_shared(to) && is_widened_generic(LLVMGetOperand(instruction, 0))) {
		LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
		LLVMValueRef address = upc__call(lowering, "__upci_to_private", &pointer, 1);
		upc__replace(lowering, instruction, LLVMBuildBitCast(lowering->builder, address, to, ""));
		return;
	}
	if (!upc__is_shared(to) || upc__is_marked(lowering, instruction, MARK_OWN))
		return;
	LLVMValueRef integer = LLVMGetOperand(instruction, 0);
	if (!is_widened_generic(integer))
		upc__refuse_at(lowering, instruction, "an integer cannot be converted to a pointer-to-shared");
	if (upc__block(to) > 1 || LLVMTypeOf(integer) != lowering->i64)
		return;
	upc__replace(lowering, instruction, upc__as_pointer(lowering, without_phase(lowering, integer), to));
}

/* To shared void * from a private pointer; from a pointer to shared, the value is the same. */
static void cast_to_generic(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
	if (upc__is_generic(LLVMTypeOf(instruction)) && !upc__is_shared(LLVMTypeOf(pointer)) && !LLVMIsNull(pointer))
		upc__refuse_at(lowering, instruction, "a private pointer cannot be converted to 'shared void *'");
}

/* Integers are no pointers-to-shared; only results and parameters of functions pass them as integers. */
static void cast_widths(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMValueRef from = LLVMGetOperand(instruction, 0);
	bool passed = LLVMIsACallInst(from) || LLVMIsAInvokeInst(from) || LLVMIsAArgument(from);
	if (upc__is_generic(LLVMTypeOf(instruction)) && !passed)
		upc__refuse_at(lowering, instruction, "an integer cannot be converted to 'shared void *'");
}

void upc__lower_cast(struct lowering *lowering, LLVMValueRef instruction)
{
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
		cast_widths(lowering, instruction);
		break;
	case LLVMAddrSpaceCast:
		cast_spaces(lowering, instruction);
		break;
	case LLVMBitCast:
		cast_types(lowering, instruction);
		break;
	case LLVMPtrToInt:
		cast_to_generic(lowering, instruction);
		break;
	default:
		cast_integer(lowering, instruction);
		break;
	}
}

static LLVMValueRef difference(struct lowering *lowering, LLVMValueRef a, LLVMValueRef b)
{
	LLVMTypeRef type = LLVMTypeOf(a);
	LLVMTypeRef element = upc__element(LLVMGetElementType(type));
	bool inside = is_inside(lowering, a, 0) || is_inside(lowering, b, 0);
	unsigned block = inside ? 0 : upc__block(type);
	LLVMValueRef arguments[] = {upc__as_integer(lowering, a), upc__as_integer(lowering, b),
		upc__constant(lowering, (int64_t)upc__size(lowering, element)), upc__constant(lowering, block)};
	return upc__call(lowering, "__upci_difference", arguments, 4);
}

static LLVMIntPredicate as_signed(LLVMIntPredicate predicate)
{
	switch (predicate) {
	case LLVMIntULT:
		return LLVMIntSLT;
	case LLVMIntULE:
		return LLVMIntSLE;
	case LLVMIntUGT:
		return LLVMIntSGT;
	case LLVMIntUGE:
		return LLVMIntSGE;
	default:
		return predicate;
	}
}

/* Phases don't matter for equality, nor for the order of shared void *; a null pointer has none. */
static void compare_addresses(struct lowering *lowering, LLVMValueRef instruction, LLVMValueRef a, LLVMValueRef b)
{
	LLVMIntPredicate predicate = LLVMGetICmpPredicate(instruction);
	LLVMTypeRef type = LLVMTypeOf(a);
	if (LLVMIsNull(a) || LLVMIsNull(b))
		return;
	LLVMValueRef mask = LLVMConstInt(upc__is_generic(type) ? type : lowering->i64, UPCRT_ADDRESS_MASK, false);
	if (upc__is_shared(type)) {
		if (upc__block(type) <= 1)
			return;
		a = upc__as_integer(lowering, a);
		b = upc__as_integer(lowering, b);
	}
	a = LLVMBuildAnd(lowering->builder, a, mask, "");
	b = LLVMBuildAnd(lowering->builder, b, mask, "");
	upc__replace(lowering, instruction, LLVMBuildICmp(lowering->builder, predicate, a, b, ""));
}

void upc__lower_comparison(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMValueRef a = LLVMGetOperand(instruction, 0), b = LLVMGetOperand(instruction, 1);
	LLVMIntPredicate predicate = LLVMGetICmpPredicate(instruction);
	LLVMTypeRef type = LLVMTypeOf(a);
	if (!upc__is_shared(type) && !upc__is_generic(type))
		return;
	if (predicate == LLVMIntEQ || predicate == LLVMIntNE) {
		compare_addresses(lowering, instruction, a, b);
		return;
	}
	if (upc__is_generic(type)) {
		compare_addresses(lowering, instruction, a, b);
		return;
	}
	LLVMValueRef order = LLVMBuildICmp(
		lowering->builder, as_signed(predicate), difference(lowering, a, b), upc__constant(lowering, 0), "");
	upc__replace(lowering, instruction, order);
}

/* a - b of pointers: clang subtracts addresses and divides by the size of what they point to. */
static void subtract(struct lowering *lowering, LLVMValueRef instruction, LLVMValueRef a, LLVMValueRef b)
{
	LLVMTypeRef pointee = LLVMGetElementType(LLVMTypeOf(a)), other = LLVMGetElementType(LLVMTypeOf(b));
	/* Of an array's address, clang may have folded away that it became one of an element. */
	if (upc__size(lowering, other) < upc__size(lowering, pointee))
		pointee = other;
	uint64_t size = upc__size(lowering, upc__element(pointee));
	LLVMValueRef elements = difference(lowering, a, b);
	/* The division that follows has the factor for THREADS in it. */
	if (lowering->options->static_threads == 0 && upc__has_threads(upc__size(lowering, pointee))) {
		elements = LLVMBuildSDiv(lowering->builder, elements, upc__threads(lowering), "");
		size *= (uint64_t)UPC_THREADS_FACTOR;
	}
	LLVMValueRef bytes = LLVMBuildMul(lowering->builder, elements, upc__constant(lowering, (int64_t)size), "");
	upc__replace(lowering, instruction, bytes);
}

/* Of addresses as integers, clang subtracts without the division by the size that belongs to pointers. */
static bool is_pointer_difference(
	struct lowering *lowering, LLVMValueRef instruction, LLVMTypeRef left, LLVMTypeRef right)
{
	uint64_t size = upc__size(lowering, LLVMGetElementType(left)),
		 other = upc__size(lowering, LLVMGetElementType(right));
	size = other < size ? other : size;
	if (size <= 1)
		return true;
	LLVMUseRef use = LLVMGetFirstUse(instruction);
	LLVMValueRef user = use ? LLVMGetUser(use) : NULL;
	return user != NULL && LLVMIsAInstruction(user) && LLVMGetInstructionOpcode(user) == LLVMSDiv &&
	       LLVMIsAConstantInt(LLVMGetOperand(user, 1)) && LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1)) == size;
}

void upc__lower_arithmetic(struct lowering *lowering, LLVMValueRef instruction)
{
	if (upc__is_generic(LLVMTypeOf(instruction))) {
		if (!upc__is_marked(lowering, instruction, MARK_OWN))
			upc__refuse_at(
				lowering, instruction, "arithmetic on a pointer to 'shared void', an incomplete type");
		return;
	}
	LLVMValueRef a = LLVMGetOperand(instruction, 0), b = LLVMGetOperand(instruction, 1);
	if (LLVMGetInstructionOpcode(instruction) != LLVMSub || !LLVMIsAPtrToIntInst(a) || !LLVMIsAPtrToIntInst(b))
		return;
	a = LLVMGetOperand(a, 0);
	b = LLVMGetOperand(b, 0);
	LLVMTypeRef left = LLVMTypeOf(a), right = LLVMTypeOf(b);
	if (upc__is_shared(left) && upc__is_shared(right) && upc__block(left) == upc__block(right) &&
		is_pointer_difference(lowering, instruction, left, right))
		subtract(lowering, instruction, a, b);
}
