/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes clang's tree of translated text, and reads messages and types from it. Changes no text. */
#include "upc/typing/tree.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "upc/translate/tokens.h"

/* Hides standard error: if clang crashes, libclang prints messages of its own. */
static int hide_errors(void)
{
	int kept = dup(STDERR_FILENO), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (kept >= 0 && nothing >= 0)
		dup2(nothing, STDERR_FILENO);
	if (nothing >= 0)
		close(nothing);
	return kept;
}

static void show_errors(int kept)
{
	if (kept < 0)
		return;
	dup2(kept, STDERR_FILENO);
	close(kept);
}

struct upc_tree *upc__parse(
	const struct upc_translation *translation, const char *file, const char *const *options, int option_count)
{
	struct upc_tree *tree = calloc(1, sizeof *tree);
	if (!tree)
		exit(1);
	struct CXUnsavedFile text = {file, translation->text, strlen(translation->text)};
	tree->text = translation->text;
	tree->index = clang_createIndex(0, 0);
	int kept = hide_errors();
	bool parsed = clang_parseTranslationUnit2(tree->index, file, options, option_count, &text, 1,
			      CXTranslationUnit_IncludeAttributedTypes, &tree->unit) == CXError_Success;
	show_errors(kept);
	if (parsed)
		return tree;
	tree->unit = NULL;
	upc__tree_free(tree);
	return NULL;
}

void upc__tree_free(struct upc_tree *tree)
{
	if (!tree)
		return;
	if (tree->unit)
		clang_disposeTranslationUnit(tree->unit);
	clang_disposeIndex(tree->index);
	free(tree);
}

/* ---- messages ---- */

static const char *level_of(CXDiagnostic diagnostic)
{
	switch (clang_getDiagnosticSeverity(diagnostic)) {
	case CXDiagnostic_Fatal:
		return "fatal error";
	case CXDiagnostic_Error:
		return "error";
	default:
		return "warning";
	}
}

/* The text with the option that controls it, as clang prints it. */
static void read_text(CXDiagnostic diagnostic, struct upc_message *message)
{
	CXString text = clang_getDiagnosticSpelling(diagnostic), option = clang_getDiagnosticOption(diagnostic, NULL);
	const char *name = clang_getCString(option);
	bool has_option = name && *name != '\0';
	snprintf(message->text, sizeof message->text, "%s%s%s%s", clang_getCString(text), has_option ? " [" : "",
		has_option ? name : "", has_option ? "]" : "");
	clang_disposeString(option);
	clang_disposeString(text);
}

static void read_message(CXDiagnostic diagnostic, struct upc_message *message)
{
	unsigned line = 0, column = 0, row = 0;
	CXString file;
	*message = (struct upc_message){.level = level_of(diagnostic)};
	clang_getPresumedLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, &column);
	const char *name = clang_getCString(file);
	snprintf(message->file, sizeof message->file, "%s", name ? name : "");
	clang_disposeString(file);
	clang_getSpellingLocation(clang_getDiagnosticLocation(diagnostic), NULL, &row, NULL, NULL);
	message->row = (int)row - 1;
	message->line = (int)line;
	message->column = (int)column;
	read_text(diagnostic, message);
}

bool upc__tree_messages(
	const struct upc_tree *tree, bool (*take)(void *context, const struct upc_message *message), void *context)
{
	bool all = true;
	unsigned count = clang_getNumDiagnostics(tree->unit);
	for (unsigned i = 0; i < count && all; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(tree->unit, i);
		struct upc_message message;
		if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Warning) {
			read_message(diagnostic, &message);
			all = take(context, &message);
		}
		clang_disposeDiagnostic(diagnostic);
	}
	return all;
}

/* ---- positions ---- */

static struct upc_place place_of(const struct upc_tree *tree, CXSourceLocation location)
{
	unsigned row = 0, column = 0, offset = 0;
	clang_getSpellingLocation(location, NULL, &row, &column, &offset);
	return (struct upc_place){(int)row - 1, (int)column, tree->text + offset};
}

struct upc_place upc__start_of(const struct upc_tree *tree, CXCursor cursor)
{
	return place_of(tree, clang_getRangeStart(clang_getCursorExtent(cursor)));
}

struct upc_place upc__end_of(const struct upc_tree *tree, CXCursor cursor)
{
	return place_of(tree, clang_getRangeEnd(clang_getCursorExtent(cursor)));
}

