/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions, by precedence, each with its type as far as the file's declarations tell it. */
#include "cli/tune/syntax.h"

#include <string.h>

/* Ends `node` at the token before `at`. */
static struct tune_node *closed(const struct tune_file *file, struct tune_node *node, int at)
{
	node->last = heddle__tune_before(&file->source, at);
	return node;
}

/* What a pointer or array has elements of; shared memory is left when a private pointer is followed. */
static struct tune_type *element(struct tune_file *file, struct tune_type *type)
{
	if (type && (type->kind == TUNE_POINTER || type->kind == TUNE_ARRAY) && type->of)
		return type->of;
	return heddle__tune_unknown_type(file);
}

/* A copy of a type, as it is in a shared structure: it is shared, and so are the elements of an array. */
static struct tune_type *shared_copy(struct tune_file *file, const struct tune_type *type)
{
	struct tune_type *copy = heddle__tune_take(file->work, sizeof(*copy));
	*copy = *type;
	copy->shared = true;
	if (type->kind == TUNE_ARRAY && type->of)
		copy->of = shared_copy(file, type->of);
	return copy;
}

/* A member of a shared structure is shared. */
static struct tune_type *member_type(struct tune_file *file, struct tune_type *type, int name)
{
	struct tune_symbol *member = type && type->record ? type->record->members : NULL;
	const struct tune_token *it = &file->source.tokens[name];
	while (member && (strlen(member->name) != (size_t)it->length ||
				 strncmp(member->name, it->text, (size_t)it->length) != 0))
		member = member->next;
	struct tune_type *result = member ? member->type : heddle__tune_unknown_type(file);
	return type && type->shared ? shared_copy(file, result) : result;
}

static struct tune_node *take_name(struct tune_file *file, int *at)
{
	struct tune_node *node = heddle__tune_node(file, TUNE_NAME, *at);
	node->symbol = heddle__tune_find(file, file->scope, *at);
	if (node->symbol && node->symbol->kind == TUNE_TYPEDEF)
		heddle__tune_unparsable(file, *at);
	node->type = node->symbol ? node->symbol->type : heddle__tune_unknown_type(file);
	heddle__tune_step(file, at);
	return node;
}

static struct tune_type *plain_type(struct tune_file *file, const char *name)
{
	struct tune_type *type = heddle__tune_take(file->work, sizeof(*type));
	type->name = name;
	return type;
}

/* Strings that follow each other are one; a macro may be among them, as PRIu64. */
static struct tune_node *take_constant(struct tune_file *file, int *at)
{
	struct tune_node *node = heddle__tune_node(file, TUNE_CONSTANT, *at);
	const struct tune_token *tokens = file->source.tokens;
	bool string = tokens[*at].kind == TUNE_STRING && tokens[*at].text[tokens[*at].length - 1] == '"';
	node->type = plain_type(file, "int");
	heddle__tune_step(file, at);
	while (string && (tokens[*at].kind == TUNE_STRING || tokens[*at].kind == TUNE_WORD))
		heddle__tune_step(file, at);
	return closed(file, node, *at);
}

static struct tune_node *take_group(struct tune_file *file, int *at)
{
	struct tune_node *node = heddle__tune_node(file, TUNE_GROUP, *at);
	heddle__tune_step(file, at);
	heddle__tune_adopt(node, heddle__tune_expression(file, at));
	heddle__tune_expect(file, at, ")");
	node->type = node->child->type;
	return closed(file, node, *at);
}

static struct tune_node *take_primary(struct tune_file *file, int *at)
{
	static const char *const no_names[] = {"asm", "__asm__", "_Generic", "__extension__", "if", "else", "for",
		"while", "do", "return", "break", "continue", "goto", "switch", "case", "default", "upc_forall",
		"upc_barrier", "upc_fence", "upc_notify", "upc_wait", "__label__", "_Pragma", "_Static_assert", NULL};
	enum tune_token_kind kind = file->source.tokens[*at].kind;
	if (kind == TUNE_WORD && !heddle__tune_at_any(file, *at, no_names) && !heddle__tune_starts_type(file, *at))
		return take_name(file, at);
	if (kind == TUNE_NUMBER || kind == TUNE_STRING)
		return take_constant(file, at);
	if (heddle__tune_at(file, *at, "("))
		return take_group(file, at);
	heddle__tune_unparsable(file, *at);
}

static struct tune_node *take_arguments(struct tune_file *file, struct tune_node *node, int *at)
{
	while (!heddle__tune_at(file, *at, ")")) {
		if (heddle__tune_starts_type(file, *at)) {
			struct tune_node *type = heddle__tune_node(file, TUNE_TYPE_NAME, *at);
			type->type = heddle__tune_type_name(file, at);
			heddle__tune_adopt(node, closed(file, type, *at));
		} else {
			heddle__tune_adopt(node, heddle__tune_assignment(file, at));
		}
		if (!heddle__tune_at(file, *at, ","))
			break;
		heddle__tune_step(file, at);
	}
	heddle__tune_expect(file, at, ")");
	return closed(file, node, *at);
}

