/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arithmetic, conversion and comparison of pointers-to-shared. Indices follow the blocked layout over the threads up to
 * the first structure member; after it they are linear, since an element as a whole has affinity to one thread.
 */
#include <string.h>

#include "upc/abi.h"
#include "upc/lower/lowering.h"
#include "upc/translate/translate.h"

/* Returns true if a pointer is inside an element: marked so, or chosen (?:) from such pointers. */
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

void upc__lower_element(struct lowering *lowering, LLVMValueRef instruction)
{
	struct upc_step step;
	if (!upc__read_step(instruction, &step))
		return;
	unsigned block = upc__block(LLVMTypeOf(step.pointer));
	bool inside = step.inside || is_inside(lowering, step.pointer, 0);
	LLVMValueRef result = upc__as_integer(lowering, step.pointer), index = step.index;
	if (step.unit != 1)
		index = LLVMBuildMul(lowering->builder, index, upc__number(lowering, step.unit), "");
	result = upc__add(lowering, result, index, step.size, inside ? 0 : block);
	result = upc__as_pointer(lowering, result, LLVMTypeOf(instruction));
	if (inside)
		upc__mark(lowering, result, MARK_INSIDE);
	upc__replace(lowering, instruction, result);
}

static LLVMValueRef without_phase(struct lowering *lowering, LLVMValueRef integer)
{
	return LLVMBuildAnd(lowering->builder, integer, upc__constant(lowering, UPCRT_ADDRESS_MASK), "");
}

/* The operand of an explicit cast, which the translator marks; NULL: another conversion. */
static LLVMValueRef cast_value(LLVMValueRef pointer)
{
	if (!LLVMIsACallInst(pointer) || LLVMGetNumArgOperands(pointer) == 0)
		return NULL;
	LLVMValueRef function = LLVMGetCalledValue(pointer);
	while (LLVMIsAConstantExpr(function) && LLVMGetConstOpcode(function) == LLVMBitCast)
		function = LLVMGetOperand(function, 0);
	size_t length;
	bool cast = LLVMIsAFunction(function) && strcmp(LLVMGetValueName2(function, &length), UPC_CAST) == 0;
	return cast ? LLVMGetArgOperand(pointer, 0) : NULL;
}

/*
 * A cast to another block size or element size, or of a member's address, sets phase 0. The typing pass adds both sizes
 * to CALL.
 */
static LLVMValueRef recast(struct lowering *lowering, LLVMValueRef call, LLVMTypeRef to)
{
	LLVMValueRef pointer = LLVMGetArgOperand(call, 0), old = LLVMGetArgOperand(call, 1),
		     new = LLVMGetArgOperand(call, 2);
	LLVMTypeRef from = LLVMTypeOf(pointer);
	bool inside = is_inside(lowering, pointer, 0);
	LLVMValueRef integer = upc__as_integer(lowering, pointer);
	if (upc__block(from) > 1 && (inside || upc__block(from) != upc__block(to) || old != new))
		integer = without_phase(lowering, integer);
	return upc__as_pointer(lowering, integer, to);
}

/* Converts to another pointer-to-shared, or to or from shared void *, which keeps the phase if it is not a member's. */
static LLVMValueRef converted(struct lowering *lowering, LLVMValueRef pointer, LLVMTypeRef to)
{
	LLVMTypeRef from = LLVMTypeOf(pointer);
	LLVMValueRef integer = upc__as_integer(lowering, pointer);
	bool keeps;
	if (upc__is_generic(from))
		keeps = upc__is_generic(to) || upc__block(to) > 1;
	else
		keeps = upc__block(from) <= 1 || (upc__is_generic(to) && !is_inside(lowering, pointer, 0));
	return upc__as_pointer(lowering, keeps ? integer : without_phase(lowering, integer), to);
}