char *upc__text_of(const struct upc_tree *tree, CXCursor cursor)
{
	struct upc_place start = upc__start_of(tree, cursor), end = upc__end_of(tree, cursor);
	char *text = upc__format("%.*s", (int)(end.at - start.at), start.at), *to = text;
	for (const char *from = text; *from != '\0'; from++) {
		if (*from == '\n' && from[1] == '#')
			from += 1 + strcspn(from + 1, "\n") - 1;
		else
			*to++ = (char)(*from == '\n' ? ' ' : *from);
	}
	*to = '\0';
	return text;
}

struct upc_place upc__name_of(const struct upc_tree *tree, CXCursor declaration)
{
	return place_of(tree, clang_getCursorLocation(declaration));
}

/* Skips blanks and line markers. */
struct upc_place upc__operator_between(const struct upc_tree *tree, CXCursor left, CXCursor right)
{
	struct upc_place place = upc__end_of(tree, left), end = upc__start_of(tree, right);
	while (place.at < end.at && strchr(" \t\n\r\f\v#", *place.at)) {
		if (*place.at == '#') {
			place.at += strcspn(place.at, "\n");
			continue;
		}
		place.row += *place.at == '\n';
		place.column = *place.at == '\n' ? 1 : place.column + 1;
		place.at++;
	}
	return place;
}

#define DEEP_STACK ((size_t)1 << 30) /* memory is used only for what is touched */

struct walk {
	const struct upc_tree *tree;
	CXCursorVisitor visit;
	void *context;
};

static void *walk_here(void *context)
{
	const struct walk *walk = context;
	clang_visitChildren(clang_getTranslationUnitCursor(walk->tree->unit), walk->visit, walk->context);
	return NULL;
}

void upc__walk(const struct upc_tree *tree, CXCursorVisitor visit, void *context)
{
	struct walk walk = {tree, visit, context};
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	bool started = pthread_attr_setstacksize(&attributes, DEEP_STACK) == 0 &&
		       pthread_create(&thread, &attributes, walk_here, &walk) == 0;
	pthread_attr_destroy(&attributes);
	if (started)
		pthread_join(thread, NULL);
	else
		walk_here(&walk);
}

static enum CXChildVisitResult take_operand(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct upc_operands *operands = data;
	(void)parent;
	if (!clang_isExpression(cursor.kind))
		return CXChildVisit_Continue;
	if (operands->count < UPC_MOST_OPERANDS)
		operands->list[operands->count] = cursor;
	operands->count++;
	return CXChildVisit_Continue;
}

struct upc_operands upc__operands_of(CXCursor cursor)
{
	struct upc_operands operands = {.count = 0};
	clang_visitChildren(cursor, take_operand, &operands);
	return operands;
}

/* ---- types ---- */

CXType upc__innermost(CXType type)
{
	for (CXType element; (element = clang_getArrayElementType(type)).kind != CXType_Invalid;)
		type = element;
	return type;
}

bool upc__is_generic_type(CXType type)
{
	static const char integer[] = UPC_GENERIC_INTEGER;
	type = clang_getCanonicalType(type);
	if (type.kind != CXType_Unexposed) /* libclang has no enumerator for this kind */
		return false;
	CXString name = clang_getTypeSpelling(type);
	const char *text = clang_getCString(name);
	size_t length = strlen(text);
	bool generic = length >= sizeof integer - 1 && strcmp(text + length - (sizeof integer - 1), integer) == 0;
	clang_disposeString(name);
	return generic;
}

bool upc__points_to_shared(CXType type, CXType *pointee)
{
	type = clang_getCanonicalType(type);
	if (type.kind != CXType_Pointer)
		return false;
	*pointee = clang_getPointeeType(type);
	/* An array's address space is that of its elements. */
	return clang_getAddressSpace(*pointee) >= UPC_SPACE ||
	       clang_getAddressSpace(upc__innermost(*pointee)) >= UPC_SPACE;
}

bool upc__is_shared_place(CXType type)
{
	type = clang_getCanonicalType(type);
	return clang_getAddressSpace(type) >= UPC_SPACE || clang_getAddressSpace(upc__innermost(type)) >= UPC_SPACE;
}

int upc__block_of(CXType type)
{
	unsigned space = clang_getAddressSpace(type), inner = clang_getAddressSpace(upc__innermost(type));
	return (int)((space >= UPC_SPACE ? space : inner) - UPC_SPACE);
}

long long upc__element_bytes(CXType pointee)
{
	long long size = clang_Type_getSizeOf(upc__innermost(clang_getCanonicalType(pointee)));
	return size < 0 ? -1 : size;
}

/* ---- parts of elements ---- */

