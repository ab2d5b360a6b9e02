/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes of the tree and symbols of a scope: making, finding, walking. */
#include "cli/exit_status.h"
#include "cli/tune/syntax.h"

#include <string.h>

#define MOST_NESTED 1000

struct tune_node *heddle__tune_node(struct tune_file *file, enum tune_node_kind kind, int first)
{
	struct tune_node *node = heddle__tune_take(file->work, sizeof(*node));
	node->kind = kind;
	node->first = first;
	node->last = first;
	node->op = first;
	return node;
}

void heddle__tune_adopt(struct tune_node *parent, struct tune_node *child)
{
	struct tune_node **end = &parent->child;
	while (*end)
		end = &(*end)->next;
	*end = child;
	child->parent = parent;
	if (child->last > parent->last)
		parent->last = child->last;
}

void heddle__tune_unparsable(const struct tune_file *file, int token)
{
	const struct tune_token *it = &file->source.tokens[token];
	if (it->kind == TUNE_END)
		heddle__tune_refuse(&file->source, token, "the file ends in the middle of a function");
	heddle__tune_refuse(&file->source, token,
		"'%.*s' is not understood here: it may come from a macro, or be an extension of C", it->length,
		it->text);
}

void heddle__tune_enter(struct tune_file *file, int token)
{
	if (++file->depth > MOST_NESTED)
		heddle__tune_refuse(&file->source, token, "expressions or statements are nested too deeply");
}

void heddle__tune_expect(const struct tune_file *file, int *at, const char *text)
{
	if (!heddle__tune_is(&file->source, *at, text))
		heddle__tune_unparsable(file, *at);
	*at = heddle__tune_next(&file->source, *at);
}

struct tune_symbol *heddle__tune_find_name(const struct tune_scope *scope, const char *name)
{
	for (; scope; scope = scope->outer)
		for (struct tune_symbol *symbol = scope->symbols; symbol; symbol = symbol->next)
			if (symbol->kind != TUNE_TAG && strcmp(symbol->name, name) == 0)
				return symbol;
	return NULL;
}

struct tune_symbol *heddle__tune_find(const struct tune_file *file, const struct tune_scope *scope, int token)
{
	const struct tune_token *it = &file->source.tokens[token];
	for (; scope; scope = scope->outer)
		for (struct tune_symbol *symbol = scope->symbols; symbol; symbol = symbol->next)
			if (symbol->kind != TUNE_TAG && strlen(symbol->name) == (size_t)it->length &&
				strncmp(symbol->name, it->text, (size_t)it->length) == 0)
				return symbol;
	return NULL;
}

struct tune_symbol *heddle__tune_declare(
	struct tune_file *file, enum tune_symbol_kind kind, int token, struct tune_type *type)
{
	struct tune_scope only = {.symbols = file->scope->symbols};
	struct tune_symbol *before = kind == TUNE_TAG ? NULL : heddle__tune_find(file, &only, token);
	struct tune_symbol *symbol = heddle__tune_take(file->work, sizeof(*symbol));
	symbol->kind = kind;
	symbol->name = heddle__tune_word(&file->source, token);
	symbol->type = type;
	symbol->token = token;
	symbol->global = file->scope == &file->globals;
	symbol->copies = 1 + (before ? before->copies : 0);
	symbol->next = file->scope->symbols;
	file->scope->symbols = symbol;
	return symbol;
}

struct tune_type *heddle__tune_unknown_type(struct tune_file *file)
{
	struct tune_type *type = heddle__tune_take(file->work, sizeof(*type));
	type->kind = TUNE_UNKNOWN;
	return type;
}

struct tune_node *heddle__tune_child(const struct tune_node *node, int n)
{
	struct tune_node *child = node->child;
	while (child && n-- > 0)
		child = child->next;
	return child;
}

struct tune_node *heddle__tune_bare(struct tune_node *node)
{
	while (node && node->kind == TUNE_GROUP)
		node = node->child;
	return node;
}

bool heddle__tune_op(const struct tune_file *file, const struct tune_node *node, const char *text)
{
	return heddle__tune_is(&file->source, node->op, text);
}

struct tune_node *heddle__tune_walk(const struct tune_node *top, const struct tune_node *node)
{
	if (node->child)
		return node->child;
	while (node != top && !node->next)
		node = node->parent;
	return node == top ? NULL : node->next;
}

bool heddle__tune_within(const struct tune_node *node, const struct tune_node *outer)
{
	while (node && node != outer)
		node = node->parent;
	return node;
}
