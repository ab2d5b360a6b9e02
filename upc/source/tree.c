/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the functions of a source as trees. Code that the translator made of UPC's statements becomes these statements
 * again; clang's implicit conversions are omitted. Constructs without a kind are written as `other`.
 */
#include <stdlib.h>
#include <string.h>

#include "upc/source/names.h"
#include "upc/translate/tokens.h"
#include "upc/typing/tree.h"

struct writing {
	struct upc_names names;
	int depth;
};

struct children {
	CXCursor *list;
	int count;
};

/* ---- clang's tree ---- */

static bool is_part(CXCursor cursor)
{
	return clang_isExpression(cursor.kind) || clang_isStatement(cursor.kind) || clang_isDeclaration(cursor.kind);
}

static enum CXChildVisitResult take_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct children *children = data;
	(void)parent;
	if (!is_part(cursor))
		return CXChildVisit_Continue;
	children->list = upc__grow(children->list, children->count, sizeof *children->list);
	children->list[children->count++] = cursor;
	return CXChildVisit_Continue;
}

/* Expressions, statements and declarations below a cursor; the caller frees the list. */
static struct children children_of(CXCursor cursor)
{
	struct children children = {0};
	clang_visitChildren(cursor, take_child, &children);
	return children;
}

static int first_of(const struct writing *writing, CXCursor cursor)
{
	return upc__first_position(&writing->names, cursor);
}

static int last_of(const struct writing *writing, CXCursor cursor)
{
	return upc__last_position(&writing->names, cursor);
}

/* The user's token at a position, as the compiler sees it. */
static const struct token *token_at(const struct writing *writing, int position)
{
	const struct upc_seen *seen = writing->names.seen;
	const struct tokens *tokens = writing->names.translation->tokens;
	int low = 0, high = tokens->count - 1;
	/* Positions increase, except that tokens of other files have none. */
	while (low <= high) {
		int middle = low + (high - low) / 2, at = middle;
		while (at <= high && seen->positions[at] < 0)
			at++;
		if (at > high || seen->positions[at] > position)
			high = middle - 1;
		else if (seen->positions[at] < position)
			low = at + 1;
		else
			return &tokens->list[at];
	}
	return NULL;
}

static bool is_at(const struct writing *writing, int position, const char *text)
{
	const struct token *token = token_at(writing, position);
	return token && (int)strlen(text) == token->length && strncmp(token->text, text, strlen(text)) == 0;
}

static bool is_one_of(const struct writing *writing, int position, const char *const *list)
{
	while (*list && !is_at(writing, position, *list))
		list++;
	return *list;
}

static bool is_named(CXCursor cursor, const char *name)
{
	CXString spelling = clang_getCursorSpelling(cursor);
	bool same = strcmp(clang_getCString(spelling), name) == 0;
	clang_disposeString(spelling);
	return same;
}

/* ---- lines ---- */

static void write_node(
	struct writing *writing, const char *kind, int first, int last, int operator, int symbol, int type)
{
	fprintf(writing->names.out, "n %d %s %d %d %d %d %d\n", writing->depth, kind, first,
		last, operator<0 ? first : operator, symbol, type);
}

static int type_of(struct writing *writing, CXCursor expression)
{
	return upc__type_number(&writing->names, clang_getCursorType(expression));
}

static void write_statement(struct writing *writing, CXCursor statement);
static void write_expression(struct writing *writing, CXCursor expression);

static void write_other(struct writing *writing, CXCursor cursor)
{
	write_node(writing, "other", first_of(writing, cursor), last_of(writing, cursor), -1, 0, 0);
}

static void write_empty(struct writing *writing, int position)
{
	write_node(writing, "empty", position, position, -1, 0, 0);
}

/* ---- expressions ---- */

/* The operand of sizeof or a similar operator, if it is an expression, whatever the translator made of the operator. */
static CXCursor find_operand(CXCursor cursor)
{
	CXCursor found = clang_getNullCursor();
	struct children children = children_of(cursor);
	for (int i = 0; i < children.count && clang_Cursor_isNull(found); i++)
		found = cursor.kind == CXCursor_UnaryExpr ? children.list[i] : find_operand(children.list[i]);
	free(children.list);
	return found;
}

