/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structures and atomic objects in shared memory. For both, clang generates code that has lost the address space: calls
 * that read their arguments themselves, and calls of a library whose locks work within one process only.
 */
#include <string.h>

#include "upc/translate/tokens.h"
#include "upc/typing/pass.h"

/*
 * clang passes an argument that is an object by its address, or reads it in parts. The operand of a comma is read like
 * that of an assignment: at once, and strictly if it is strict.
 */
void upc__complete_arguments(struct pass *pass, CXCursor call)
{
	int count = clang_Cursor_getNumArguments(call);
	for (int i = 0; i < count; i++) {
		CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
		bool structure = clang_getCanonicalType(clang_getCursorType(argument)).kind == CXType_Record;
		if (structure && argument.kind == CXCursor_UnexposedExpr &&
			upc__is_shared_place(upc__operand_type(argument)))
			upc__wrap(pass, argument, upc__format("((void)0, "), upc__format(")"));
	}
}

static bool has_atomic_size(CXType type)
{
	long long size = clang_Type_getSizeOf(type);
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Returns true for built-in functions, for which libclang has no kind; their first operand is the address. */
static bool is_built_in(const char *text)
{
	return strncmp(text, "__atomic_", 9) == 0 || strncmp(text, "__c11_atomic_", 13) == 0;
}

void upc__check_atomic(struct pass *pass, CXCursor expression)
{
	struct upc_operands operands = upc__operands_of(expression);
	struct upc_place at = upc__start_of(pass->tree, expression);
	if (operands.count == 0 || (expression.kind == CXCursor_UnaryOperator && *at.at == '&'))
		return;
	CXCursor first = operands.list[0];
	CXType object = clang_getCanonicalType(clang_getCursorType(first));
	bool built_in = expression.kind == CXCursor_UnexposedExpr && is_built_in(at.at);
	if (built_in ? !upc__points_to_shared(upc__operand_type(first), &object)
		     : object.kind != CXType_Atomic || !upc__is_shared_place(object))
		return;
	if (operands.count > 1 && !built_in)
		at = upc__operator_between(pass->tree, first, operands.list[1]);
	if (!has_atomic_size(object))
		upc__refuse_place(pass, at, UPC_ATOMIC_SIZES);
}
