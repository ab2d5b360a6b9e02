/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How names of arrays and pointers are used, and pointers that are another name of a variable's elements. If all values
 * of a local pointer in the loop are addresses of elements of one variable, as row = &a[i * N], and it is used by
 * index, then its accesses are those of the variable: row[j] is element row_first + j of a, and in the changed text the
 * number row_first replaces the pointer.
 */
#include "tune/plan.h"

#include <string.h>

static bool is_base(const struct tune_node *outer, const struct tune_node *node)
{
	return outer->kind == TUNE_INDEX && heddle__tune_bare(outer->child) == node;
}

/* Returns true if the value of a change is not used, except as the index of an element. */
static bool is_unused(const struct tune_file *file, const struct tune_node *change)
{
	const struct tune_node *outer = heddle__tune_above(change);
	while (outer && outer->kind == TUNE_BINARY && heddle__tune_op(file, outer, ","))
		change = outer, outer = heddle__tune_above(outer);
	bool steps = outer && outer->kind == TUNE_INDEX && heddle__tune_bare(outer->child->next) == change &&
		     outer->child->symbol &&
		     outer->child->symbol == heddle__tune_bare(change->child)->symbol; /* *p++ */
	return outer &&
	       (steps || outer->kind == TUNE_EXPRESSION ||
		       (outer->kind == TUNE_FOR && (outer->child == change || outer->child->next->next == change)));
}

static enum tune_use use_of_value(
	const struct tune_file *file, const struct tune_node *value, bool is_name, const struct tune_node **where)
{
	const struct tune_node *outer = heddle__tune_above(value), *whole = value;
	while (outer->kind == TUNE_CONDITIONAL && heddle__tune_bare(outer->child) != whole)
		whole = outer, outer = heddle__tune_above(outer);
	bool left = outer->child && heddle__tune_bare(outer->child) == whole;
	*where = outer;
	if (whole != value && outer->kind != TUNE_DECLARATOR && outer->kind != TUNE_ASSIGNMENT)
		return TUNE_USED_OTHERWISE;
	if (outer->kind == TUNE_SIZEOF || (!is_name && heddle__tune_is_asked_about(file, value)))
		return TUNE_KEPT;
	if (outer->kind == TUNE_CALL)
		return left ? TUNE_USED_OTHERWISE : TUNE_AS_ARGUMENT;
	if (outer->kind == TUNE_DECLARATOR)
		return TUNE_AS_VALUE;
	if (outer->kind == TUNE_ASSIGNMENT && !left)
		return heddle__tune_op(file, outer, "=") ? TUNE_AS_VALUE : TUNE_USED_OTHERWISE;
	return is_name && whole == value && heddle__tune_is_change(file, outer) && is_unused(file, outer)
		       ? TUNE_CHANGED
		       : TUNE_USED_OTHERWISE;
}

enum tune_use heddle__tune_use(
	const struct tune_file *file, const struct tune_node *name, const struct tune_node **where)
{
	const struct tune_node *node = name, *outer = heddle__tune_above(name);
	bool part = false;
	if (!is_base(outer, name))
		return use_of_value(file, name, true, where);
	do {
		part |= outer->kind == TUNE_MEMBER;
		node = outer;
		outer = heddle__tune_above(outer);
	} while (outer->kind == TUNE_MEMBER || (is_base(outer, node) && node->type && node->type->kind == TUNE_ARRAY));
	if (outer->kind == TUNE_SIZEOF)
		return TUNE_KEPT;
	if (outer->kind != TUNE_ADDRESS)
		return node->type && node->type->kind == TUNE_ARRAY ? TUNE_USED_OTHERWISE : TUNE_BY_INDEX;
	if (part && !heddle__tune_is_asked_about(file, outer))
		return TUNE_USED_OTHERWISE;
	return use_of_value(file, outer, false, where);
}