static bool is_sizeof(const struct writing *writing, CXCursor cursor, int first)
{
	static const char *const words[] = {
		"sizeof", "_Alignof", "__alignof__", "upc_localsizeof", "upc_blocksizeof", "upc_elemsizeof", NULL};
	bool may_be = cursor.kind == CXCursor_UnaryExpr || cursor.kind == CXCursor_CallExpr ||
		      cursor.kind == CXCursor_UnexposedExpr;
	return may_be && is_one_of(writing, first, words);
}

struct shape {
	const char *kind;
	int operator;
	int symbol;
	int operands; /* how many of the children are operands: the last ones */
};

static struct shape shape_of_unary(const struct writing *writing, int first, int last)
{
	static const char *const operators[] = {"++", "--", "&", "*", "+", "-", "~", "!", NULL};
	if (is_one_of(writing, first, operators))
		return (struct shape){"unary", first, 0, 1};
	static const char *const counts[] = {"++", "--", NULL};
	return is_one_of(writing, last, counts) ? (struct shape){"postfix", last, 0, 1}
						: (struct shape){"other", first, 0, 0};
}

/* KIND is that of the cursor; `after` is the token after the first operand. */
static struct shape shape_of(
	struct writing *writing, CXCursor cursor, const struct children *children, int first, int last)
{
	int after = children->count > 0 ? last_of(writing, children->list[0]) + 1 : first, all = children->count;
	switch (cursor.kind) {
	case CXCursor_DeclRefExpr:
		return (struct shape){
			"name", first, upc__symbol_number(&writing->names, clang_getCursorReferenced(cursor)), 0};
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_StringLiteral:
	case CXCursor_ImaginaryLiteral:
		return (struct shape){"constant", first, 0, 0};
	case CXCursor_ParenExpr:
		return (struct shape){"group", first, 0, 1};
	case CXCursor_ArraySubscriptExpr:
		return (struct shape){"index", after, 0, 2};
	case CXCursor_MemberRefExpr:
		return (struct shape){"member", after, 0, 1};
	case CXCursor_CallExpr:
		return (struct shape){"call", after, 0, all};
	case CXCursor_UnaryOperator:
		return shape_of_unary(writing, first, last);
	case CXCursor_BinaryOperator:
		return (struct shape){is_at(writing, after, "=") ? "assignment" : "binary", after, 0, 2};
	case CXCursor_CompoundAssignOperator:
		return (struct shape){"assignment", after, 0, 2};
	case CXCursor_ConditionalOperator:
		return all == 3 ? (struct shape){"conditional", after, 0, 3} : (struct shape){"other", first, 0, 0};
	case CXCursor_CStyleCastExpr:
		return (struct shape){"cast", first, 0, 1};
	case CXCursor_CompoundLiteralExpr:
		return (struct shape){"literal", first, 0, 1};
	case CXCursor_InitListExpr:
		return (struct shape){"braces", first, 0, all};
	default:
		return (struct shape){"other", first, 0, 0};
	}
}

/* Returns true for implicit conversions, casts that the translator made, and the objects of anonymous members. */
static bool is_transparent(
	struct writing *writing, CXCursor cursor, const struct children *children, int first, int last)
{
	if (children->count != 1)
		return false;
	bool same = first_of(writing, children->list[0]) == first && last_of(writing, children->list[0]) == last;
	return same && (cursor.kind == CXCursor_UnexposedExpr || cursor.kind == CXCursor_CStyleCastExpr ||
			       cursor.kind == CXCursor_MemberRefExpr);
}

static void write_operands(struct writing *writing, const struct children *children, int count)
{
	writing->depth++;
	for (int i = children->count - count; i < children->count; i++)
		if (i >= 0)
			write_expression(writing, children->list[i]);
	writing->depth--;
}

static void write_sizeof(struct writing *writing, CXCursor cursor, int first, int last)
{
	CXCursor operand = find_operand(cursor);
	write_node(writing, "sizeof", first, last, first, 0, type_of(writing, cursor));
	writing->depth++;
	if (!clang_Cursor_isNull(operand))
		write_expression(writing, operand);
	writing->depth--;
}

static void write_expression(struct writing *writing, CXCursor expression)
{
	int first = first_of(writing, expression), last = last_of(writing, expression);
	struct children children = children_of(expression);
	if (first < 0 || last < 0) {
		write_other(writing, expression);
	} else if (is_sizeof(writing, expression, first)) {
		write_sizeof(writing, expression, first, last);
	} else if (is_transparent(writing, expression, &children, first, last)) {
		write_expression(writing, children.list[0]);
	} else {
		struct shape shape = shape_of(writing, expression, &children, first, last);
		if (children.count < shape.operands)
			shape = (struct shape){"other", first, 0, 0};
		int type = type_of(writing, expression);
		write_node(writing, shape.kind, first, last, shape.operator, shape.symbol, type);
		write_operands(writing, &children, shape.operands);
	}
	free(children.list);
}

