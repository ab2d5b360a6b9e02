/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arithmetic, conversion and comparison of pointers-to-shared. Element indices follow the blocked layout over the
 * threads up to the first structure member; behind it they are linear, since an element has affinity to one thread as a
 * whole.
 */
#include <string.h>

#include "upc/abi.h"
#include "upc/lower/lowering.h"
#include "upc/translate/translate.h"

static LLVMValueRef add(struct lowering *lowering, LLVMValueRef sum, LLVMValueRef term)
{
	return !sum ? term : LLVMBuildAdd(lowering->builder, sum, term, "");
}

static LLVMValueRef index_of(struct lowering *lowering, LLVMValueRef index)
{
	return LLVMTypeOf(index) == lowering->i64 ? index : LLVMBuildSExt(lowering->builder, index, lowering->i64, "");
}

/* Whether a pointer is inside an element: marked so, or chosen (?:) from such pointers. */
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

/* What a chain of indices adds: elements, which follow the layout over the threads, and bytes, which do not. */
struct step {
	LLVMValueRef elements;
	LLVMValueRef bytes;
	bool inside;
};

/*
 * An index into ARRAY. clang folds an index before the start of a row into one from the end of the row before, whose
 * length has the factor for THREADS.
 */
static LLVMValueRef unfold(struct lowering *lowering, LLVMValueRef index, LLVMTypeRef array)
{
	LLVMTypeRef inner = LLVMGetElementType(array);
	uint64_t size = upc__size(lowering, inner);
	uint64_t bound = size != 0 ? upc__size(lowering, array) / size : 0;
	if (!LLVMIsAConstantInt(index) || !upc__has_threads(bound) || lowering->options->static_threads != 0)
		return index;
	int64_t value = LLVMConstIntGetSExtValue(index);
	if (value <= (int64_t)(bound / 2))
		return index;
	LLVMValueRef back = upc__constant(lowering, value - (int64_t)bound);
	return LLVMBuildAdd(lowering->builder, upc__number(lowering, bound), back, "");
}

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
		if (i > 1) {
			index = unfold(lowering, index, at);
			at = LLVMGetElementType(at);
		}
		step_index(lowering, &step, index, at);
	}
	LLVMValueRef result = upc__as_integer(lowering, pointer);
	if (step.elements)
		result = upc__add(lowering, result, step.elements, size, upc__block(type));
	if (step.bytes)
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

/* A shared void * that clang widened to make an integer or a pointer of it; folded constants are not widened. */
static bool is_widened_generic(LLVMValueRef value)
{
	return upc__is_generic(LLVMTypeOf(value)) ||
	       (LLVMIsAZExtInst(value) && upc__is_generic(LLVMTypeOf(LLVMGetOperand(value, 0))));
}

static LLVMValueRef widen(struct lowering *lowering, LLVMValueRef integer)
{
	return LLVMTypeOf(integer) == lowering->i64 ? integer
						    : LLVMBuildZExt(lowering->builder, integer, lowering->i64, "");
}

/* The operand of an explicit cast, which the translator marks; NULL: another conversion. */
static LLVMValueRef cast_value(LLVMValueRef pointer)
{
	if (!LLVMIsACallInst(pointer) || LLVMGetNumArgOperands(pointer) != 1)
		return NULL;
	LLVMValueRef function = LLVMGetCalledValue(pointer);
	while (LLVMIsAConstantExpr(function) && LLVMGetConstOpcode(function) == LLVMBitCast)
		function = LLVMGetOperand(function, 0);
	size_t length;
	bool cast = LLVMIsAFunction(function) && strcmp(LLVMGetValueName2(function, &length), UPC_CAST) == 0;
	return cast ? LLVMGetArgOperand(pointer, 0) : NULL;
}

/* A cast to another block size or element size, or of a member's address, sets phase 0. */
static LLVMValueRef recast(struct lowering *lowering, LLVMValueRef pointer, LLVMTypeRef to)
{
	LLVMTypeRef from = LLVMTypeOf(pointer);
	uint64_t old = upc__size(lowering, upc__element(LLVMGetElementType(from)));
	uint64_t new = upc__size(lowering, upc__element(LLVMGetElementType(to)));
	bool inside = is_inside(lowering, pointer, 0);
	LLVMValueRef integer = upc__as_integer(lowering, pointer);
	if (upc__block(from) > 1 && (inside || upc__block(from) != upc__block(to) || old != new))
		integer = without_phase(lowering, integer);
	return upc__as_pointer(lowering, integer, to);
}

