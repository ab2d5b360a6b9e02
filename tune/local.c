/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds elements that the affinity of a loop proves to be on the thread that executes the iteration. */
#include "tune/loop.h"

#include <string.h>

/* Returns true for a one-dimensional array, or a pointer to its first element, that begins on thread 0. */
static bool is_whole_array(struct tune_file *file, const struct tune_symbol *symbol)
{
	return symbol->type->of && symbol->type->of->kind == TUNE_BASE && heddle__tune_owns_memory(file, symbol, true);
}

static bool same_layout(const struct tune_symbol *a, const struct tune_symbol *b)
{
	return a->type->of->block == b->type->of->block && a->type->of->block > 0;
}

/* An array of rows, each of which is one block: shared [N] T x[M][N]. Returns N, or 0. */
static int row_block(const struct tune_symbol *symbol)
{
	const struct tune_type *row = symbol->type->of, *element = row ? row->of : NULL;
	if (!row || !element || symbol->type->kind != TUNE_ARRAY || symbol->parameter || row->kind != TUNE_ARRAY ||
		element->kind != TUNE_BASE || element->block != row->elements)
		return 0;
	return element->block;
}

/* Returns true if both access the same row of such arrays: equal rows are on one thread. */
static bool is_same_row(const struct tune_loop *loop, const struct tune_access *a, const struct tune_symbol *root,
	const struct tune_access *b)
{
	int block = row_block(a->root);
	return block > 0 && block == row_block(root) &&
	       heddle__tune_same_text(loop->file, heddle__tune_index(a, 0), heddle__tune_index(b, 0));
}

/* True for a variable that a for in the body increases from 0 to below `bound`, and that nothing else changes. */
static bool counts_to(struct tune_loop *loop, const struct tune_node *use, int bound)
{
	struct tune_file *file = loop->file;
	const struct tune_node *outer = use->parent, *test, *step;
	long value;
	for (; outer != loop->node; outer = outer->parent) {
		if (outer->kind != TUNE_FOR || !outer->child->child)
			continue;
		const struct tune_node *target = outer->child->child, *start = target->next;
		if (outer->child->kind == TUNE_DECLARATION)
			start = target->child;
		test = heddle__tune_bare(outer->child->next);
		step = outer->child->next->next;
		if (target->symbol == use->symbol && start && heddle__tune_is(&file->source, start->first, "0") &&
			start->first == start->last && test->kind == TUNE_BINARY && heddle__tune_op(file, test, "<") &&
			test->child->symbol == use->symbol && heddle__tune_within(use, step->next) &&
			(step->kind == TUNE_POSTFIX || step->kind == TUNE_UNARY) && heddle__tune_op(file, step, "++") &&
			heddle__tune_value(file, test->child->next, &value) && value == bound)
			break;
	}
	if (outer == loop->node || heddle__tune_facts(loop, use->symbol)->address_taken)
		return false;
	int changes = 0;
	for (const struct tune_node *node = loop->body; node; node = heddle__tune_walk(loop->body, node))
		if (heddle__tune_is_change(file, node) && heddle__tune_bare(node->child)->symbol == use->symbol &&
			!(node->parent == outer && node->next))
			changes++;
	return changes == 0;
}

/*
 * Returns true for x[i * N + k] with blocks of N and k below N: it is on the thread of element i of an array with
 * blocks of one, if both arrays begin on thread 0.
 */
static bool is_in_block(struct tune_loop *loop, const struct tune_access *access, const struct tune_symbol *root,
	const struct tune_node *at)
{
	struct tune_file *file = loop->file;
	const struct tune_node *sum = heddle__tune_bare(heddle__tune_index(access, 0)), *product, *rest;
	int block = access->root->type->of ? access->root->type->of->block : 0;
	long factor;
	if (block < 2 || (root && root->type->of->block != 1) || heddle__tune_index(access, 1) ||
		!is_whole_array(file, access->root) || (root && !is_whole_array(file, root)))
		return false;
	if (sum->kind != TUNE_BINARY || !heddle__tune_op(file, sum, "+"))
		return false;
	product = heddle__tune_bare(sum->child);
	rest = heddle__tune_bare(sum->child->next);
	return product->kind == TUNE_BINARY && heddle__tune_op(file, product, "*") && rest->kind == TUNE_NAME &&
	       rest->symbol && heddle__tune_same_text(file, heddle__tune_bare(product->child), at) &&
	       heddle__tune_value(file, product->child->next, &factor) && factor == block &&
	       counts_to(loop, rest, block);
}

static bool is_local_by_element(
	struct tune_loop *loop, const struct tune_access *access, struct tune_symbol *root, struct tune_node *element)
{
	struct tune_access affinity = {.element = element};
	bool same = access->root == root;
	if (is_same_row(loop, access, root, &affinity) ||
		(!heddle__tune_index(&affinity, 1) &&
			is_in_block(loop, access, root, heddle__tune_bare(heddle__tune_index(&affinity, 0)))))
		return true;
	if (!same && !(is_whole_array(loop->file, root) && is_whole_array(loop->file, access->root) &&
			     same_layout(root, access->root)))
		return false;
	for (int n = 0;; n++) {
		const struct tune_node *a = heddle__tune_index(access, n), *b = heddle__tune_index(&affinity, n);
		if (!a || !b)
			return a == b;
		if (!heddle__tune_same_text(loop->file, a, b))
			return false;
	}
}

/* True if the names in an affinity keep their values in an iteration, and name the same variables in the body. */
static bool is_stable(struct tune_loop *loop, const struct tune_node *top)
{
	for (const struct tune_node *node = top; node; node = heddle__tune_walk(top, node)) {
		bool memory = node->kind == TUNE_INDEX || node->kind == TUNE_MEMBER;
		if (memory && node->type && node->type->kind != TUNE_ARRAY &&
			(node->type->shared || loop->writes_memory) &&
			!(node->kind == TUNE_INDEX && node->parent->kind == TUNE_ADDRESS))
			return false;
		if (node->kind != TUNE_NAME || !node->symbol)
			continue;
		const struct tune_facts *facts = heddle__tune_facts(loop, node->symbol);
		if (facts->written || facts->address_taken)
			return false;
		for (int i = 0; i < loop->fact_count; i++)
			if (loop->facts[i]->inside && loop->facts[i]->symbol != node->symbol &&
				strcmp(loop->facts[i]->symbol->name, node->symbol->name) == 0)
				return false;
	}
	return true;
}

void heddle__tune_find_local(struct tune_loop *loop)
{
	struct tune_node *affinity = heddle__tune_bare(loop->affinity), *element = NULL;
	struct tune_symbol *root = NULL;
	if (affinity->kind == TUNE_EMPTY || !is_stable(loop, affinity))
		return;
	if (affinity->kind == TUNE_ADDRESS)
		root = heddle__tune_root(heddle__tune_bare(affinity->child), &element);
	bool number = !root && affinity->type && affinity->type->kind == TUNE_BASE && !affinity->type->shared;
	for (struct tune_access *access = loop->accesses; access; access = access->next) {
		if (!access->element || access->variant || !access->root || access->moved)
			continue;
		if (root && element)
			access->local = is_local_by_element(loop, access, root, element);
		else if (number && is_in_block(loop, access, NULL, affinity))
			access->local = true;
		else if (number && is_whole_array(loop->file, access->root) && access->root->type->of->block == 1)
			access->local = heddle__tune_same_text(
				loop->file, heddle__tune_bare(heddle__tune_index(access, 0)), affinity);
	}
}
