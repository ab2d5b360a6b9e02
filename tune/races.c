/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Determines whether iterations depend on each other: one may read what another one writes. With a cache, an iteration
 * sees writes of others later than without it, which must not matter.
 */
#include "tune/loop.h"

#include <string.h>

/* Returns true for an expression of constants, which is equal on all threads. */
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

/* True for an index that differs in each iteration: the loop's index, plus or minus values that do not change. */
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

static bool is_same_own(const struct tune_loop *loop, const struct tune_access *a, const struct tune_access *b)
{
	return heddle__tune_is_own(loop, a) && heddle__tune_is_own(loop, b) &&
	       heddle__tune_same_text(loop->file, heddle__tune_index(a, 0), heddle__tune_index(b, 0));
}

/* The first access that may read an element that another iteration writes; NULL: none. */
static const struct tune_access *find_reader(struct tune_loop *loop, const struct tune_symbol *symbol)
{
	for (const struct tune_access *read = loop->accesses; read; read = read->next)
		for (const struct tune_access *write = loop->accesses; write; write = write->next)
			if (read->root == symbol && read->read && write->root == symbol && write->write &&
				heddle__tune_is_overwritten(loop, read) && !is_same_own(loop, read, write) &&
				!heddle__tune_are_disjoint(loop, read, write))
				return read;
	return NULL;
}

/* ---- tests that the loop's writes do not change ---- */

/* The value that an element is less than where it is written: G of if (x[i] >= G) continue; or NULL. */
static struct tune_node *limit_before(const struct tune_loop *loop, const struct tune_access *write)
{
	const struct tune_node *statement = loop->body->kind == TUNE_BLOCK ? loop->body->child : NULL;
	for (; statement && !heddle__tune_within(write->top, statement); statement = statement->next) {
		const struct tune_node *test = statement->kind == TUNE_IF ? heddle__tune_bare(statement->child) : NULL;
		const struct tune_node *then = test ? statement->child->next : NULL;
		if (then && then->kind == TUNE_JUMP && heddle__tune_op(loop->file, then, "continue") && !then->next &&
			test->kind == TUNE_BINARY && heddle__tune_op(loop->file, test, ">=") &&
			heddle__tune_same_text(loop->file, test->child, write->top))
			return test->child->next;
	}
	return NULL;
}

static bool has_type(const struct tune_node *node, const struct tune_type *type)
{
	const char *a = node->type && node->type->basic ? node->type->basic : "", *b = type->basic ? type->basic : "-";
	return node->type && node->type->kind == TUNE_BASE && strcmp(a, b) == 0;
}

/* Sets *differs if a - b is always the same nonzero number, and *reaches if a - b is never negative. */
static void compare(struct tune_loop *loop, struct tune_node *a, struct tune_node *b, bool *differs, bool *reaches)
{
	struct tune_linear difference = heddle__tune_linear(loop, a), other = heddle__tune_linear(loop, b);
	heddle__tune_linear_add(&difference, &other, -1);
	*differs = !difference.unknown && difference.count == 0 && difference.number != 0;
	difference.number++;
	*reaches = heddle__tune_linear_is_positive(loop, &difference);
}

/*
 * Returns true for x[k] == E, on an element that another iteration may change from less than G to F, if the test is
 * false before and after the change: F is not E, and E is not less than G.
 */
static bool is_kept(struct tune_loop *loop, const struct tune_access *read, const struct tune_access *write)
{
	const struct tune_node *test = heddle__tune_above(read->top), *assignment = heddle__tune_above(write->top);
	struct tune_node *limit = limit_before(loop, write), *value = assignment->child->next, *with;
	bool differs, reaches, any;
	if (!limit || write->read || assignment->kind != TUNE_ASSIGNMENT || test->kind != TUNE_BINARY ||
		!(heddle__tune_op(loop->file, test, "==") || heddle__tune_op(loop->file, test, "!=")))
		return false;
	with = heddle__tune_bare(test->child) == read->top ? test->child->next : test->child;
	if (!has_type(with, write->type) || !has_type(value, write->type))
		return false;
	compare(loop, value, with, &differs, &any);
	compare(loop, with, limit, &any, &reaches);
	return differs && reaches;
}

/* True if only their own iteration writes elements, and tests of other iterations do not depend on when. */
static bool keeps_tests(struct tune_loop *loop, const struct tune_symbol *symbol)
{
	for (const struct tune_access *read = loop->accesses; read; read = read->next)
		for (const struct tune_access *write = loop->accesses; write; write = write->next) {
			if (read->root != symbol || write->root != symbol || !write->write ||
				is_same_own(loop, read, write))
				continue;
			if (read->write || read->variant || write->variant || !heddle__tune_is_own(loop, write) ||
				write->top != write->element || !is_kept(loop, read, write))
				return false;
		}
	return true;
}

/* The variable that a value points to, if it has a name. */
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
	if (heddle__tune_may_store_privately(loop, facts->symbol))
		heddle__tune_refuse_node(loop, loop->node,
			"the loop may write elements of %s through a private pointer, which other iterations may read: "
			"--policy arbitrary allows it",
			facts->symbol->name);
	const struct tune_access *reader = facts->stored ? find_reader(loop, facts->symbol) : NULL;
	if (!reader || keeps_tests(loop, facts->symbol))
		return;
	facts->propagated = heddle__tune_propagates(loop, facts->symbol);
	if (facts->propagated)
		return;
	heddle__tune_refuse_node(loop, reader->top,
		"an iteration may read elements of %s that another one writes (%s): --policy arbitrary allows it%s",
		facts->symbol->name, heddle__tune_line(&loop->file->source, reader->top->first, reader->top->last),
		reader->write ? "; then updates of one element by several threads may be lost" : "");
}
