/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structures in shared memory. Where they are passed by value, clang generates code that has forgotten where they are:
 * calls that read their arguments themselves.
 */
#include "upc/translate/tokens.h"
#include "upc/typing/pass.h"

/*
 * The operand of a comma is read as it is where it is assigned: at once, and strictly if it is strict. An argument that
 * is an object, clang hands on by its address, or reads in parts.
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