const struct tune_node *heddle__tune_pointee(struct tune_node *value, struct tune_node **element)
{
	struct tune_node *node = heddle__tune_bare(value);
	*element = NULL;
	if (node->kind == TUNE_ADDRESS) {
		node = heddle__tune_bare(node->child);
		if (node->kind != TUNE_INDEX || !heddle__tune_root(node, element) || *element != node)
			return NULL;
		while (node->kind == TUNE_INDEX)
			node = heddle__tune_bare(node->child);
	}
	bool pointer = node->kind == TUNE_NAME && node->type &&
		       (node->type->kind == TUNE_POINTER || node->type->kind == TUNE_ARRAY);
	return pointer && node->symbol && node->symbol->kind == TUNE_VARIABLE ? node : NULL;
}

bool heddle__tune_same_elements(const struct tune_type *pointer, const struct tune_type *other)
{
	const struct tune_type *a = pointer->of, *b = other->of;
	bool both = a && b && a->kind == TUNE_BASE && b->kind == TUNE_BASE && a->shared && b->shared && a->basic &&
		    b->basic;
	return both && strcmp(a->basic, b->basic) == 0 && a->strict == b->strict && a->block == b->block &&
	       a->block >= 0;
}

struct tune_symbol *heddle__tune_base(struct tune_symbol *symbol)
{
	while (symbol && symbol->facts && symbol->facts->base)
		symbol = symbol->facts->base;
	return symbol;
}

/* ---- which pointers ---- */

#define MOST_POINTERS 32

struct candidates {
	struct tune_loop *loop;
	const struct tune_node *scope; /* where the pointers are used */
	struct tune_symbol *list[MOST_POINTERS];
	int count;
};

static int find_candidate(const struct candidates *all, const struct tune_symbol *symbol)
{
	int at = 0;
	while (at < all->count && all->list[at] != symbol)
		at++;
	return at;
}

static void add_candidate(struct candidates *all, struct tune_symbol *symbol)
{
	const struct tune_type *type = symbol ? symbol->type : NULL;
	bool local = symbol && symbol->kind == TUNE_VARIABLE && !symbol->global && !symbol->parameter &&
		     !symbol->is_static && !symbol->is_extern && !symbol->structure.symbol;
	if (local && type && type->kind == TUNE_POINTER && !type->shared && !type->is_volatile && type->of &&
		type->of->shared && find_candidate(all, symbol) == all->count && all->count < MOST_POINTERS)
		all->list[all->count++] = symbol;
}

/* Returns true if a declaration declares only candidates: it becomes one of numbers as a whole. */
static bool is_declared_with(const struct candidates *all, const struct tune_node *declaration)
{
	for (const struct tune_node *node = declaration->child; node; node = node->next)
		if (node->kind != TUNE_DECLARATOR || find_candidate(all, node->symbol) == all->count)
			return false;
	return true;
}

static bool is_declared_in(const struct tune_node *scope, const struct tune_symbol *symbol)
{
	const struct tune_node *node = scope;
	while (node && !(node->kind == TUNE_DECLARATOR && node->symbol == symbol))
		node = heddle__tune_walk(scope, node);
	return node;
}

static const struct tune_symbol *assigned_to(const struct tune_node *where)
{
	return where->kind == TUNE_DECLARATOR ? where->symbol : heddle__tune_bare(where->child)->symbol;
}

/* Returns true if a use of a candidate allows a number in its place. */
static bool is_good_mention(const struct candidates *all, const struct tune_node *node)
{
	const struct tune_node *where;
	const struct tune_file *file = all->loop->file;
	if (!heddle__tune_within(node, all->scope))
		return node->kind == TUNE_DECLARATOR || (heddle__tune_above(node)->kind != TUNE_ADDRESS &&
								heddle__tune_is_assigned_again(all->loop, node));
	if (node->kind == TUNE_DECLARATOR)
		return is_declared_with(all, node->parent);
	if (all->scope == all->loop->body && !is_declared_in(all->scope, node->symbol) &&
		!heddle__tune_is_assigned_before(all->loop, node))
		return false;
	switch (heddle__tune_use(file, node, &where)) {
	case TUNE_BY_INDEX:
	case TUNE_AS_ARGUMENT:
		return true;
	case TUNE_AS_VALUE:
		return find_candidate(all, assigned_to(where)) < all->count;
	case TUNE_CHANGED:
		return where->kind != TUNE_ASSIGNMENT || heddle__tune_op(file, where, "=") ||
		       heddle__tune_op(file, where, "+=") || heddle__tune_op(file, where, "-=");
	default:
		return false;
	}
}

