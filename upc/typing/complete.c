/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pass over clang's tree that completes translated text. Edits are collected first, because positions are those of
 * the tree.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/translate/tokens.h"
#include "upc/typing/pass.h"

/* The context of a node during the walk. */
struct node {
	struct pass *pass;
	bool varies;    /* in the bounds of a type of variable length */
	bool is_static; /* in the initializer of a variable with static storage, which must be constant */
};

static struct upc_place start_of(const struct pass *pass, CXCursor cursor)
{
	return upc__start_of(pass->tree, cursor);
}

static struct upc_place end_of(const struct pass *pass, CXCursor cursor)
{
	return upc__end_of(pass->tree, cursor);
}

static void apply(struct pass *pass)
{
	for (int i = 0; i < pass->overwritten_count; i++)
		upc__overwrite(pass->translation, pass->overwritten[i].row, pass->overwritten[i].column,
			pass->overwritten[i].text);
	upc__insert(pass->translation, pass->insertions, pass->count);
	upc__make_generic_pointer(pass->translation);
}

static void forget(struct pass *pass)
{
	for (int i = 0; i < pass->count; i++)
		free(pass->insertions[i].text);
}

static void free_pass(struct pass *pass)
{
	clang_disposeCXCursorSet(pass->seen);
	free(pass->annotated);
	free(pass->overwritten);
	free(pass->insertions);
}

/* ---- shared void * ---- */

#define NO_INTEGER "a pointer-to-shared cannot be converted to an integer without a cast"
#define NO_ARITHMETIC "arithmetic on a pointer to 'shared void', an incomplete type"
#define NO_NUMBER "a pointer-to-shared cannot be converted to a number"

static bool is_integer(CXType type)
{
	type = clang_getCanonicalType(type);
	return type.kind >= CXType_Char_U && type.kind <= CXType_Int128;
}

static bool is_real(CXType type)
{
	type = clang_getCanonicalType(type);
	return type.kind >= CXType_Float && type.kind <= CXType_LongDouble;
}

static bool is_generic(CXCursor operand)
{
	return upc__is_generic_type(upc__operand_type(operand));
}

/* Makes text that was refused valid for clang, which then checks the text after it. */
static void neutralize(struct pass *pass, CXCursor generic)
{
	upc__wrap(pass, generic, upc__format("(unsigned long)("), upc__format(")"));
}

static void refuse_generic(struct pass *pass, CXCursor generic, struct upc_place place, const char *message)
{
	upc__refuse_place(pass, place, message);
	neutralize(pass, generic);
}

/* The position at which clang reports an implicit conversion of OPERAND in PARENT. */
static struct upc_place place_of_conversion(const struct pass *pass, CXCursor operand, CXCursor parent)
{
	struct upc_operands operands = upc__operands_of(parent);
	if (parent.kind == CXCursor_VarDecl)
		return upc__name_of(pass->tree, parent);
	if ((parent.kind == CXCursor_BinaryOperator || parent.kind == CXCursor_ConditionalOperator) &&
		operands.count > 1)
		return upc__operator_between(pass->tree, operands.list[0], operands.list[1]);
	return start_of(pass, operand);
}

/* Checks a conversion between a private pointer and a shared void *: one is OPERAND, the other its new type TO. */
static void check_private(struct pass *pass, CXCursor operand, CXCursor parent, CXType to)
{
	struct upc_operands operands = upc__operands_of(parent);
	struct upc_place place = place_of_conversion(pass, operand, parent);
	bool comparison = parent.kind == CXCursor_BinaryOperator && operands.count == 2 && upc__comparison_at(place.at);
	if (comparison || upc__is_null_constant(pass->tree, operand))
		return;
	CXString spelling = clang_getTypeSpelling(clang_getCursorType(operand)), target = clang_getTypeSpelling(to);
	char *message = upc__format("'%s' becomes '%s': this converts a %s without a cast", clang_getCString(spelling),
		clang_getCString(target),
		upc__is_generic_type(to) ? "private pointer to a pointer-to-shared"
					 : "pointer-to-shared to a private pointer");
	upc__refuse_place(pass, place, message);
	free(message);
	clang_disposeString(target);
	clang_disposeString(spelling);
}

