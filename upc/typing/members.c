/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The address of a part of an element has an indefinite block size in UPC. In clang it has the block size of the
 * structure, and clang refuses to convert it. Finds such addresses in a tree with these errors, and casts them.
 */
#include <stdlib.h>

#include "upc/translate/tokens.h"
#include "upc/typing/tree.h"

struct caster {
	const struct upc_tree *tree;
	struct upc_insertion *insertions;
	int count;
};

/* The context of an expression. */
struct surroundings {
	struct caster *caster;
	CXType result;   /* of the function */
	CXType target;   /* the type to which the expression is converted, if known */
	bool is_refused; /* clang has refused the expression that consists of this one and the next ones */
	bool is_list;    /* an initializer in braces */
	int operand;     /* how many of these expressions were visited */
	CXType first;    /* the type of the first one: the function that is called, or the object that is assigned to */
};

/* What the pointer EXPRESSION, or the array EXPRESSION as a pointer, points to; otherwise an invalid type. */
static CXType pointed_to(CXCursor expression)
{
	CXType type = clang_getCursorType(expression),
	       element = clang_getArrayElementType(clang_getCanonicalType(type));
	return element.kind != CXType_Invalid ? element : clang_getPointeeType(type);
}

/* clang's block size of that pointer. */
static int block_of_pointer(CXCursor expression)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(expression));
	return upc__block_of(type.kind == CXType_Pointer ? clang_getPointeeType(type) : type);
}

/* Returns true if types are equal except for qualifiers. */
static bool are_alike(CXType a, CXType b)
{
	CXType inner_a = clang_getUnqualifiedType(upc__innermost(clang_getCanonicalType(a)));
	CXType inner_b = clang_getUnqualifiedType(upc__innermost(clang_getCanonicalType(b)));
	return clang_equalTypes(inner_a, inner_b) && clang_Type_getSizeOf(a) == clang_Type_getSizeOf(b);
}

/* Returns true if EXPRESSION, the address of a part of an element, may be converted to TARGET. */
static bool fits(CXCursor expression, CXType target)
{
	CXType pointee;
	if (clang_getCanonicalType(target).kind != CXType_Pointer)
		return true;
	return upc__points_to_shared(target, &pointee) && upc__block_of(pointee) == 0 &&
	       are_alike(pointee, pointed_to(expression));
}

static void insert(struct caster *caster, struct upc_place place, bool is_end, char *text)
{
	caster->insertions = upc__grow(caster->insertions, caster->count, sizeof *caster->insertions);
	struct upc_insertion *insertion = &caster->insertions[caster->count++];
	*insertion = (struct upc_insertion){.row = place.row, .column = place.column, .is_end = is_end};
	insertion->text = text;
}

/* Casts EXPRESSION to a pointer to the same type, of indefinite block size. */
static void cast(struct caster *caster, CXCursor expression)
{
	CXType type = pointed_to(expression);
	CXString spelling = clang_getTypeSpelling(clang_getUnqualifiedType(type));
	insert(caster, upc__start_of(caster->tree, expression), false,
		upc__format("((%s%s__attribute__((address_space(%d))) __typeof__(%s) *)(",
			clang_isConstQualifiedType(type) ? "const " : "",
			clang_isVolatileQualifiedType(type) ? "volatile " : "", UPC_SPACE, clang_getCString(spelling)));
	insert(caster, upc__end_of(caster->tree, expression), true, upc__format("))"));
	clang_disposeString(spelling);
}

/* The type to which the next operand of a refused expression would be converted. */
static CXType next_target(struct surroundings *around, CXCursor operand)
{
	CXType pointee = clang_getPointeeType(around->first);
	CXType function = pointee.kind == CXType_Invalid ? around->first : pointee;
	int i = around->operand++;
	if (around->is_list)
		return around->target;
	if (i == 0)
		around->first = clang_getCanonicalType(clang_getCursorType(operand));
	if (i == 0)
		return around->target;
	return clang_getNumArgTypes(function) > i - 1 ? clang_getArgType(function, (unsigned)i - 1) : around->first;
}

/* Returns true if EXPRESSION is the address of a part of an element, and clang assigns it a definite block size. */
static bool is_misjudged(const struct upc_tree *tree, CXCursor expression)
{
	return pointed_to(expression).kind != CXType_Invalid && !upc__is_read(tree, expression) &&
	       upc__is_inner(tree, expression) && block_of_pointer(expression) > 0;
}

/* Returns true for a refused expression, which has no type; a refused return value has that of the function. */
static bool is_refused(CXCursor cursor)
{
	CXType type = clang_getCursorType(cursor), pointee;
	return cursor.kind == CXCursor_UnexposedExpr &&
	       (type.kind == CXType_Dependent ||
		       (upc__points_to_shared(type, &pointee) && upc__block_of(pointee) == 0));
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct surroundings *around = data, own = {.caster = around->caster, .result = around->result};
	CXType type = clang_getCursorType(cursor);
	(void)parent;
	own.target = around->target;
	if (around->is_refused && clang_isExpression(cursor.kind)) {
		own.target = next_target(around, cursor);
		if (is_misjudged(own.caster->tree, cursor)) {
			if (fits(cursor, own.target))
				cast(own.caster, cursor);
			return CXChildVisit_Continue;
		}
	}
	if (cursor.kind == CXCursor_FunctionDecl)
		own.result = clang_getResultType(type);
	else if (cursor.kind == CXCursor_VarDecl)
		own.target = type;
	else if (cursor.kind == CXCursor_ReturnStmt)
		own.target = own.result;
	else if (cursor.kind == CXCursor_InitListExpr)
		own.target = clang_getArrayElementType(clang_getCanonicalType(type));
	/* A designator has the type void. */
	own.is_list = cursor.kind == CXCursor_InitListExpr || type.kind == CXType_Void;
	own.is_refused = is_refused(cursor) || (around->is_refused && own.is_list);
	clang_visitChildren(cursor, visit, &own);
	return CXChildVisit_Continue;
}

bool upc__cast_members(const struct upc_tree *tree, struct upc_translation *translation)
{
	struct caster caster = {.tree = tree};
	struct surroundings root = {.caster = &caster};
	upc__walk(tree, visit, &root);
	upc__insert(translation, caster.insertions, caster.count);
	free(caster.insertions);
	return caster.count > 0;
}