/* ---- statements ---- */

/* The token `;` that ends a statement: clang's extents of expressions and some statements end before it. */
static int end_of(const struct writing *writing, CXCursor statement)
{
	int last = last_of(writing, statement);
	return is_at(writing, last + 1, ";") && !is_at(writing, last, ";") && !is_at(writing, last, "}") ? last + 1
													 : last;
}

static bool is_call_of(CXCursor cursor, const char *const *names)
{
	while (*names && !(cursor.kind == CXCursor_CallExpr && is_named(cursor, *names)))
		names++;
	return *names;
}

static void write_expression_statement(struct writing *writing, CXCursor expression)
{
	static const char *const synchronize[] = {"__upc_barrier", "__upc_notify", "__upc_wait", "__upc_fence", NULL};
	int first = first_of(writing, expression), last = end_of(writing, expression);
	if (is_call_of(expression, synchronize)) {
		write_node(writing, "synchronize", first, last, first, 0, 0);
		return;
	}
	write_node(writing, "expression", first, last, first, 0, 0);
	writing->depth++;
	write_expression(writing, expression);
	writing->depth--;
}

static void write_declarator(struct writing *writing, CXCursor variable)
{
	int symbol = upc__symbol_number(&writing->names, variable), type = type_of(writing, variable);
	unsigned row = 0, column = 0;
	clang_getSpellingLocation(clang_getCursorLocation(variable), NULL, &row, &column, NULL);
	int token = upc__token_at(writing->names.translation, (int)row - 1, (int)column);
	int name = token < 0 ? -1 : writing->names.seen->positions[token];
	CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
	write_node(writing, "declarator", name, last_of(writing, variable), name, symbol, type);
	writing->depth++;
	if (!clang_Cursor_isNull(value))
		write_expression(writing, value);
	writing->depth--;
}

static void write_declaration(struct writing *writing, CXCursor statement, const struct children *children)
{
	write_node(writing, "declaration", first_of(writing, statement), end_of(writing, statement), -1, 0, 0);
	writing->depth++;
	for (int i = 0; i < children->count; i++)
		if (children->list[i].kind == CXCursor_VarDecl)
			write_declarator(writing, children->list[i]);
	writing->depth--;
}

/* Writes a statement whose children are expressions except the last one, which is a statement. */
static void write_controlled(
	struct writing *writing, const char *kind, CXCursor statement, const struct children *children, int conditions)
{
	write_node(writing, kind, first_of(writing, statement), end_of(writing, statement), -1, 0, 0);
	writing->depth++;
	for (int i = 0; i < children->count; i++)
		if (i < conditions)
			write_expression(writing, children->list[i]);
		else
			write_statement(writing, children->list[i]);
	writing->depth--;
}

static void write_do(struct writing *writing, CXCursor statement, const struct children *children)
{
	write_node(writing, "do", first_of(writing, statement), end_of(writing, statement), -1, 0, 0);
	writing->depth++;
	if (children->count == 2) {
		write_statement(writing, children->list[0]);
		write_expression(writing, children->list[1]);
	}
	writing->depth--;
}

