/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements of C and UPC, and functions on demand. */
#include "cli/tune/syntax.h"

#include <string.h>

static void enter(struct tune_file *file, struct tune_scope **scope)
{
	*scope = heddle__tune_take(file->work, sizeof(**scope));
	(*scope)->outer = file->scope;
	file->scope = *scope;
}

static void leave(struct tune_file *file, const struct tune_scope *scope)
{
	file->scope = scope->outer;
}

static void take_condition(struct tune_file *file, struct tune_node *node, int *at)
{
	heddle__tune_expect(file, at, "(");
	heddle__tune_adopt(node, heddle__tune_expression(file, at));
	heddle__tune_expect(file, at, ")");
}

/* An expression that may be absent before `end`, which is stepped over. */
static void take_part(struct tune_file *file, struct tune_node *node, int *at, const char *end)
{
	struct tune_node *part = NULL;
	if (heddle__tune_at(file, *at, end))
		part = heddle__tune_node(file, TUNE_EMPTY, *at);
	else
		part = heddle__tune_expression(file, at);
	heddle__tune_expect(file, at, end);
	heddle__tune_adopt(node, part);
}

/* The affinity of a upc_forall may be the word continue. */
static void take_affinity(struct tune_file *file, struct tune_node *node, int *at)
{
	if (!heddle__tune_at(file, *at, "continue")) {
		take_part(file, node, at, ")");
		return;
	}
	heddle__tune_adopt(node, heddle__tune_node(file, TUNE_EMPTY, *at));
	heddle__tune_step(file, at);
	heddle__tune_expect(file, at, ")");
}

static struct tune_node *take_for(struct tune_file *file, enum tune_node_kind kind, int *at)
{
	struct tune_node *node = heddle__tune_node(file, kind, *at);
	struct tune_scope *scope;
	enter(file, &scope);
	heddle__tune_step(file, at);
	heddle__tune_expect(file, at, "(");
	if (heddle__tune_starts_type(file, *at))
		heddle__tune_adopt(node, heddle__tune_declaration(file, at));
	else
		take_part(file, node, at, ";");
	take_part(file, node, at, ";");
	if (kind == TUNE_FORALL) {
		take_part(file, node, at, ";");
		take_affinity(file, node, at);
	} else {
		take_part(file, node, at, ")");
	}
	heddle__tune_adopt(node, heddle__tune_statement(file, at));
	leave(file, scope);
	return node;
}

static struct tune_node *take_if(struct tune_file *file, int *at)
{
	struct tune_node *node = heddle__tune_node(file, TUNE_IF, *at);
	heddle__tune_step(file, at);
	take_condition(file, node, at);
	heddle__tune_adopt(node, heddle__tune_statement(file, at));
	if (heddle__tune_at(file, *at, "else")) {
		heddle__tune_step(file, at);
		heddle__tune_adopt(node, heddle__tune_statement(file, at));
	}
	return node;
}

static struct tune_node *take_while(struct tune_file *file, enum tune_node_kind kind, int *at)
{
	struct tune_node *node = heddle__tune_node(file, kind, *at);
	heddle__tune_step(file, at);
	take_condition(file, node, at);
	heddle__tune_adopt(node, heddle__tune_statement(file, at));
	return node;
}

static struct tune_node *take_do(struct tune_file *file, int *at)
{
	struct tune_node *node = heddle__tune_node(file, TUNE_DO, *at);
	heddle__tune_step(file, at);
	heddle__tune_adopt(node, heddle__tune_statement(file, at));
	heddle__tune_expect(file, at, "while");
	take_condition(file, node, at);
	heddle__tune_expect(file, at, ";");
	node->last = heddle__tune_before(&file->source, *at);
	return node;
}

static struct tune_node *take_block(struct tune_file *file, int *at)
{
	struct tune_node *node = heddle__tune_node(file, TUNE_BLOCK, *at);
	struct tune_scope *scope;
	enter(file, &scope);
	heddle__tune_step(file, at);
	while (!heddle__tune_at(file, *at, "}"))
		heddle__tune_adopt(node, heddle__tune_statement(file, at));
	heddle__tune_step(file, at);
	leave(file, scope);
	node->last = heddle__tune_before(&file->source, *at);
	return node;
}

