/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds nodes of the tree and symbols, and walks through the tree. */
#include "tune/syntax.h"

#include <string.h>

struct tune_symbol *heddle__tune_find_name(const struct tune_file *file, const char *name)
{
	struct tune_symbol *symbol = file->globals;
	while (symbol && strcmp(symbol->name, name) != 0)
		symbol = symbol->next;
	return symbol;
}

struct tune_symbol *heddle__tune_function_at(const struct tune_file *file, int token)
{
	struct tune_symbol *symbol = file->globals;
	while (symbol && !(symbol->body && symbol->body < token && symbol->tree->last > token))
		symbol = symbol->next;
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

const struct tune_node *heddle__tune_above(const struct tune_node *node)
{
	const struct tune_node *parent = node->parent;
	while (parent && parent->kind == TUNE_GROUP)
		parent = parent->parent;
	return parent;
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

const struct tune_node *heddle__tune_walk_file(
	const struct tune_file *file, const struct tune_symbol **in, const struct tune_node *node)
{
	const struct tune_symbol *symbol = node ? *in : NULL;
	node = node ? heddle__tune_walk(symbol->tree, node) : NULL;
	while (!node && (symbol = symbol ? symbol->next : file->globals) != NULL)
		node = symbol->tree;
	*in = symbol;
	return node;
}

bool heddle__tune_is_loop(const struct tune_node *node)
{
	return node->kind == TUNE_WHILE || node->kind == TUNE_DO || node->kind == TUNE_FOR;
}

bool heddle__tune_within(const struct tune_node *node, const struct tune_node *outer)
{
	while (node && node != outer)
		node = node->parent;
	return node;
}

bool heddle__tune_mentions(const struct tune_file *file, int first, int last, const char *word)
{
	while (first <= last && !heddle__tune_at(file, first, word))
		first++;
	return first <= last;
}