/* An explicit cast: of a pointer-to-shared, of a shared void *, or of something that cannot be cast. */
static void cast_explicitly(struct lowering *lowering, LLVMValueRef instruction, LLVMValueRef from)
{
	LLVMTypeRef to = LLVMTypeOf(instruction), type = LLVMTypeOf(from);
	LLVMValueRef call = LLVMGetOperand(instruction, 0), made = LLVMConstNull(to);
	if (upc__is_shared(type)) {
		made = recast(lowering, from, to);
	} else if (is_widened_generic(from)) {
		LLVMValueRef integer = widen(lowering, from);
		made = upc__as_pointer(lowering, upc__block(to) > 1 ? integer : without_phase(lowering, integer), to);
	} else if (!LLVMIsNull(from)) {
		upc__refuse_at(lowering, instruction, "%s cannot be converted to a pointer-to-shared",
			LLVMGetTypeKind(type) == LLVMPointerTypeKind ? "a private pointer" : "an integer");
	}
	upc__replace(lowering, instruction, made);
	if (!LLVMGetFirstUse(call))
		upc__erase(lowering, call);
}

static void cast_spaces(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
	LLVMTypeRef from = LLVMTypeOf(pointer), to = LLVMTypeOf(instruction);
	if (!upc__is_shared(from) && !upc__is_shared(to))
		return;
	if (!upc__is_shared(from) && cast_value(pointer)) {
		cast_explicitly(lowering, instruction, cast_value(pointer));
		return;
	}
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
	return name && strncmp(name, "union.", 6) == 0;
}

/*
 * A cast to another element type of the same block size sets phase 0. clang also reaches union members by a cast; these
 * are inside their element.
 */
static void cast_types(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
	LLVMTypeRef from = LLVMTypeOf(pointer), to = LLVMTypeOf(instruction);
	if (!upc__is_shared(from) || upc__is_marked(lowering, instruction, MARK_OWN))
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

/* Whether VALUE is an _Atomic pointer-to-shared, which clang loads as an integer. */
static bool is_atomic_pointer(LLVMValueRef value)
{
	bool atomic = LLVMIsALoadInst(value) && LLVMGetOrdering(value) != LLVMAtomicOrderingNotAtomic;
	LLVMValueRef from = atomic ? LLVMGetOperand(value, 0) : NULL;
	bool converted = from && (LLVMIsABitCastInst(from) ||
					 (LLVMIsAConstantExpr(from) && LLVMGetConstOpcode(from) == LLVMBitCast));
	return converted && upc__is_shared(LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(from, 0))));
}

/* From shared void *: block sizes 0 and 1 always have phase 0. */
static void cast_integer(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMTypeRef to = LLVMTypeOf(instruction);
	LLVMValueRef integer = LLVMGetOperand(instruction, 0);
	if (!upc__is_shared(to) && is_widened_generic(integer)) {
		LLVMValueRef pointer = widen(lowering, integer);
		LLVMValueRef address = upc__call(lowering, "__upci_to_private", &pointer, 1);
		upc__replace(lowering, instruction, LLVMBuildBitCast(lowering->builder, address, to, ""));
		return;
	}
	if (!upc__is_shared(to) || upc__is_marked(lowering, instruction, MARK_OWN) || is_atomic_pointer(integer))
		return;
	if (!is_widened_generic(integer))
		upc__refuse_at(lowering, instruction, "an integer cannot be converted to a pointer-to-shared");
	if (upc__block(to) > 1)
		return;
	integer = without_phase(lowering, widen(lowering, integer));
	upc__replace(lowering, instruction, upc__as_pointer(lowering, integer, to));
}

/*
 * To shared void * from a private pointer; or from a pointer-to-shared: the value is the same, but a member's address
 * has no phase.
 */
static void cast_to_generic(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
	LLVMTypeRef from = LLVMTypeOf(pointer), to = LLVMTypeOf(instruction);
	if (!upc__is_generic(to))
		return;
	if (!upc__is_shared(from) && !LLVMIsNull(pointer))
		upc__refuse_at(lowering, instruction, "a private pointer cannot be converted to 'shared void *'");
	if (!upc__is_shared(from) || upc__block(from) <= 1 || !is_inside(lowering, pointer, 0))
		return;
	LLVMValueRef integer = without_phase(lowering, upc__as_integer(lowering, pointer));
	upc__replace(lowering, instruction, LLVMBuildTrunc(lowering->builder, integer, to, ""));
}

/* Integers are no pointers-to-shared; only results and parameters of functions pass these as integers. */
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

/* Phases do not affect equality; a null pointer has none. */
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

/* Whether POINTER, also before clang converted it for a comparison, points to a complete type. */
static bool is_complete(LLVMValueRef pointer)
{
	if (LLVMIsABitCastInst(pointer) && !is_complete(LLVMGetOperand(pointer, 0)))
		return false;
	LLVMTypeRef type = LLVMTypeOf(pointer);
	return !upc__is_generic(type) && LLVMTypeIsSized(upc__element(LLVMGetElementType(type)));
}