static bool is_arithmetic(const struct pass *pass, CXCursor expression)
{
	struct upc_operands operands = upc__operands_of(expression);
	if (expression.kind == CXCursor_UnaryOperator && operands.count == 1) {
		const char *at = start_of(pass, expression).at;
		return strchr("+-~", *at) || at == start_of(pass, operands.list[0]).at; /* v++ */
	}
	if (expression.kind != CXCursor_BinaryOperator || operands.count != 2)
		return false;
	return strchr("+-*/%^&|<>", *upc__operator_between(pass->tree, operands.list[0], operands.list[1]).at);
}

/*
 * Makes an implicit conversion from or to shared void * explicit; refuses one to a number. Outside of constants, a call
 * keeps LLVM from merging two conversions.
 */
static void complete_conversion(struct pass *pass, CXCursor cursor, CXCursor parent, bool is_static)
{
	struct upc_operands operands = upc__operands_of(cursor);
	CXType to = clang_getCursorType(cursor), pointee;
	/* Other expressions, such as va_arg, have their own text. */
	if (operands.count != 1 || start_of(pass, cursor).at != start_of(pass, operands.list[0]).at)
		return;
	CXCursor operand = operands.list[0], bare = upc__bare(operand);
	CXType from = clang_getCursorType(operand);
	if (upc__points_to_shared(from, &pointee) && upc__is_generic_type(to)) {
		upc__wrap(pass, operand, upc__format("(" UPC_GENERIC ")%s(", is_static ? "" : UPC_CAST),
			upc__format(")"));
		return;
	}
	if (upc__is_generic_type(from) != upc__is_generic_type(to) &&
		(clang_getCanonicalType(from).kind == CXType_Pointer ||
			clang_getCanonicalType(to).kind == CXType_Pointer) &&
		!upc__points_to_shared(to, &pointee))
		check_private(pass, operand, parent, to);
	if (!upc__is_generic_type(from))
		return;
	if (upc__points_to_shared(to, &pointee))
		upc__wrap(pass, operand, upc__format("(unsigned long)("), upc__format(")"));
	else if (is_arithmetic(pass, bare))
		; /* refused as arithmetic */
	else if (is_real(to))
		refuse_generic(pass, operand, start_of(pass, operand), NO_NUMBER);
	else if (is_integer(to))
		refuse_generic(pass, operand, start_of(pass, operand), NO_INTEGER);
}

static void check_binary(struct pass *pass, CXCursor left, CXCursor right)
{
	struct upc_place at = upc__operator_between(pass->tree, left, right);
	bool shifts = (at.at[0] == '<' || at.at[0] == '>') && at.at[1] == at.at[0], logical = at.at[1] == at.at[0];
	CXCursor generic = is_generic(left) ? left : right, other = is_generic(left) ? right : left;
	if (!shifts && (*at.at == '<' || *at.at == '>')) {
		upc__refuse_place(pass, at, "pointers to 'shared void', an incomplete type, have no order");
		return;
	}
	if (!strchr("+-*/%^<>&|", *at.at) || (logical && !shifts))
		return;
	bool pointer = upc__operand_type(other).kind == CXType_Pointer;
	refuse_generic(pass, generic, at, pointer ? NO_INTEGER : NO_ARITHMETIC);
	if (is_generic(other))
		neutralize(pass, other);
}

/* v++, +v, ~v */
static void check_unary(struct pass *pass, CXCursor cursor, CXCursor operand)
{
	struct upc_place at = start_of(pass, cursor), end = end_of(pass, operand);
	bool postfix = at.at == start_of(pass, operand).at;
	if (postfix)
		at = end;
	if (!strchr("+-~", *at.at))
		return;
	upc__refuse_place(pass, at, NO_ARITHMETIC);
	if (at.at[0] == at.at[1])
		upc__overwrite_place(pass, at, "  ");
	else
		neutralize(pass, operand);
}