static struct tune_type *result_type(struct tune_file *file, const struct tune_node *callee)
{
	const struct tune_type *type = callee->type;
	if (type && type->kind == TUNE_POINTER)
		type = type->of;
	return type && type->kind == TUNE_FUNCTION && type->of ? type->of : heddle__tune_unknown_type(file);
}

/* What follows `inner`: an index, a call, a member, ++ or --; NULL if nothing does. */
static struct tune_node *take_suffix(struct tune_file *file, struct tune_node *inner, int *at)
{
	static const char *const counts[] = {"++", "--", NULL}, *const members[] = {".", "->", NULL};
	enum tune_node_kind kind = heddle__tune_at(file, *at, "[")           ? TUNE_INDEX
				   : heddle__tune_at(file, *at, "(")         ? TUNE_CALL
				   : heddle__tune_at_any(file, *at, members) ? TUNE_MEMBER
				   : heddle__tune_at_any(file, *at, counts)  ? TUNE_POSTFIX
									     : TUNE_EMPTY;
	if (kind == TUNE_EMPTY)
		return NULL;
	struct tune_node *node = heddle__tune_node(file, kind, inner->first);
	node->op = *at;
	heddle__tune_adopt(node, inner);
	heddle__tune_step(file, at);
	if (kind == TUNE_CALL) {
		node->type = result_type(file, inner);
		return take_arguments(file, node, at);
	}
	if (kind == TUNE_INDEX) {
		heddle__tune_adopt(node, heddle__tune_expression(file, at));
		heddle__tune_expect(file, at, "]");
		node->type = element(file, inner->type);
	} else if (kind == TUNE_MEMBER) {
		bool through = heddle__tune_at(file, node->op, "->");
		if (file->source.tokens[*at].kind != TUNE_WORD)
			heddle__tune_unparsable(file, *at);
		node->type = member_type(file, through ? element(file, inner->type) : inner->type, *at);
		heddle__tune_step(file, at);
	} else {
		node->type = inner->type;
	}
	return closed(file, node, *at);
}

static struct tune_node *take_postfix(struct tune_file *file, struct tune_node *node, int *at)
{
	int outer = file->depth;
	for (struct tune_node *more = node; more; more = take_suffix(file, node, at)) {
		heddle__tune_enter(file, *at);
		node = more;
	}
	file->depth = outer;
	return node;
}

/* (type) expression, or (type){...}. */
static struct tune_node *take_cast(struct tune_file *file, int *at)
{
	struct tune_node *node = heddle__tune_node(file, TUNE_CAST, *at);
	heddle__tune_step(file, at);
	node->type = heddle__tune_type_name(file, at);
	heddle__tune_expect(file, at, ")");
	if (heddle__tune_at(file, *at, "{")) {
		node->kind = TUNE_LITERAL;
		heddle__tune_adopt(node, heddle__tune_initializer(file, at));
		return take_postfix(file, closed(file, node, *at), at);
	}
	return node;
}

static struct tune_node *take_unary(struct tune_file *file, int *at);

static struct tune_node *take_sizeof(struct tune_file *file, int *at)
{
	struct tune_node *node = heddle__tune_node(file, TUNE_SIZEOF, *at);
	heddle__tune_step(file, at);
	node->type = plain_type(file, "size_t");
	if (heddle__tune_at(file, *at, "(") && heddle__tune_starts_type(file, heddle__tune_next(&file->source, *at))) {
		heddle__tune_step(file, at);
		heddle__tune_type_name(file, at);
		heddle__tune_expect(file, at, ")");
	} else {
		heddle__tune_adopt(node, take_unary(file, at));
	}
	return closed(file, node, *at);
}

static struct tune_type *unary_type(struct tune_file *file, const struct tune_node *node)
{
	struct tune_type *inner = node->child->type;
	if (heddle__tune_at(file, node->op, "*"))
		return element(file, inner);
	if (!heddle__tune_at(file, node->op, "&"))
		return inner;
	struct tune_type *pointer = heddle__tune_take(file->work, sizeof(*pointer));
	pointer->kind = TUNE_POINTER;
	pointer->of = inner;
	return pointer;
}

static struct tune_node *take_prefixed(struct tune_file *file, int *at)
{
	static const char *const operators[] = {"++", "--", "&", "*", "+", "-", "~", "!", NULL};
	static const char *const sizes[] = {
		"sizeof", "_Alignof", "upc_localsizeof", "upc_blocksizeof", "upc_elemsizeof", NULL};
	if (heddle__tune_at_any(file, *at, sizes))
		return take_sizeof(file, at);
	if (heddle__tune_at(file, *at, "(") && heddle__tune_starts_type(file, heddle__tune_next(&file->source, *at))) {
		struct tune_node *cast = take_cast(file, at);
		if (cast->kind == TUNE_CAST)
			heddle__tune_adopt(cast, take_unary(file, at));
		return cast;
	}
	if (!heddle__tune_at_any(file, *at, operators))
		return take_postfix(file, take_primary(file, at), at);
	struct tune_node *node = heddle__tune_node(file, TUNE_UNARY, *at);
	heddle__tune_step(file, at);
	heddle__tune_adopt(node, take_unary(file, at));
	node->type = unary_type(file, node);
	return node;
}