/* Lowers an explicit cast of a pointer-to-shared, of a shared void *, or of something that cannot be cast. */
static void cast_explicitly(struct lowering *lowering, LLVMValueRef instruction, LLVMValueRef from)
{
	LLVMTypeRef to = LLVMTypeOf(instruction), type = LLVMTypeOf(from);
	LLVMValueRef call = LLVMGetOperand(instruction, 0), made = LLVMConstNull(to);
	if (upc__is_generic(type) || (upc__is_shared(type) && upc__is_generic(to))) {
		made = converted(lowering, from, to);
	} else if (upc__is_shared(type)) {
		made = recast(lowering, call, to);
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
	bool from_shared = upc__is_shared(from) || upc__is_generic(from),
	     to_shared = upc__is_shared(to) || upc__is_generic(to);
	if (!from_shared && !to_shared)
		return;
	if (from_shared && to_shared) {
		upc__replace(lowering, instruction, converted(lowering, pointer, to));
		return;
	}
	if (from_shared) {
		LLVMValueRef integer = upc__as_integer(lowering, pointer);
		LLVMValueRef address = upc__call(lowering, "__upci_to_private", &integer, 1);
		upc__replace(lowering, instruction, address);
		return;
	}
	if (cast_value(pointer)) {
		cast_explicitly(lowering, instruction, cast_value(pointer));
		return;
	}
	if (!LLVMIsNull(pointer))
		upc__refuse_at(lowering, instruction, "a private pointer cannot be converted to %s",
			upc__is_generic(to) ? "'shared void *'" : "a pointer-to-shared");
	upc__replace(lowering, instruction, LLVMConstNull(to));
}

/* The shared void * that the typing pass has converted to INTEGER; NULL: INTEGER is another integer. */
static LLVMValueRef generic_of(LLVMValueRef integer)
{
	bool converted = LLVMIsAPtrToIntInst(integer) ||
			 (LLVMIsAConstantExpr(integer) && LLVMGetConstOpcode(integer) == LLVMPtrToInt);
	LLVMValueRef from = converted ? LLVMGetOperand(integer, 0) : NULL;
	return from && upc__is_generic(LLVMTypeOf(from)) ? from : NULL;
}

/* Returns true if VALUE is an _Atomic pointer, which clang loads as an integer. */
static bool is_atomic_pointer(LLVMValueRef value)
{
	return LLVMIsALoadInst(value) && LLVMGetOrdering(value) != LLVMAtomicOrderingNotAtomic;
}

/* Converts a shared void * implicitly. Other integers cannot become pointers-to-shared. */
static void cast_integer(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMTypeRef to = LLVMTypeOf(instruction);
	LLVMValueRef integer = LLVMGetOperand(instruction, 0), generic = generic_of(integer);
	if ((!upc__is_shared(to) && !upc__is_generic(to)) || upc__is_marked(lowering, instruction, MARK_OWN) ||
		is_atomic_pointer(integer))
		return;
	if (generic && upc__is_shared(to))
		upc__replace(lowering, instruction, converted(lowering, generic, to));
	else
		upc__refuse_at(lowering, instruction, "an integer cannot be converted to %s",
			upc__is_generic(to) ? "'shared void *'" : "a pointer-to-shared");
}

void upc__lower_cast(struct lowering *lowering, LLVMValueRef instruction)
{
	if (LLVMGetInstructionOpcode(instruction) == LLVMAddrSpaceCast)
		cast_spaces(lowering, instruction);
	else
		cast_integer(lowering, instruction);
}

/* The arguments that the typing pass adds to a difference or order of pointers. */
enum difference_argument {
	DIFFERENCE_ELEMENT = 2, /* its size */
	DIFFERENCE_COUNT = 3,   /* of elements in what the pointers point to, such as a row */
};

void upc__lower_difference(struct lowering *lowering, LLVMValueRef call, const char *name)
{
	LLVMValueRef a = LLVMGetArgOperand(call, 0), b = LLVMGetArgOperand(call, 1);
	LLVMValueRef count = LLVMGetArgOperand(call, DIFFERENCE_COUNT);
	bool inside = is_inside(lowering, a, 0) || is_inside(lowering, b, 0);
	LLVMValueRef arguments[] = {upc__as_integer(lowering, a), upc__as_integer(lowering, b),
		LLVMGetArgOperand(call, DIFFERENCE_ELEMENT),
		upc__constant(lowering, inside ? 0 : upc__block(LLVMTypeOf(a)))};
	LLVMValueRef elements = upc__call(lowering, "__upci_difference", arguments, 4);
	bool divides = *name == 'd' && !(LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1);
	if (divides)
		elements = LLVMBuildSDiv(lowering->builder, elements, upc__size_at_run_time(lowering, count), "");
	upc__replace(lowering, call, elements);
}

/* Phases do not affect equality; a null pointer has none. */
static void compare_addresses(struct lowering *lowering, LLVMValueRef instruction, LLVMValueRef a, LLVMValueRef b)
{
	LLVMIntPredicate predicate = LLVMGetICmpPredicate(instruction);
	LLVMTypeRef type = LLVMTypeOf(a);
	if (LLVMIsNull(a) || LLVMIsNull(b))
		return;
	if (upc__is_shared(type) && upc__block(type) <= 1)
		return;
	a = without_phase(lowering, upc__as_integer(lowering, a));
	b = without_phase(lowering, upc__as_integer(lowering, b));
	upc__replace(lowering, instruction, LLVMBuildICmp(lowering->builder, predicate, a, b, ""));
}

void upc__lower_comparison(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMValueRef a = LLVMGetOperand(instruction, 0), b = LLVMGetOperand(instruction, 1);
	if (!upc__is_shared(LLVMTypeOf(a)) && !upc__is_generic(LLVMTypeOf(a)))
		return;
	LLVMIntPredicate predicate = LLVMGetICmpPredicate(instruction);
	if (predicate != LLVMIntEQ && predicate != LLVMIntNE) /* the typing pass does not see directives */
		upc__refuse_at(lowering, instruction,
			"pointers-to-shared cannot be compared in an OpenMP directive: compare them before it");
	compare_addresses(lowering, instruction, a, b);
}