/* Refuses pointer + v, v + 1, pointer[v], (float)v, switch (v), v += 1, and the order of v and another pointer. */
static void check_generic(struct pass *pass, CXCursor cursor)
{
	struct upc_operands operands = upc__operands_of(cursor);
	bool known = operands.count > 0 && operands.count <= UPC_MOST_OPERANDS;
	CXCursor first = operands.list[0], last = operands.list[known ? operands.count - 1 : 0];
	if (!known || (!is_generic(first) && !is_generic(last)))
		return;
	switch (cursor.kind) {
	case CXCursor_SwitchStmt:
		refuse_generic(pass, first, start_of(pass, cursor), NO_NUMBER);
		break;
	case CXCursor_CStyleCastExpr:
		if (is_real(clang_getCursorType(cursor)))
			refuse_generic(pass, last, start_of(pass, cursor), NO_NUMBER);
		break;
	case CXCursor_ArraySubscriptExpr:
		refuse_generic(pass, is_generic(first) ? first : last, start_of(pass, cursor), NO_INTEGER);
		break;
	case CXCursor_CompoundAssignOperator:
		upc__refuse_place(pass, upc__operator_between(pass->tree, first, last), NO_ARITHMETIC);
		upc__overwrite_place(pass, upc__operator_between(pass->tree, first, last), " ");
		break;
	case CXCursor_UnaryOperator:
		check_unary(pass, cursor, first);
		break;
	default:
		check_binary(pass, first, last);
		break;
	}
}

/* ---- casts and sizes ---- */

/*
 * A call between a value and its cast to a pointer-to-shared makes the cast visible for the lowering, and has the sizes
 * of both elements.
 */
static void complete_cast(struct pass *pass, CXCursor cursor)
{
	struct upc_operands operands = upc__operands_of(cursor);
	CXType to, from;
	bool generic = upc__is_generic_type(clang_getCursorType(cursor));
	if (operands.count < 1 || operands.count > UPC_MOST_OPERANDS ||
		(!generic && !upc__points_to_shared(clang_getCursorType(cursor), &to)))
		return;
	CXCursor operand = operands.list[operands.count - 1];
	if (upc__bare(operand).kind == CXCursor_IntegerLiteral || upc__is_null_constant(pass->tree, operand))
		return;
	char *end = !generic && upc__points_to_shared(clang_getCursorType(operand), &from)
			    ? upc__format(", %lldL, %lldL)", upc__element_bytes(from), upc__element_bytes(to))
			    : upc__format(")");
	upc__wrap(pass, operand, upc__format(UPC_CAST "("), end);
}

/* Refuses additions before and after a cast in a static initializer: C compilers fold them into one number. */
static void check_static(struct pass *pass, CXCursor cursor)
{
	struct upc_operands operands = upc__operands_of(cursor);
	CXType pointee;
	for (int i = 0; i < operands.count && i < UPC_MOST_OPERANDS; i++) {
		CXCursor cast = upc__bare(operands.list[i]);
		if (cast.kind == CXCursor_CStyleCastExpr &&
			upc__points_to_shared(clang_getCursorType(cast), &pointee) &&
			!upc__is_null_constant(pass->tree, cast))
			upc__refuse_place(pass, start_of(pass, cast),
				"arithmetic on an address that was cast isn't supported in a static initializer: store "
				"it in a function");
	}
}

/* The affinity of a upc_forall: marks an unsigned integer, because the lowering does not see that it is unsigned. */
static void complete_affinity(struct pass *pass, CXCursor cursor)
{
	static const char name[] = "__upc_affinity(";
	struct upc_operands operands = upc__operands_of(cursor);
	struct upc_place start = start_of(pass, cursor);
	if (operands.count != 2 || strncmp(start.at, name, strlen(name)) != 0)
		return;
	CXType type = clang_getCanonicalType(clang_getCursorType(operands.list[1])), pointee;
	bool is_unsigned = type.kind == CXType_UInt || type.kind == CXType_ULong || type.kind == CXType_ULongLong;
	if (is_integer(type) || upc__is_generic_type(type) || upc__points_to_shared(type, &pointee))
		upc__append(pass, operands.list[1], upc__format(", %d", is_unsigned));
	else if (type.kind != CXType_Dependent)
		upc__refuse_place(
			pass, start, "the affinity of 'upc_forall' must be an integer or a pointer-to-shared");
}

/* ---- members ---- */

/*
 * Annotates a member at the start of its structure or union, once, because its address may look like that of the
 * structure.
 */
