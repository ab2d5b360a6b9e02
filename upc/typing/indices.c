/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks indices that step over elements, and so over threads, with the size of an element: clang may compute addresses
 * in bytes. Indices within an element, or within one thread, are not marked.
 */
#include <stdlib.h>
#include <string.h>

#include "upc/translate/tokens.h"
#include "upc/typing/pass.h"

#define ONE UPC_INDEX "(1, %lldL)"

static bool is_pointer(CXCursor expression)
{
	return clang_getCanonicalType(clang_getCursorType(expression)).kind == CXType_Pointer;
}

/* The size of the elements that indices of POINTER step over; 0: none. */
static long long stepped_bytes(const struct pass *pass, CXCursor pointer, bool is_place)
{
	CXType pointee;
	if (!upc__points_to_shared(clang_getCursorType(pointer), &pointee) || upc__block_of(pointee) == 0 ||
		(!is_place && upc__is_inner(pass->tree, pointer)))
		return 0;
	long long bytes = upc__element_bytes(pointee);
	return bytes > 0 ? bytes : 0;
}

/*
 * `array[3]`, whose address is a constant: the lowering derives its place from the variable's type, and clang checks
 * bounds.
 */
static bool is_constant(CXCursor pointer, CXCursor index)
{
	struct upc_operands operands = upc__operands_of(index);
	if (index.kind == CXCursor_UnaryOperator && operands.count == 1)
		index = operands.list[0];
	return upc__bare(pointer).kind == CXCursor_DeclRefExpr && upc__bare(index).kind == CXCursor_IntegerLiteral &&
	       clang_getArrayElementType(clang_getCanonicalType(clang_getCursorType(upc__bare(pointer)))).kind !=
		       CXType_Invalid;
}

void upc__complete_index(struct pass *pass, CXCursor cursor)
{
	struct upc_operands operands = upc__operands_of(cursor);
	if (operands.count != 2 || is_constant(operands.list[0], operands.list[1]))
		return;
	CXCursor first = operands.list[0], second = operands.list[1];
	if (is_pointer(first) == is_pointer(second) ||
		(cursor.kind != CXCursor_ArraySubscriptExpr &&
			!strchr("+-", *upc__operator_between(pass->tree, first, second).at)))
		return;
	long long bytes =
		stepped_bytes(pass, is_pointer(first) ? first : second, cursor.kind == CXCursor_CompoundAssignOperator);
	if (bytes > 0)
		upc__wrap(pass, is_pointer(first) ? second : first, upc__format(UPC_INDEX "((long)("),
			upc__format("), %lldL)", bytes));
}

/*
 * If a step is over several elements, `row++` is rewritten as `row += 1`, which has an index to mark. In an expression
 * with ?:, clang does not show that its value is unused.
 */
void upc__complete_increment(struct pass *pass, CXCursor cursor)
{
	struct upc_operands operands = upc__operands_of(cursor);
	CXType pointee;
	if (operands.count != 1 || !upc__points_to_shared(clang_getCursorType(operands.list[0]), &pointee) ||
		clang_getArrayElementType(clang_getCanonicalType(pointee)).kind == CXType_Invalid)
		return;
	long long bytes = stepped_bytes(pass, operands.list[0], true);
	struct upc_place start = upc__start_of(pass->tree, cursor), end = upc__end_of(pass->tree, operands.list[0]);
	bool postfix = start.at == upc__start_of(pass->tree, operands.list[0]).at;
	const char *sign = postfix ? end.at : start.at;
	if (bytes == 0 || (*sign != '+' && *sign != '-'))
		return;
	upc__overwrite_place(pass, postfix ? end : start, !postfix ? "  " : *sign == '+' ? "+=" : "-=");
	if (!postfix) {
		upc__wrap(pass, operands.list[0], upc__format("("), upc__format(" %c= " ONE ")", *sign, bytes));
		return;
	}
	char *row = upc__text_of(pass->tree, operands.list[0]);
	upc__wrap(pass, cursor, upc__format("(1 ? ("),
		upc__format(" " ONE ") %c " ONE " : (%s += 0))", bytes, *sign == '+' ? '-' : '+', bytes, row));
	free(row);
}