static struct tune_node *take_unary(struct tune_file *file, int *at)
{
	heddle__tune_enter(file, *at);
	struct tune_node *node = take_prefixed(file, at);
	file->depth--;
	return node;
}

static int precedence(const struct tune_file *file, int at)
{
	static const char *const levels[][5] = {{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="},
		{"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
	for (int i = 0; i < (int)(sizeof(levels) / sizeof(*levels)); i++)
		if (heddle__tune_at_any(file, at, levels[i]))
			return i + 1;
	return 0;
}

static bool is_pointer(const struct tune_type *type)
{
	return type && (type->kind == TUNE_POINTER || type->kind == TUNE_ARRAY);
}

static struct tune_node *take_binary(struct tune_file *file, int *at, int least)
{
	struct tune_node *left = take_unary(file, at);
	int outer = file->depth;
	for (int level; (level = precedence(file, *at)) >= least && level;) {
		struct tune_node *node = heddle__tune_node(file, TUNE_BINARY, left->first);
		heddle__tune_enter(file, *at);
		node->op = *at;
		heddle__tune_step(file, at);
		heddle__tune_adopt(node, left);
		heddle__tune_adopt(node, take_binary(file, at, level + 1));
		struct tune_type *right = left->next->type;
		bool unknown = left->type && left->type->kind == TUNE_UNKNOWN && !is_pointer(right);
		node->type = is_pointer(right) && !is_pointer(left->type) ? right : unknown ? right : left->type;
		if (level < 9 && level != 3 && level != 4 && level != 5)
			node->type = plain_type(file, "int");
		left = node;
	}
	file->depth = outer;
	return left;
}

static struct tune_node *take_conditional(struct tune_file *file, int *at)
{
	struct tune_node *condition = take_binary(file, at, 1);
	if (!heddle__tune_at(file, *at, "?"))
		return condition;
	struct tune_node *node = heddle__tune_node(file, TUNE_CONDITIONAL, condition->first);
	node->op = *at;
	heddle__tune_step(file, at);
	heddle__tune_enter(file, *at);
	heddle__tune_adopt(node, condition);
	heddle__tune_adopt(node, heddle__tune_expression(file, at));
	heddle__tune_expect(file, at, ":");
	heddle__tune_adopt(node, take_conditional(file, at));
	file->depth--;
	node->type = condition->next->type;
	return node;
}

struct tune_node *heddle__tune_assignment(struct tune_file *file, int *at)
{
	static const char *const operators[] = {
		"=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", NULL};
	struct tune_node *left = take_conditional(file, at);
	if (!heddle__tune_at_any(file, *at, operators))
		return left;
	struct tune_node *node = heddle__tune_node(file, TUNE_ASSIGNMENT, left->first);
	node->op = *at;
	heddle__tune_step(file, at);
	heddle__tune_enter(file, *at);
	heddle__tune_adopt(node, left);
	heddle__tune_adopt(node, heddle__tune_assignment(file, at));
	file->depth--;
	node->type = left->type;
	return node;
}

struct tune_node *heddle__tune_expression(struct tune_file *file, int *at)
{
	struct tune_node *left = heddle__tune_assignment(file, at);
	int outer = file->depth;
	while (heddle__tune_at(file, *at, ",")) {
		heddle__tune_enter(file, *at);
		struct tune_node *node = heddle__tune_node(file, TUNE_BINARY, left->first);
		node->op = *at;
		heddle__tune_step(file, at);
		heddle__tune_adopt(node, left);
		heddle__tune_adopt(node, heddle__tune_assignment(file, at));
		node->type = left->next->type;
		left = node;
	}
	file->depth = outer;
	return left;
}

/* .name, [index], in front of an initializer. */
static void skip_designators(struct tune_file *file, int *at)
{
	bool any = false;
	while (heddle__tune_at(file, *at, ".") || heddle__tune_at(file, *at, "[")) {
		any = true;
		if (heddle__tune_at(file, *at, "["))
			*at = file->source.tokens[*at].partner;
		else
			heddle__tune_step(file, at);
		heddle__tune_step(file, at);
	}
	if (any)
		heddle__tune_expect(file, at, "=");
}

struct tune_node *heddle__tune_initializer(struct tune_file *file, int *at)
{
	if (!heddle__tune_at(file, *at, "{"))
		return heddle__tune_assignment(file, at);
	struct tune_node *node = heddle__tune_node(file, TUNE_BRACES, *at);
	heddle__tune_step(file, at);
	while (!heddle__tune_at(file, *at, "}")) {
		skip_designators(file, at);
		heddle__tune_adopt(node, heddle__tune_initializer(file, at));
		if (!heddle__tune_at(file, *at, ","))
			break;
		heddle__tune_step(file, at);
	}
	heddle__tune_expect(file, at, "}");
	return closed(file, node, *at);
}