static void complete_member(struct pass *pass, CXCursor cursor)
{
	CXCursor field = clang_getCursorReferenced(cursor);
	if (field.kind != CXCursor_FieldDecl || clang_Cursor_isBitField(field) ||
		clang_Cursor_getOffsetOfField(field) != 0 || !upc__is_shared_place(clang_getCursorType(cursor)))
		return;
	struct upc_place end = end_of(pass, field);
	for (int i = 0; i < pass->annotated_count; i++)
		if (pass->annotated[i] == end.at)
			return;
	pass->annotated = upc__grow(pass->annotated, pass->annotated_count, sizeof *pass->annotated);
	pass->annotated[pass->annotated_count++] = end.at;
	upc__append(pass, field, upc__format(" __attribute__((annotate(\"" UPC_MEMBER "\")))"));
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct node *outer = data, node = *outer;
	if (clang_isExpression(cursor.kind) && !clang_CXCursorSet_insert(node.pass->seen, cursor))
		return CXChildVisit_Continue;
	switch (cursor.kind) {
	case CXCursor_VarDecl:
		node.is_static = clang_getCursorSemanticParent(cursor).kind == CXCursor_TranslationUnit ||
				 clang_Cursor_getStorageClass(cursor) == CX_SC_Static;
		if (upc__check_spread(node.pass, cursor))
			upc__check_bounds(node.pass, cursor);
		node.varies = upc__varies(clang_getCursorType(cursor));
		break;
	case CXCursor_TypedefDecl:
		if (upc__check_spread(node.pass, cursor))
			upc__check_bounds(node.pass, cursor);
		node.varies = upc__varies(clang_getTypedefDeclUnderlyingType(cursor));
		break;
	case CXCursor_ParmDecl:
		node.varies = upc__varies(clang_getCursorType(cursor));
		break;
	case CXCursor_IntegerLiteral:
		if (node.varies)
			upc__keep_threads(node.pass, cursor);
		break;
	case CXCursor_UnexposedExpr:
		complete_conversion(node.pass, cursor, parent, node.is_static);
		upc__check_atomic(node.pass, cursor);
		break;
	case CXCursor_ArraySubscriptExpr:
		if (node.is_static)
			check_static(node.pass, cursor);
		else
			upc__complete_index(node.pass, cursor);
		check_generic(node.pass, cursor);
		break;
	case CXCursor_CompoundAssignOperator:
		upc__complete_index(node.pass, cursor);
		check_generic(node.pass, cursor);
		upc__check_atomic(node.pass, cursor);
		break;
	case CXCursor_SwitchStmt:
	case CXCursor_UnaryOperator:
		upc__complete_increment(node.pass, cursor);
		check_generic(node.pass, cursor);
		upc__check_atomic(node.pass, cursor);
		break;
	case CXCursor_BinaryOperator:
		check_generic(node.pass, cursor);
		upc__check_atomic(node.pass, cursor);
		upc__complete_operator(node.pass, cursor, node.is_static);
		upc__complete_upc_size(node.pass, cursor);
		if (node.is_static)
			check_static(node.pass, cursor);
		else
			upc__complete_index(node.pass, cursor);
		break;
	case CXCursor_CStyleCastExpr:
		node.varies = upc__varies(clang_getCursorType(cursor));
		check_generic(node.pass, cursor);
		if (!node.is_static)
			complete_cast(node.pass, cursor);
		break;
	case CXCursor_MemberRefExpr:
		complete_member(node.pass, cursor);
		break;
	case CXCursor_CallExpr:
		complete_affinity(node.pass, cursor);
		upc__complete_arguments(node.pass, cursor);
		break;
	case CXCursor_UnaryExpr:
		node.varies = upc__complete_size(node.pass, cursor);
		break;
	default:
		break;
	}
	clang_visitChildren(cursor, visit, &node);
	return CXChildVisit_Continue;
}

void upc__complete(const struct upc_tree *tree, struct upc_translation *translation, const struct upc_completing *how)
{
	struct pass pass = {.tree = tree,
		.translation = translation,
		.static_threads = how->static_threads,
		.has_factor = strstr(tree->text, UPC_THREADS_TEXT),
		.refuse = how->refuse,
		.context = how->context,
		.seen = clang_createCXCursorSet()};
	struct node root = {.pass = &pass};
	upc__walk(tree, visit, &root);
	if (translation->has_constants && !how->has_errors)
		upc__refuse_unknown_sizes(&pass);
	(how->has_errors ? forget : apply)(&pass);
	free_pass(&pass);
}