/* The change of nesting at a token, by its first character: only brackets begin with a bracket. */
static int nesting(char c)
{
	return (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
}

/* Finds the semicolons of a header that begins at `(`, and the `)` after them. */
static int find_header_ends(const struct writing *writing, int open, int ends[4])
{
	int count = 0, depth = 0, at = open;
	for (; count < 4; at++) {
		const struct token *token = token_at(writing, at);
		if (!token)
			return 0;
		depth += nesting(*token->text);
		if ((*token->text == ';' && depth == 1) || depth == 0)
			ends[count++] = at;
		if (depth == 0)
			break;
	}
	return count;
}

static void write_part(struct writing *writing, CXCursor part)
{
	struct children children = children_of(part);
	if (part.kind == CXCursor_DeclStmt)
		write_declaration(writing, part, &children);
	else
		write_expression(writing, part);
	free(children.list);
}

/* Writes the parts of a header in their order; clang omits absent parts. */
static void write_parts(
	struct writing *writing, const int *ends, int count, const struct children *children, int behind)
{
	int next = 0;
	for (int i = 0; i < count; i++) {
		bool there = next < behind && first_of(writing, children->list[next]) < ends[i];
		if (there)
			write_part(writing, children->list[next++]);
		else
			write_empty(writing, ends[i]);
	}
}

static void write_for(struct writing *writing, CXCursor statement, const struct children *children)
{
	int first = first_of(writing, statement), ends[4];
	int count = find_header_ends(writing, first + 1, ends);
	if (count != 3 || children->count == 0) {
		write_other(writing, statement);
		return;
	}
	write_node(writing, "for", first, end_of(writing, statement), -1, 0, 0);
	writing->depth++;
	write_parts(writing, ends, count, children, children->count - 1);
	write_statement(writing, children->list[children->count - 1]);
	writing->depth--;
}

/* ---- upc_forall: for (once) for (a; b; c) if (!(inner || __upc_affinity(affinity, kind))) {} else body ---- */

static bool is_loop_head(const struct children *children)
{
	static const char prefix[] = "__upc_inner_";
	if (children->count == 0 || children->list[0].kind != CXCursor_DeclStmt)
		return false;
	struct children declared = children_of(children->list[0]);
	CXString name = clang_getCursorSpelling(declared.count > 0 ? declared.list[0] : clang_getNullCursor());
	bool found = strncmp(clang_getCString(name), prefix, sizeof prefix - 1) == 0;
	clang_disposeString(name);
	free(declared.list);
	return found;
}

static CXCursor find_affinity(CXCursor cursor)
{
	static const char *const affinity[] = {"__upc_affinity", NULL};
	CXCursor found = clang_getNullCursor();
	struct children children = children_of(cursor);
	if (is_call_of(cursor, affinity) && children.count > 1)
		found = children.list[1];
	for (int i = 0; i < children.count && clang_Cursor_isNull(found); i++)
		found = find_affinity(children.list[i]);
	free(children.list);
	return found;
}

/* The translator puts the affinity in parentheses, which are not tokens of the source. */
static CXCursor without_group(CXCursor expression)
{
	struct children children = children_of(expression);
	bool group = children.count == 1 &&
		     (expression.kind == CXCursor_ParenExpr || expression.kind == CXCursor_UnexposedExpr);
	CXCursor inner = group && expression.kind == CXCursor_UnexposedExpr ? without_group(children.list[0])
			 : group                                            ? children.list[0]
									    : expression;
	free(children.list);
	return inner;
}

static void write_forall(struct writing *writing, CXCursor head, CXCursor loop)
{
	int first = first_of(writing, head), ends[4];
	struct children children = children_of(loop);
	int count = find_header_ends(writing, first + 1, ends);
	CXCursor body = children.list[children.count - 1];
	if (count != 4 || children.count == 0) {
		write_other(writing, head);
		free(children.list);
		return;
	}
	write_node(writing, "forall", first, end_of(writing, head), -1, 0, 0);
	writing->depth++;
	write_parts(writing, ends, 3, &children, children.count - 1);
	CXCursor affinity = body.kind == CXCursor_IfStmt ? find_affinity(body) : clang_getNullCursor();
	struct children parts = children_of(body);
	bool own = first_of(writing, body) < 0 || first_of(writing, body) <= ends[3];
	if (own && !clang_Cursor_isNull(affinity) && parts.count == 3) {
		write_expression(writing, without_group(affinity));
		write_statement(writing, parts.list[2]);
	} else {
		write_empty(writing, ends[3]);
		write_statement(writing, body);
	}
	writing->depth--;
	free(parts.list);
	free(children.list);
}

/* ---- all statements ---- */

static void write_block(struct writing *writing, CXCursor block, const struct children *children)
{
	write_node(writing, "block", first_of(writing, block), last_of(writing, block), -1, 0, 0);
	writing->depth++;
	for (int i = 0; i < children->count; i++)
		write_statement(writing, children->list[i]);
	writing->depth--;
}

/* break, continue, goto, and return with its value. */
static void write_jump(struct writing *writing, CXCursor statement, const struct children *children)
{
	write_node(writing, "jump", first_of(writing, statement), end_of(writing, statement), -1, 0, 0);
	writing->depth++;
	if (children->count == 1)
		write_expression(writing, children->list[0]);
	writing->depth--;
}

static void write_known(struct writing *writing, CXCursor statement, const struct children *children)
{
	switch (statement.kind) {
	case CXCursor_CompoundStmt:
		write_block(writing, statement, children);
		break;
	case CXCursor_DeclStmt:
		write_declaration(writing, statement, children);
		break;
	case CXCursor_NullStmt:
		write_empty(writing, first_of(writing, statement));
		break;
	case CXCursor_IfStmt:
		write_controlled(writing, "if", statement, children, 1);
		break;
	case CXCursor_WhileStmt:
		write_controlled(writing, "while", statement, children, 1);
		break;
	case CXCursor_SwitchStmt:
		write_controlled(writing, "switch", statement, children, 1);
		break;
	case CXCursor_CaseStmt:
		write_controlled(writing, "case", statement, children, 1);
		break;
	case CXCursor_DefaultStmt:
		write_controlled(writing, "case", statement, children, 0);
		break;
	case CXCursor_LabelStmt:
		write_controlled(writing, "label", statement, children, 0);
		break;
	case CXCursor_DoStmt:
		write_do(writing, statement, children);
		break;
	case CXCursor_ForStmt:
		if (is_loop_head(children))
			write_forall(writing, statement, children->list[children->count - 1]);
		else
			write_for(writing, statement, children);
		break;
	case CXCursor_BreakStmt:
	case CXCursor_ContinueStmt:
	case CXCursor_GotoStmt:
	case CXCursor_ReturnStmt:
		write_jump(writing, statement, children);
		break;
	default:
		write_other(writing, statement);
	}
}

static void write_statement(struct writing *writing, CXCursor statement)
{
	struct children children = children_of(statement);
	if (clang_isExpression(statement.kind))
		write_expression_statement(writing, statement);
	else
		write_known(writing, statement, &children);
	free(children.list);
}

/* ---- functions ---- */

static void write_function(struct writing *writing, CXCursor function)
{
	int symbol = upc__symbol_number(&writing->names, function), first = first_of(writing, function);
	struct children children = children_of(function);
	CXCursor body = children.count > 0 ? children.list[children.count - 1] : function;
	if (symbol > 0 && first >= 0 && body.kind == CXCursor_CompoundStmt) {
		for (int i = 0; i < clang_Cursor_getNumArguments(function); i++)
			upc__symbol_number(&writing->names, clang_Cursor_getArgument(function, (unsigned)i));
		fprintf(writing->names.out, "f %d %d %d\n", symbol, first, first_of(writing, body));
		write_statement(writing, body);
	}
	free(children.list);
}

static void write_variable(struct writing *writing, CXCursor variable)
{
	int symbol = upc__symbol_number(&writing->names, variable);
	CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
	if (symbol == 0 || clang_Cursor_isNull(value))
		return;
	fprintf(writing->names.out, "i %d\n", symbol);
	write_expression(writing, value);
}

static enum CXChildVisitResult take_declaration(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct writing *writing = data;
	struct upc_place place = upc__start_of(writing->names.tree, cursor);
	(void)parent;
	if (place.row < writing->names.translation->prelude_rows)
		return CXChildVisit_Continue;
	bool function = cursor.kind == CXCursor_FunctionDecl && clang_isCursorDefinition(cursor);
	if (function && first_of(writing, cursor) < 0)
		upc__write_pure(writing->names.out, cursor);
	else if (function)
		write_function(writing, cursor);
	else if (first_of(writing, cursor) >= 0 && cursor.kind == CXCursor_VarDecl)
		write_variable(writing, cursor);
	else if (first_of(writing, cursor) >= 0 &&
		 (cursor.kind == CXCursor_FunctionDecl || cursor.kind == CXCursor_TypedefDecl))
		upc__symbol_number(&writing->names, cursor);
	return CXChildVisit_Continue;
}

void upc__write_tree(
	FILE *out, const struct upc_tree *tree, const struct upc_translation *translation, const struct upc_seen *seen)
{
	struct writing writing = {.names = {.out = out, .tree = tree, .translation = translation, .seen = seen}};
	const struct upc_ranges *strict = &translation->strict;
	for (int i = 0; i < strict->count; i++)
		if (strcmp(strict->list[i].file, UPC_MARKED_NAME) == 0)
			fprintf(out, "q %d %d\n", strict->list[i].first, strict->list[i].last);
	clang_visitChildren(clang_getTranslationUnitCursor(tree->unit), take_declaration, &writing);
	free(writing.names.types);
	free(writing.names.symbols);
}
