/* SPDX-License-Identifier: BSD-3-Clause */
/* Differences and comparisons of pointers-to-shared. */
#include <stdlib.h>
#include <string.h>

#include "upc/translate/tokens.h"
#include "upc/typing/pass.h"

/*
 * The numbers by which the lowering subtracts pointers to POINTEE: the size of an element, and the number of elements
 * of the pointed-to type. For an array of variable length, the latter is an expression of its size. The caller frees
 * the text.
 */
static char *sizes_of(const struct pass *pass, CXCursor pointer, CXType pointee)
{
	long long element = upc__element_bytes(pointee), whole = clang_Type_getSizeOf(pointee);
	if (whole >= 0 || element <= 0)
		return upc__format("%lldL, %lldL", element, element > 0 ? whole / element : 1);
	char *operand = upc__text_of(pass->tree, pointer);
	char *sizes = upc__format("%lldL, (long)(sizeof *(%s) / %lldUL)", element, operand, element);
	free(operand);
	return sizes;
}

/*
 * In a comparison, clang converts the right pointer to the type of the left one; UPC does not. The address of a member
 * has an indefinite block size.
 */
static void check_comparison(struct pass *pass, struct upc_place at, CXCursor left, CXCursor right)
{
	CXType left_type = upc__operand_type(left), right_type = upc__operand_type(right);
	int left_block = upc__effective_block(pass->tree, left), right_block = upc__effective_block(pass->tree, right);
	bool left_generic = upc__is_generic_type(left_type), right_generic = upc__is_generic_type(right_type);
	bool is_order = *at.at == '<' || *at.at == '>';
	/* A shared void * fits any block size. It has no order, but that is refused elsewhere. */
	bool fits = left_generic || right_generic
			    ? is_order || left_generic == right_generic || left_block >= 0 || right_block >= 0
			    : left_block == right_block;
	if (fits || (!left_generic && left_type.kind != CXType_Pointer) ||
		(!right_generic && right_type.kind != CXType_Pointer) || upc__is_null_constant(pass->tree, left) ||
		upc__is_null_constant(pass->tree, right))
		return;
	upc__refuse_place(pass, at,
		left_block < 0 || right_block < 0
			? "comparison of a private pointer and a pointer-to-shared, without a cast"
			: "comparison of pointers-to-shared with different block sizes, without a cast");
}

/*
 * a - b becomes __upc_difference(a, b, ...), a < b becomes (__upc_order(a, b, ...) < 0), because the lowering cannot
 * see element sizes. The operator is replaced by a comma.
 */
static void complete_order(
	struct pass *pass, CXCursor cursor, struct upc_place at, const struct upc_operands *operands, const char *order)
{
	CXType left, right;
	if (!upc__points_to_shared(upc__operand_type(operands->list[0]), &left) ||
		!upc__points_to_shared(upc__operand_type(operands->list[1]), &right))
		return;
	if (order && (upc__element_bytes(left) < 0 || upc__element_bytes(right) < 0)) {
		upc__refuse_place(pass, at,
			"pointers to a shared structure, an incomplete type, have no order"); /* UPC 1.3, 6.4.2p2 */
		return;
	}
	char *sizes = sizes_of(pass, operands->list[0], left);
	upc__wrap(pass, cursor, upc__format(order ? "(__upc_order(" : "__upc_difference("),
		order ? upc__format(", %s) %s 0)", sizes, order) : upc__format(", %s)", sizes));
	upc__overwrite_place(pass, at, order && order[1] ? ", " : ",");
	free(sizes);
}

const char *upc__comparison_at(const char *at)
{
	static const char *const comparisons[] = {"<=", ">=", "==", "!=", "<", ">"};
	bool shifts = (*at == '<' || *at == '>') && at[1] == *at;
	for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons && !shifts; i++)
		if (strncmp(at, comparisons[i], strlen(comparisons[i])) == 0)
			return comparisons[i];
	return NULL;
}

void upc__complete_operator(struct pass *pass, CXCursor cursor, bool is_static)
{
	struct upc_operands operands = upc__operands_of(cursor);
	if (operands.count != 2)
		return;
	struct upc_place at = upc__operator_between(pass->tree, operands.list[0], operands.list[1]);
	const char *comparison = upc__comparison_at(at.at);
	if (comparison)
		check_comparison(pass, at, operands.list[0], operands.list[1]);
	bool order = comparison && *comparison != '=' && *comparison != '!';
	if (!is_static && (order || *at.at == '-'))
		complete_order(pass, cursor, at, &operands, comparison);
}
