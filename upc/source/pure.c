/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of other files that only compute a result from their arguments: their bodies use nothing but arguments,
 * their own variables and constants, and call only such functions, or ones that the reader of the tree has to know.
 */
#include <stdlib.h>
#include <string.h>

#include "upc/source/names.h"
#include "upc/typing/tree.h"

struct body {
	CXString *called;
	int called_count;
	bool pure;
};

static bool is_own(CXCursor variable)
{
	enum CX_StorageClass storage = clang_Cursor_getStorageClass(variable);
	return clang_getCursorSemanticParent(variable).kind == CXCursor_FunctionDecl && storage != CX_SC_Static &&
	       storage != CX_SC_Extern;
}

/* Returns true for integers and floating-point numbers that are not volatile. */
static bool is_number(CXType type)
{
	type = clang_getCanonicalType(type);
	return ((type.kind >= CXType_Bool && type.kind <= CXType_LongDouble) || type.kind == CXType_Enum) &&
	       !clang_isVolatileQualifiedType(type);
}

static bool is_name(CXCursor name)
{
	CXCursor referenced = clang_getCursorReferenced(name);
	bool variable = referenced.kind == CXCursor_VarDecl || referenced.kind == CXCursor_ParmDecl;
	return referenced.kind == CXCursor_EnumConstantDecl || (variable && is_own(referenced));
}

static bool is_allowed(CXCursor cursor)
{
	switch (cursor.kind) {
	case CXCursor_DeclRefExpr:
		return is_name(cursor) && is_number(clang_getCursorType(cursor));
	case CXCursor_VarDecl:
		return is_own(cursor) && is_number(clang_getCursorType(cursor));
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_ParenExpr:
	case CXCursor_UnaryOperator:
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
	case CXCursor_ConditionalOperator:
	case CXCursor_CStyleCastExpr:
	case CXCursor_UnexposedExpr:
		return is_number(clang_getCursorType(cursor));
	case CXCursor_UnaryExpr: /* sizeof */
	case CXCursor_TypeRef:
	case CXCursor_CompoundStmt:
	case CXCursor_DeclStmt:
	case CXCursor_NullStmt:
	case CXCursor_IfStmt:
	case CXCursor_WhileStmt:
	case CXCursor_DoStmt:
	case CXCursor_ForStmt:
	case CXCursor_SwitchStmt:
	case CXCursor_CaseStmt:
	case CXCursor_DefaultStmt:
	case CXCursor_BreakStmt:
	case CXCursor_ContinueStmt:
	case CXCursor_ReturnStmt:
		return true;
	default:
		return false;
	}
}

static enum CXChildVisitResult visit_body(CXCursor cursor, CXCursor parent, CXClientData data);

static enum CXChildVisitResult visit_call(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct body *body = data;
	CXCursor called = clang_getCursorReferenced(parent);
	if (clang_equalCursors(clang_getCursorReferenced(cursor), called))
		return CXChildVisit_Continue;
	body->pure &= visit_body(cursor, parent, data) != CXChildVisit_Break;
	return body->pure ? CXChildVisit_Continue : CXChildVisit_Break;
}

static enum CXChildVisitResult visit_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct body *body = data;
	(void)parent;
	if (cursor.kind == CXCursor_CallExpr) {
		CXCursor called = clang_getCursorReferenced(cursor);
		body->pure &= called.kind == CXCursor_FunctionDecl && is_number(clang_getCursorType(cursor));
		body->called = upc__grow(body->called, body->called_count, sizeof *body->called);
		body->called[body->called_count++] = clang_getCursorSpelling(called);
		clang_visitChildren(cursor, visit_call, body);
	} else {
		body->pure &= is_allowed(cursor);
		if (body->pure)
			clang_visitChildren(cursor, visit_body, body);
	}
	return body->pure ? CXChildVisit_Continue : CXChildVisit_Break;
}

static enum CXChildVisitResult take_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
	if (cursor.kind == CXCursor_CompoundStmt)
		visit_body(cursor, parent, data);
	return CXChildVisit_Continue;
}

void upc__write_pure(FILE *out, CXCursor function)
{
	struct body body = {.pure = clang_Cursor_isVariadic(function) == 0};
	clang_visitChildren(function, take_body, &body);
	if (body.pure) {
		CXString name = clang_getCursorSpelling(function);
		fprintf(out, "p %s", clang_getCString(name));
		for (int i = 0; i < body.called_count; i++)
			fprintf(out, " %s", clang_getCString(body.called[i]));
		fputc('\n', out);
		clang_disposeString(name);
	}
	for (int i = 0; i < body.called_count; i++)
		clang_disposeString(body.called[i]);
	free(body.called);
}
