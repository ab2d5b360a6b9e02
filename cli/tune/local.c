/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements that the affinity of a loop proves to be on the thread that executes the iteration; who owns its memory. */
#include "cli/tune/loop.h"

#include <string.h>

/* ---- memory of its own ---- */

/* `= upc_all_alloc(`, maybe with a cast, follows the name. */
static bool is_allocation(const struct tune_source *source, int token, bool first_thread)
{
	static const char *const allocators[] = {"upc_all_alloc", "upc_global_alloc", "upc_alloc", "NULL", "0"};
	int at = heddle__tune_next(source, heddle__tune_next(source, token));
	while (heddle__tune_is(source, at, "("))
		at = heddle__tune_next(source, source->tokens[at].partner);
	for (size_t i = 0; i < sizeof(allocators) / sizeof(*allocators); i++)
		if (heddle__tune_is(source, at, allocators[i]))
			return i < 2 || (i == 2 && !first_thread) ||
			       heddle__tune_is(source, heddle__tune_next(source, at), ";");
	return false;
}

/* Judged by name, so that a variable of the same name elsewhere can only make it false. */
static bool owns(const struct tune_file *file, const struct tune_symbol *symbol, bool first_thread)
{
	static const char *const changes[] = {"++", "--", "+=", "-="};
	const struct tune_source *source = &file->source;
	bool assigned = false;
	if (symbol->type->kind == TUNE_ARRAY)
		return !symbol->parameter;
	if (symbol->parameter || (symbol->global && !symbol->is_static) || symbol->type->kind != TUNE_POINTER ||
		heddle__tune_addressed(file, symbol->name))
		return false;
	for (int i = 0; i < source->count; i++) {
		if (!heddle__tune_is(source, i, symbol->name))
			continue;
		if (heddle__tune_may_be_changed_by_macro(file, i))
			return false;
		int next = heddle__tune_next(source, i), before = heddle__tune_before(source, i);
		for (size_t c = 0; c < 4; c++)
			if (heddle__tune_is(source, next, changes[c]) ||
				(c < 2 && before >= 0 && heddle__tune_is(source, before, changes[c])))
				return false;
		if (!heddle__tune_is(source, next, "="))
			continue;
		if (!is_allocation(source, i, first_thread))
			return false;
		assigned = true;
	}
	return assigned;
}

bool heddle__tune_owns_memory(const struct tune_file *file, const struct tune_symbol *symbol)
{
	return owns(file, symbol, false);
}

/* ---- local elements ---- */

/* An array, or a pointer to its first element, that begins on thread 0 and has one dimension. */
static bool is_plain_array(const struct tune_file *file, const struct tune_symbol *symbol)
{
	return symbol->type->of && symbol->type->of->kind == TUNE_BASE && owns(file, symbol, true);
}

static bool same_layout(const struct tune_symbol *a, const struct tune_symbol *b)
{
	const char *one = a->type->of->layout, *other = b->type->of->layout;
	if (!one || !other)
		return one == other;
	return strcmp(one, other) == 0 && strcmp(one, "[*]") != 0 && strcmp(one, "[]") != 0 && strcmp(one, "[ ]") != 0;
}

/* An array of rows, each of which is one block: shared [N] T x[M][N]. Returns the layout, or NULL. */
static const char *row_layout(const struct tune_symbol *symbol)
{
	const struct tune_type *row = symbol->type->of, *element = row ? row->of : NULL;
	if (!row || !element || symbol->type->kind != TUNE_ARRAY || symbol->parameter || row->kind != TUNE_ARRAY ||
		element->kind != TUNE_BASE || !element->layout)
		return NULL;
	size_t length = strlen(row->bound);
	bool whole = length && strlen(element->layout) == length + 2 &&
		     strncmp(element->layout + 1, row->bound, length) == 0;
	return whole ? element->layout : NULL;
}