/* The value that a node assigns to a candidate, or NULL. */
static struct tune_node *value_for(
	const struct candidates *all, const struct tune_node *node, const struct tune_symbol *symbol)
{
	if (node->kind == TUNE_DECLARATOR && node->symbol == symbol)
		return node->child;
	bool assigned = node->kind == TUNE_ASSIGNMENT && heddle__tune_op(all->loop->file, node, "=") &&
			heddle__tune_bare(node->child)->symbol == symbol;
	return assigned ? node->child->next : NULL;
}

/* Returns true if a candidate's value is the address of an element of *base, which the first value sets, or its own. */
static bool has_base(const struct tune_symbol *symbol, struct tune_node *value, struct tune_symbol **base)
{
	struct tune_node *node = heddle__tune_bare(value), *element;
	if (node->kind == TUNE_CONDITIONAL)
		return has_base(symbol, node->child->next, base) && has_base(symbol, node->child->next->next, base);
	const struct tune_node *name = heddle__tune_pointee(node, &element);
	if (name && name->symbol == symbol)
		return true;
	if (!name || (*base && *base != name->symbol) || !heddle__tune_same_elements(symbol->type, node->type))
		return false;
	*base = name->symbol;
	return true;
}

/* The only variable, possibly another candidate, whose elements all values of a candidate point to; NULL: none. */
static struct tune_symbol *find_base(const struct candidates *all, const struct tune_symbol *symbol)
{
	struct tune_symbol *base = NULL;
	for (const struct tune_node *node = all->scope; node; node = heddle__tune_walk(all->scope, node)) {
		struct tune_node *value = value_for(all, node, symbol);
		if (value && !has_base(symbol, value, &base))
			return NULL;
	}
	return base;
}

/* Returns true if a symbol is in the affinity of a loop that became a for: the tree does not have that affinity. */
static bool is_in_affinity(const struct candidates *all, const struct tune_symbol *symbol)
{
	for (const struct tune_node *node = all->scope; node; node = heddle__tune_walk(all->scope, node)) {
		const struct tune_node *step = node->kind == TUNE_FOR ? heddle__tune_child(node, 2) : NULL;
		if (step && heddle__tune_mentions(all->loop->file, step->last + 1, step->next->first - 1, symbol->name))
			return true;
	}
	return false;
}

static bool is_good(const struct candidates *all, const struct tune_symbol *symbol, const struct tune_node *function)
{
	for (const struct tune_node *node = function; node; node = heddle__tune_walk(function, node))
		if ((node->kind == TUNE_NAME || node->kind == TUNE_DECLARATOR) && node->symbol == symbol &&
			!is_good_mention(all, node))
			return false;
	if (is_in_affinity(all, symbol))
		return false;
	/* The pointer must have a value from a variable that is not a candidate. */
	const struct tune_symbol *base = find_base(all, symbol);
	for (int i = 0; base && i < all->count && find_candidate(all, base) < all->count; i++)
		base = find_base(all, base);
	return base && find_candidate(all, base) == all->count;
}

void heddle__tune_find_pointers(
	struct tune_loop *loop, const struct tune_symbol *function, const struct tune_node *scope)
{
	struct candidates all = {.loop = loop, .scope = scope};
	for (const struct tune_node *node = scope; node; node = heddle__tune_walk(scope, node))
		if (node->kind == TUNE_DECLARATOR || node->kind == TUNE_NAME)
			add_candidate(&all, node->symbol);
	for (int i = 0; i < all.count; i++)
		if (!is_good(&all, all.list[i], function->tree)) {
			all.list[i] = all.list[--all.count];
			i = -1;
		}
	for (int i = 0; i < all.count; i++)
		heddle__tune_facts(loop, all.list[i])->base = find_base(&all, all.list[i]);
}