void upc__lower_comparison(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMValueRef a = LLVMGetOperand(instruction, 0), b = LLVMGetOperand(instruction, 1);
	LLVMIntPredicate predicate = LLVMGetICmpPredicate(instruction);
	LLVMTypeRef type = LLVMTypeOf(a);
	if (!upc__is_shared(type) && !upc__is_generic(type))
		return;
	bool ordered = predicate != LLVMIntEQ && predicate != LLVMIntNE;
	bool complete = is_complete(a) && is_complete(b);
	/* UPC 1.3, 6.4.2p2 */
	if (ordered && !complete)
		upc__refuse_at(lowering, instruction, "pointers to %s, an incomplete type, have no order",
			upc__is_generic(type) ? "'shared void'" : "a shared structure");
	if (!ordered || !complete) {
		compare_addresses(lowering, instruction, a, b);
		return;
	}
	LLVMValueRef order = LLVMBuildICmp(
		lowering->builder, as_signed(predicate), difference(lowering, a, b), upc__constant(lowering, 0), "");
	upc__replace(lowering, instruction, order);
}

/* The division of INSTRUCTION, as of a pointer difference; NULL: it is not divided. */
static LLVMValueRef division_of(LLVMValueRef instruction)
{
	LLVMUseRef use = LLVMGetFirstUse(instruction);
	LLVMValueRef user = use ? LLVMGetUser(use) : NULL;
	bool divides = user && LLVMIsAInstruction(user) && LLVMGetInstructionOpcode(user) == LLVMSDiv;
	return divides && LLVMGetOperand(user, 0) == instruction ? user : NULL;
}

/* The number that a value is divided by; 1: it is not divided, or by a variable. */
static uint64_t divisor_of(LLVMValueRef instruction)
{
	LLVMValueRef division = division_of(instruction);
	LLVMValueRef divisor = division ? LLVMGetOperand(division, 1) : NULL;
	return divisor && LLVMIsAConstantInt(divisor) ? LLVMConstIntGetZExtValue(divisor) : 1;
}

/*
 * The division of the difference of pointers to arrays of variable length; NULL: another one. Only clang makes exact
 * divisions; LLVM's C interface shows that in the text only.
 */
static LLVMValueRef division_by_variable(LLVMValueRef instruction)
{
	LLVMValueRef division = division_of(instruction);
	if (!division || LLVMIsAConstantInt(LLVMGetOperand(division, 1)))
		return NULL;
	char *text = LLVMPrintValueToString(division);
	bool exact = strstr(text, "sdiv exact");
	LLVMDisposeMessage(text);
	return exact ? division : NULL;
}

/* a - b of pointers: clang subtracts addresses and divides by the size of the pointed-to type. */
static void subtract(struct lowering *lowering, LLVMValueRef instruction, LLVMValueRef a, LLVMValueRef b)
{
	LLVMTypeRef pointee = LLVMGetElementType(LLVMTypeOf(a)), other = LLVMGetElementType(LLVMTypeOf(b));
	/* clang may have folded away a cast of an array's address to an element's address. */
	if (upc__size(lowering, other) < upc__size(lowering, pointee))
		pointee = other;
	uint64_t size = upc__size(lowering, upc__element(pointee));
	LLVMValueRef elements = difference(lowering, a, b);
	LLVMValueRef division = division_by_variable(instruction);
	if (division) {
		upc__before(lowering, division);
		LLVMSetOperand(division, 1, upc__size_at_run_time(lowering, LLVMGetOperand(division, 1)));
		upc__before(lowering, instruction);
	}
	/* The division that follows has the factor for THREADS in its divisor. */
	if (lowering->options->static_threads == 0 && upc__has_threads(divisor_of(instruction))) {
		elements = LLVMBuildSDiv(lowering->builder, elements, upc__threads(lowering), "");
		size *= (uint64_t)UPC_THREADS_FACTOR;
	}
	LLVMValueRef bytes = LLVMBuildMul(lowering->builder, elements, upc__constant(lowering, (int64_t)size), "");
	upc__replace(lowering, instruction, bytes);
}

/* clang subtracts addresses as integers without the division by the size that a pointer difference has. */
static bool is_pointer_difference(
	struct lowering *lowering, LLVMValueRef instruction, LLVMTypeRef left, LLVMTypeRef right)
{
	uint64_t size = upc__size(lowering, LLVMGetElementType(left)),
		 other = upc__size(lowering, LLVMGetElementType(right));
	size = other < size ? other : size;
	return size <= 1 || divisor_of(instruction) == size || division_by_variable(instruction);
}

/* What a folded address pointed to: *VALUE becomes a pointer to elements. Returns whether it was folded. */
static bool take_element(struct lowering *lowering, LLVMValueRef *value)
{
	bool folded = LLVMIsABitCastInst(*value) && upc__is_marked(lowering, *value, MARK_OWN);
	if (folded)
		*value = LLVMGetOperand(*value, 0);
	return folded;
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
	bool folded = take_element(lowering, &a);
	folded = take_element(lowering, &b) || folded; /* the divisor alone shows what they pointed to, such as rows */
	LLVMTypeRef left = LLVMTypeOf(a), right = LLVMTypeOf(b);
	if (upc__is_shared(left) && upc__is_shared(right) && upc__block(left) == upc__block(right) &&
		((folded && divisor_of(instruction) > 1) || is_pointer_difference(lowering, instruction, left, right)))
		subtract(lowering, instruction, a, b);
}