/* break, continue, goto, return, upc_barrier and the like: a word, perhaps an expression. */
static struct tune_node *take_worded(struct tune_file *file, enum tune_node_kind kind, int *at)
{
	struct tune_node *node = heddle__tune_node(file, kind, *at);
	heddle__tune_step(file, at);
	if (!heddle__tune_at(file, *at, ";"))
		heddle__tune_adopt(node, heddle__tune_expression(file, at));
	heddle__tune_expect(file, at, ";");
	node->last = heddle__tune_before(&file->source, *at);
	return node;
}

static struct tune_node *take_case(struct tune_file *file, int *at)
{
	struct tune_node *node = heddle__tune_node(file, TUNE_CASE, *at);
	bool value = heddle__tune_at(file, *at, "case");
	heddle__tune_step(file, at);
	if (value)
		take_part(file, node, at, ":");
	else
		heddle__tune_expect(file, at, ":");
	heddle__tune_adopt(node, heddle__tune_statement(file, at));
	return node;
}

static struct tune_node *take_label(struct tune_file *file, int *at)
{
	struct tune_node *node = heddle__tune_node(file, TUNE_LABEL, *at);
	heddle__tune_step(file, at);
	heddle__tune_step(file, at);
	heddle__tune_adopt(node, heddle__tune_statement(file, at));
	return node;
}

static struct tune_node *take_expression(struct tune_file *file, int *at)
{
	struct tune_node *node = heddle__tune_node(file, TUNE_EXPRESSION, *at);
	if (heddle__tune_at(file, *at, ";")) {
		node->kind = TUNE_EMPTY;
		heddle__tune_step(file, at);
		return node;
	}
	heddle__tune_adopt(node, heddle__tune_expression(file, at));
	heddle__tune_expect(file, at, ";");
	node->last = heddle__tune_before(&file->source, *at);
	return node;
}

static const struct {
	const char *word;
	enum tune_node_kind kind;
} worded[] = {{"break", TUNE_JUMP}, {"continue", TUNE_JUMP}, {"goto", TUNE_JUMP}, {"return", TUNE_JUMP},
	{"upc_barrier", TUNE_SYNCHRONIZE}, {"upc_notify", TUNE_SYNCHRONIZE}, {"upc_wait", TUNE_SYNCHRONIZE},
	{"upc_fence", TUNE_SYNCHRONIZE}};

static struct tune_node *take_statement(struct tune_file *file, int *at)
{
	int next = heddle__tune_next(&file->source, *at);
	if (heddle__tune_at(file, *at, "{"))
		return take_block(file, at);
	if (heddle__tune_at(file, *at, "if"))
		return take_if(file, at);
	if (heddle__tune_at(file, *at, "for"))
		return take_for(file, TUNE_FOR, at);
	if (heddle__tune_at(file, *at, "upc_forall"))
		return take_for(file, TUNE_FORALL, at);
	if (heddle__tune_at(file, *at, "while"))
		return take_while(file, TUNE_WHILE, at);
	if (heddle__tune_at(file, *at, "switch"))
		return take_while(file, TUNE_SWITCH, at);
	if (heddle__tune_at(file, *at, "do"))
		return take_do(file, at);
	if (heddle__tune_at(file, *at, "case") || heddle__tune_at(file, *at, "default"))
		return take_case(file, at);
	for (size_t i = 0; i < sizeof(worded) / sizeof(*worded); i++)
		if (heddle__tune_at(file, *at, worded[i].word))
			return take_worded(file, worded[i].kind, at);
	if (file->source.tokens[*at].kind == TUNE_WORD && heddle__tune_at(file, next, ":"))
		return take_label(file, at);
	return heddle__tune_starts_type(file, *at) ? heddle__tune_declaration(file, at) : take_expression(file, at);
}

struct tune_node *heddle__tune_statement(struct tune_file *file, int *at)
{
	heddle__tune_enter(file, *at);
	struct tune_node *node = take_statement(file, at);
	file->depth--;
	return node;
}

void heddle__tune_parse_function(struct tune_file *file, struct tune_symbol *function)
{
	int at = function->body;
	if (function->tree)
		return;
	struct tune_scope *scope;
	file->scope = &file->globals;
	file->depth = 0;
	enter(file, &scope);
	heddle__tune_parameters(file, function->parameters);
	function->symbols = file->scope->symbols;
	function->tree = take_block(file, &at);
	leave(file, scope);
}
