/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether iterations depend on each other: one may read what another one writes. A cache shows what others write later
 * than the loop without it. That must not matter.
 */
#include "tune/loop.h"

/* An expression of constants: the same on all threads. */
static bool is_uniform(const struct tune_loop *loop, const struct tune_node *top)
{
	for (const struct tune_node *node = top; node; node = heddle__tune_walk(top, node)) {
		bool constant = node->kind == TUNE_NAME &&
				(node->symbol ? node->symbol->kind == TUNE_ENUMERATOR
					      : heddle__tune_is(&loop->file->source, node->first, "THREADS"));
		if (!constant && node->kind != TUNE_CONSTANT && node->kind != TUNE_GROUP && node->kind != TUNE_BINARY &&
			node->kind != TUNE_SUM && node->kind != TUNE_NEGATIVE)
			return false;
	}
	return true;
}

/* An index that is different in each iteration: the loop's index, plus or minus what does not change. */
static bool is_distinct(const struct tune_loop *loop, struct tune_node *node)
{
	node = heddle__tune_bare(node);
	if (node->kind == TUNE_NAME)
		return node->symbol == loop->index;
	if (node->kind == TUNE_SUM) {
		int distinct = 0;
		for (struct tune_node *term = node->child; term; term = term->next)
			if (!is_uniform(loop, term))
				distinct += is_distinct(loop, term) ? 1 : 2;
		return distinct == 1;
	}
	if (node->kind != TUNE_BINARY ||
		!(heddle__tune_op(loop->file, node, "+") || heddle__tune_op(loop->file, node, "-")))
		return false;
	const struct tune_node *right = heddle__tune_bare(node->child->next), *left = heddle__tune_bare(node->child);
	if (is_uniform(loop, right))
		return is_distinct(loop, node->child);
	return is_uniform(loop, left) && is_distinct(loop, node->child->next);
}

bool heddle__tune_is_own(const struct tune_loop *loop, const struct tune_access *access)
{
	const struct tune_node *affinity = heddle__tune_bare(loop->affinity);
	return access->element && !access->moved && !heddle__tune_index(access, 1) &&
	       is_distinct(loop, heddle__tune_index(access, 0)) && affinity->kind != TUNE_EMPTY;
}

/* Whether no iteration reads an element that another one writes; else *reader is the access that may. */
static bool is_independent(
	const struct tune_loop *loop, const struct tune_symbol *symbol, const struct tune_access **reader)
{
	const struct tune_access *first = NULL;
	bool reads = false;
	*reader = NULL;
	for (const struct tune_access *access = loop->accesses; access; access = access->next) {
		if (access->root != symbol || !(access->write || heddle__tune_is_overwritten(loop, access)))
			continue;
		reads |= access->read;
		bool own = heddle__tune_is_own(loop, access) &&
			   (!first || heddle__tune_same_text(
					      loop->file, heddle__tune_index(first, 0), heddle__tune_index(access, 0)));
		if (!own && (!*reader || !(*reader)->read))
			*reader = access;
		first = first ? first : access;
	}
	return !reads || !*reader;
}

/* What a value points to, as far as it has a name. */
static struct tune_symbol *pointed_to(struct tune_node *value)
{
	struct tune_node *node = heddle__tune_bare(value), *element;
	return heddle__tune_root(node->kind == TUNE_ADDRESS ? heddle__tune_bare(node->child) : node, &element);
}

bool heddle__tune_may_store_privately(const struct tune_loop *loop, const struct tune_symbol *symbol)
{
	const struct tune_symbol *in;
	const struct tune_node *node = NULL;
	while ((node = heddle__tune_walk_file(loop->file, &in, node)) != NULL) {
		bool cast = node->kind == TUNE_CAST ||
			    (node->kind == TUNE_CALL &&
				    heddle__tune_is(&loop->file->source, node->child->first, "upc_cast"));
		const struct tune_type *to = cast ? node->type : NULL;
		struct tune_node *value = node->child;
		if (!to || to->kind != TUNE_POINTER || !to->of || to->of->shared)
			continue;
		while (value->next)
			value = value->next;
		const struct tune_type *from = heddle__tune_bare(value)->type;
		struct tune_symbol *root = from && from->of ? pointed_to(value) : NULL;
		if (root && (root == symbol || heddle__tune_may_share_origin(loop->file, root, symbol)) &&
			heddle__tune_stores(loop, heddle__tune_element_type(symbol->type)))
			return true;
	}
	return false;
}

void heddle__tune_check_races(struct tune_loop *loop, struct tune_facts *facts)
{
	const struct tune_access *reader;
	if (heddle__tune_may_store_privately(loop, facts->symbol))
		heddle__tune_refuse_node(loop, loop->node,
			"the loop may write elements of %s through a private pointer, which other iterations may read: "
			"--policy arbitrary allows it",
			facts->symbol->name);
	if (!facts->stored || is_independent(loop, facts->symbol, &reader))
		return;
	heddle__tune_refuse_node(loop, reader->top,
		"an iteration may read elements of %s that another one writes (%s): --policy arbitrary allows it%s",
		facts->symbol->name, heddle__tune_line(&loop->file->source, reader->top->first, reader->top->last),
		reader->read && reader->write ? "; then updates of one element by several threads may be lost" : "");
}