static bool is_transparent(CXCursor expression, struct upc_operands *operands)
{
	if (expression.kind != CXCursor_ParenExpr && expression.kind != CXCursor_UnexposedExpr)
		return false;
	*operands = upc__operands_of(expression);
	return operands->count == 1;
}

CXCursor upc__bare(CXCursor expression)
{
	struct upc_operands operands;
	while (is_transparent(expression, &operands))
		expression = operands.list[0];
	return expression;
}

static bool is_array(CXType type)
{
	return clang_getArrayElementType(type).kind != CXType_Invalid;
}

CXType upc__operand_type(CXCursor operand)
{
	struct upc_operands operands;
	CXType type = clang_getCanonicalType(clang_getCursorType(operand));
	while (is_transparent(operand, &operands)) {
		CXType inner = clang_getCanonicalType(clang_getCursorType(operands.list[0]));
		if (is_array(inner) || inner.kind == CXType_FunctionProto || inner.kind == CXType_FunctionNoProto)
			break;
		operand = operands.list[0];
		type = inner;
	}
	return type;
}

bool upc__is_read(const struct upc_tree *tree, CXCursor operand)
{
	operand = upc__bare(operand);
	bool place = operand.kind == CXCursor_MemberRefExpr || operand.kind == CXCursor_DeclRefExpr ||
		     operand.kind == CXCursor_ArraySubscriptExpr ||
		     (operand.kind == CXCursor_UnaryOperator && *upc__start_of(tree, operand).at != '&');
	return place && clang_getCanonicalType(clang_getCursorType(operand)).kind == CXType_Pointer;
}

static bool is_inner_sum(const struct upc_tree *tree, const struct upc_operands *operands)
{
	struct upc_place at = upc__operator_between(tree, operands->list[0], operands->list[1]);
	if (*at.at == ',')
		return upc__is_inner(tree, operands->list[1]);
	return (at.at[0] == '+' || at.at[0] == '-') && at.at[1] != '=' &&
	       (upc__is_inner(tree, operands->list[0]) || upc__is_inner(tree, operands->list[1]));
}

bool upc__is_null_constant(const struct upc_tree *tree, CXCursor expression)
{
	struct upc_operands operands = upc__operands_of(expression);
	if (expression.kind == CXCursor_IntegerLiteral)
		return *upc__start_of(tree, expression).at == '0' &&
		       clang_Type_getSizeOf(clang_getCursorType(expression)) == 4;
	bool passes = expression.kind == CXCursor_ParenExpr || expression.kind == CXCursor_UnexposedExpr ||
		      expression.kind == CXCursor_CStyleCastExpr;
	return passes && operands.count == 1 && upc__is_null_constant(tree, operands.list[0]);
}

/* Returns true if both are parts of elements, or one is and the other is a null pointer. */
static bool is_inner_choice(const struct upc_tree *tree, CXCursor left, CXCursor right)
{
	bool is_left = upc__is_inner(tree, left), is_right = upc__is_inner(tree, right);
	return is_left ? is_right || upc__is_null_constant(tree, right) : is_right && upc__is_null_constant(tree, left);
}

bool upc__is_inner(const struct upc_tree *tree, CXCursor expression)
{
	struct upc_operands operands = upc__operands_of(expression);
	CXCursor first = operands.list[0];
	switch (expression.kind) {
	case CXCursor_ParenExpr:
		return operands.count == 1 && upc__is_inner(tree, first);
	case CXCursor_UnexposedExpr:
		if (operands.count != 1 || upc__is_read(tree, first))
			return false;
		return upc__is_inner(tree, first);
	case CXCursor_MemberRefExpr:
		return true;
	case CXCursor_ArraySubscriptExpr:
		return operands.count == 2 && (upc__is_inner(tree, first) || upc__is_inner(tree, operands.list[1]));
	case CXCursor_UnaryOperator:
		return operands.count == 1 && strchr("&*", *upc__start_of(tree, expression).at) &&
		       upc__is_inner(tree, first);
	case CXCursor_BinaryOperator:
		return operands.count == 2 && is_inner_sum(tree, &operands);
	case CXCursor_ConditionalOperator:
		return operands.count == 3 && is_inner_choice(tree, operands.list[1], operands.list[2]);
	default:
		return false;
	}
}

int upc__effective_block(const struct upc_tree *tree, CXCursor pointer)
{
	CXType type = upc__operand_type(pointer), pointee;
	if (!upc__points_to_shared(type, &pointee))
		return -1;
	return upc__is_inner(tree, pointer) ? 0 : upc__block_of(pointee);
}