/* The same row of two such arrays is on one thread. */
static bool is_same_row(const struct tune_loop *loop, const struct tune_access *a, const struct tune_symbol *root,
	const struct tune_access *b)
{
	const char *one = row_layout(a->root), *other = row_layout(root);
	return one && other && strcmp(one, other) == 0 &&
	       heddle__tune_same_text(loop->file, heddle__tune_index(a, 0), heddle__tune_index(b, 0));
}

/* A variable that a for of the body takes from 0 to below `bound`, and nothing else changes. */
static bool counts_to(struct tune_loop *loop, const struct tune_node *use, const char *bound)
{
	struct tune_file *file = loop->file;
	const struct tune_node *outer = use->parent, *test, *step;
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
			strcmp(heddle__tune_line(&file->source, test->child->next->first, test->child->next->last),
				bound) == 0)
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
 * x[i * N + k] with blocks of N and k below N is where an element i of an array with blocks of one is, if both begin on
 * thread 0.
 */
static bool is_in_block(struct tune_loop *loop, const struct tune_access *access, const struct tune_symbol *root,
	const struct tune_node *at)
{
	const struct tune_file *file = loop->file;
	const struct tune_node *sum = heddle__tune_bare(heddle__tune_index(access, 0)), *product, *rest;
	const char *layout = access->root->type->of ? access->root->type->of->layout : NULL;
	if (!layout || strlen(layout) < 3 || (root && root->type->of->layout) || heddle__tune_index(access, 1) ||
		!is_plain_array(file, access->root) || (root && !is_plain_array(file, root)))
		return false;
	if (sum->kind != TUNE_BINARY || !heddle__tune_op(file, sum, "+"))
		return false;
	product = heddle__tune_bare(sum->child);
	rest = heddle__tune_bare(sum->child->next);
	const char *bound = heddle__tune_format(file->work, "%.*s", (int)strlen(layout) - 2, layout + 1);
	return product->kind == TUNE_BINARY && heddle__tune_op(file, product, "*") && rest->kind == TUNE_NAME &&
	       rest->symbol && heddle__tune_same_text(file, heddle__tune_bare(product->child), at) &&
	       strcmp(heddle__tune_line(&file->source, product->child->next->first, product->child->next->last),
		       bound) == 0 &&
	       counts_to(loop, rest, bound);
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
	if (!same && !(is_plain_array(loop->file, root) && is_plain_array(loop->file, access->root) &&
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

/* The names in an affinity keep their values in an iteration, and mean the same in the body. */
static bool is_stable(struct tune_loop *loop, const struct tune_node *top)
{
	for (const struct tune_node *node = top; node; node = heddle__tune_walk(top, node)) {
		bool memory = node->kind == TUNE_INDEX || node->kind == TUNE_MEMBER ||
			      (node->kind == TUNE_UNARY && heddle__tune_op(loop->file, node, "*"));
		if (memory && node->type && node->type->kind != TUNE_ARRAY &&
			(node->type->shared || loop->writes_memory) &&
			!(node->kind == TUNE_INDEX && node->parent->kind == TUNE_UNARY))
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
	if (affinity->kind == TUNE_UNARY && heddle__tune_op(loop->file, affinity, "&"))
		root = heddle__tune_root(loop->file, heddle__tune_bare(affinity->child), &element);
	bool number = !root && affinity->type && affinity->type->kind == TUNE_BASE && !affinity->type->shared;
	for (struct tune_access *access = loop->accesses; access; access = access->next) {
		if (!access->element || access->variant || !access->root)
			continue;
		if (root && element)
			access->local = is_local_by_element(loop, access, root, element);
		else if (number && is_in_block(loop, access, NULL, affinity))
			access->local = true;
		else if (number && is_plain_array(loop->file, access->root) && !access->root->type->of->layout)
			access->local = heddle__tune_same_text(
				loop->file, heddle__tune_bare(heddle__tune_index(access, 0)), affinity);
	}
}
