/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Levels: a value of level n is known after n downloads, before the loop's body runs. It depends on private variables
 * that the body does not change, on local elements, and, if n > 0, on cached elements that were downloaded. The level
 * of a variable is that of all its assignments, so the order of statements does not matter.
 */
#include "tune/plan.h"

#include <string.h>

#define MOST_LEVELS 3

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/* Returns true if a write may be before this read in the same iteration. */
static bool may_precede(const struct tune_loop *loop, const struct tune_node *write, const struct tune_node *read,
	const struct tune_node *first)
{
	if (write->first < read->first)
		return true;
	for (const struct tune_node *outer = read->parent; outer != loop->node; outer = outer->parent) {
		if (outer == first)
			first = outer;
		if (heddle__tune_is_loop(outer) && heddle__tune_within(write, outer) &&
			!(first && heddle__tune_within(outer, first)))
			return true;
	}
	return false;
}

/* True if the element that an access reads may have been written earlier in the same iteration. */
static bool is_stale(const struct tune_loop *loop, const struct tune_access *read, const struct tune_node *first)
{
	for (const struct tune_access *other = loop->accesses; other; other = other->next)
		if (other->write && other->root == read->root &&
			(other->variant || may_precede(loop, other->top, read->top, first)))
			return true;
	return false;
}

static int name_level(struct tune_loop *loop, struct tune_symbol *symbol);

int heddle__tune_index_level(struct tune_loop *loop, const struct tune_access *access, const struct tune_node *first)
{
	int level = 0;
	for (int n = 0; heddle__tune_index(access, n); n++)
		level = larger(level, heddle__tune_level(loop, heddle__tune_index(access, n), first));
	if (access->moved && !access->variant)
		level = larger(level, name_level(loop, heddle__tune_name_of(access->element)));
	/* Members may have indices of their own: x[i].f[k]. */
	for (const struct tune_node *node = access->top; node != access->element; node = heddle__tune_bare(node->child))
		if (node->kind == TUNE_INDEX)
			level = larger(level, heddle__tune_level(loop, node->child->next, first));
	return level;
}

static int shared_level(struct tune_loop *loop, const struct tune_access *access, const struct tune_node *first)
{
	if (!access->element || !access->root || is_stale(loop, access, first))
		return TUNE_NEVER_KNOWN;
	int level = heddle__tune_index_level(loop, access, first);
	if (access->local)
		return level;
	return access->root->facts->cached ? level + 1 : TUNE_NEVER_KNOWN;
}

static int name_level(struct tune_loop *loop, struct tune_symbol *symbol)
{
	if (!symbol || symbol->kind != TUNE_VARIABLE)
		return 0;
	const struct tune_facts *facts = heddle__tune_facts(loop, symbol);
	bool array = symbol->type && (symbol->type->kind == TUNE_ARRAY || symbol->type->kind == TUNE_POINTER);
	if (facts->address_taken || (!array && symbol->type && symbol->type->shared))
		return TUNE_NEVER_KNOWN;
	if (facts->inside)
		return symbol == loop->index ? 0 : facts->level;
	if (facts->written || (loop->writes_memory && heddle__tune_addressed(loop->file, symbol)))
		return TUNE_NEVER_KNOWN;
	return symbol->type && symbol->type->is_volatile ? TUNE_NEVER_KNOWN : 0;
}

static int children_level(struct tune_loop *loop, const struct tune_node *node, const struct tune_node *first)
{
	int level = 0;
	for (const struct tune_node *child = node->child; child; child = child->next)
		level = larger(level, heddle__tune_level(loop, child, first));
	return level;
}

static bool is_pure_call(struct tune_loop *loop, const struct tune_node *call, int depth);

/*
 * Returns true for a function of the file whose result depends only on its arguments and on data that the loop does not
 * change, and that changes only its own variables. `depth` bounds recursion.
 */
static bool is_pure_function(struct tune_loop *loop, struct tune_symbol *function, int depth)
{
	if (!function->body || depth > 4)
		return false;
	for (struct tune_node *node = function->tree; node; node = heddle__tune_walk(function->tree, node)) {
		const struct tune_symbol *symbol = node->symbol;
		const struct tune_node *target =
			heddle__tune_is_change(loop->file, node) ? heddle__tune_bare(node->child) : NULL;
		bool memory = node->kind == TUNE_INDEX || (node->kind == TUNE_MEMBER && !node->child->symbol);
		if (target && (target->kind != TUNE_NAME || !target->symbol || target->symbol->global))
			return false;
		if (node->kind == TUNE_OTHER ||
			(node->kind == TUNE_DECLARATOR && (symbol->is_static || symbol->is_extern)))
			return false;
		if (memory || (node->type && node->type->shared) || node->kind == TUNE_ADDRESS)
			return false;
		if (node->kind == TUNE_CALL && !is_pure_call(loop, node, depth + 1))
			return false;
		if (node->kind == TUNE_NAME && symbol && symbol->global && symbol->kind == TUNE_VARIABLE &&
			heddle__tune_level(loop, node, NULL) != 0)
			return false;
	}
	return true;
}

static bool is_pure_call(struct tune_loop *loop, const struct tune_node *call, int depth)
{
	const struct tune_node *name = call->child;
	if (name->kind != TUNE_NAME)
		return false;
	return name->symbol && name->symbol->body ? is_pure_function(loop, name->symbol, depth)
						  : heddle__tune_is_pure(&loop->file->source, name->first);
}

/* The result of a pure function has the level of its arguments. */
static int call_level(struct tune_loop *loop, const struct tune_node *node, const struct tune_node *first)
{
	return is_pure_call(loop, node, 0) ? children_level(loop, node, first) : TUNE_NEVER_KNOWN;
}

/* Returns true for an element of an array of the iteration that the loop writes. */
static bool is_written(const struct tune_node *element)
{
	const struct tune_node *node = element;
	while (node->kind == TUNE_INDEX || node->kind == TUNE_MEMBER)
		node = heddle__tune_bare(node->child);
	return node->kind == TUNE_NAME && node->symbol && node->symbol->type &&
	       node->symbol->type->kind == TUNE_ARRAY && node->symbol->facts && node->symbol->facts->written;
}

static int memory_level(struct tune_loop *loop, const struct tune_node *node, const struct tune_node *first)
{
	for (const struct tune_access *access = loop->accesses; access; access = access->next)
		if (access->top == node)
			return shared_level(loop, access, first);
	if (is_written(node) || (node->kind != TUNE_MEMBER && heddle__tune_stores(loop, node->type)))
		return TUNE_NEVER_KNOWN;
	return children_level(loop, node, first);
}

/* The level of an element's address, for pointers that become numbers. */
static int address_level(struct tune_loop *loop, const struct tune_node *node, const struct tune_node *first)
{
	struct tune_access access = {.top = heddle__tune_bare(node->child)};
	const struct tune_node *name = heddle__tune_pointee((struct tune_node *)node, &access.element);
	const struct tune_type *type = name ? name->type->of : NULL;
	while (type && type->kind == TUNE_ARRAY)
		type = type->of;
	if (!type || !type->shared)
		return TUNE_NEVER_KNOWN;
	return larger(name_level(loop, name->symbol), heddle__tune_index_level(loop, &access, first));
}

int heddle__tune_level(struct tune_loop *loop, const struct tune_node *node, const struct tune_node *first)
{
	int level = TUNE_NEVER_KNOWN;
	if (heddle__tune_is_change(loop->file, node))
		return level;
	if (node->kind == TUNE_NAME)
		level = name_level(loop, node->symbol);
	else if (node->kind == TUNE_ADDRESS)
		level = address_level(loop, node, first);
	else if (node->kind == TUNE_CALL)
		level = call_level(loop, node, first);
	else if (node->kind == TUNE_SIZEOF || node->kind == TUNE_CONSTANT || node->kind == TUNE_EMPTY)
		level = 0;
	else if (node->kind == TUNE_INDEX || node->kind == TUNE_MEMBER)
		level = memory_level(loop, node, first);
	else if (node->kind == TUNE_GROUP || node->kind == TUNE_BINARY || node->kind == TUNE_CONDITIONAL ||
		 node->kind == TUNE_CAST || node->kind == TUNE_UNARY || node->kind == TUNE_SUM ||
		 node->kind == TUNE_NEGATIVE)
		level = children_level(loop, node, first);
	return level > MOST_LEVELS ? TUNE_NEVER_KNOWN : level;
}

bool heddle__tune_has_no_jumps(const struct tune_node *top)
{
	for (const struct tune_node *node = top; node; node = heddle__tune_walk(top, node))
		if (node->kind == TUNE_JUMP || node->kind == TUNE_SWITCH)
			return false;
	return true;
}

/* The level at which it is known whether the parent reaches its child `node`. */
static int step_level(struct tune_loop *loop, const struct tune_node *parent, const struct tune_node *node)
{
	switch (parent->kind) {
	case TUNE_IF:
		return node == parent->child ? 0 : heddle__tune_level(loop, parent->child, NULL);
	case TUNE_FOR:
		if (node == parent->child)
			return 0;
		return heddle__tune_has_no_jumps(parent) ? heddle__tune_level(loop, parent->child->next, NULL)
							 : TUNE_NEVER_KNOWN;
	case TUNE_WHILE:
		return heddle__tune_has_no_jumps(parent) ? heddle__tune_level(loop, parent->child, NULL)
							 : TUNE_NEVER_KNOWN;
	case TUNE_BLOCK:
		/* After a jump, it may not be reached. */
		for (const struct tune_node *before = parent->child; before && before != node; before = before->next)
			if (!heddle__tune_has_no_jumps(before))
				return TUNE_NEVER_KNOWN;
		return 0;
	case TUNE_DECLARATION:
	case TUNE_DECLARATOR:
	case TUNE_EXPRESSION:
	case TUNE_GROUP:
		return 0;
	case TUNE_BINARY:
		return heddle__tune_op(loop->file, parent, ",") ? 0 : TUNE_NEVER_KNOWN;
	default:
		return TUNE_NEVER_KNOWN;
	}
}

int heddle__tune_control_level(struct tune_loop *loop, const struct tune_node *node)
{
	int level = 0;
	for (; node != loop->body; node = node->parent)
		level = larger(level, step_level(loop, node->parent, node));
	return level;
}

/* ---- variables ---- */

static bool is_header(const struct tune_node *node)
{
	while (node->kind != TUNE_FOR && node->parent && node->kind != TUNE_EXPRESSION && node->kind != TUNE_BLOCK)
		node = node->parent;
	return node->kind == TUNE_FOR;
}

static bool update(struct tune_facts *facts, int level)
{
	if (level <= facts->level)
		return false;
	facts->level = level;
	return true;
}

static bool see_assignment(struct tune_loop *loop, const struct tune_node *node)
{
	const struct tune_node *target = heddle__tune_bare(node->child);
	if (target->kind != TUNE_NAME || !target->symbol)
		return false;
	struct tune_facts *facts = heddle__tune_facts(loop, target->symbol);
	int level = heddle__tune_control_level(loop, node);
	if (node->kind == TUNE_ASSIGNMENT)
		level = larger(level, heddle__tune_level(loop, target->next ? target->next : node->child->next, NULL));
	return update(facts, level);
}

static bool see_declarator(struct tune_loop *loop, const struct tune_node *node)
{
	struct tune_facts *facts = heddle__tune_facts(loop, node->symbol);
	const struct tune_type *type = node->symbol->type;
	bool number = heddle__tune_is_number(NULL, node->symbol);
	bool scalar =
		type && type->kind == TUNE_BASE && !type->record && !type->is_volatile && !strchr(type->name, '{');
	int level = heddle__tune_control_level(loop, node);
	if (node->child)
		level = larger(level, heddle__tune_level(loop, node->child, NULL));
	return update(facts, scalar || number ? level : TUNE_NEVER_KNOWN);
}

static bool see_all(struct tune_loop *loop)
{
	bool changed = false;
	for (const struct tune_node *node = loop->body; node; node = heddle__tune_walk(loop->body, node)) {
		if (heddle__tune_is_change(loop->file, node))
			changed |= see_assignment(loop, node);
		else if (node->kind == TUNE_DECLARATOR)
			changed |= see_declarator(loop, node);
	}
	return changed;
}

static void count_assignments(struct tune_loop *loop)
{
	for (const struct tune_node *node = loop->body; node; node = heddle__tune_walk(loop->body, node)) {
		const struct tune_node *target =
			heddle__tune_is_change(loop->file, node) ? heddle__tune_bare(node->child) : node;
		if (target->symbol && (target != node || node->kind == TUNE_DECLARATOR) &&
			target->symbol->kind == TUNE_VARIABLE && !is_header(node))
			heddle__tune_facts(loop, target->symbol)->assignments++;
	}
}

/* ---- private variables declared outside of the loop, which an iteration assigns before it uses them ---- */

static void find_temporaries(struct tune_loop *loop)
{
	for (int i = 0; i < loop->fact_count; i++) {
		struct tune_facts *facts = loop->facts[i];
		const struct tune_type *type = facts->symbol->type;
		bool number = heddle__tune_is_number(NULL, facts->symbol);
		bool candidate = facts->written && !facts->inside && !facts->address_taken && type &&
				 (number || type->kind == TUNE_BASE) && !type->shared && !type->record &&
				 !type->is_volatile && !facts->symbol->global && !facts->symbol->is_static;
		facts->temporary = candidate && heddle__tune_is_temporary(loop, facts->symbol);
		facts->inside |= facts->temporary;
	}
}

/* ---- caches ---- */

/* Removes caches that would get no hints from their rounds, and counts the rounds. */
static void drop_empty_rounds(struct tune_plan *plan)
{
	struct tune_loop *loop = plan->loop;
	plan->rounds = 0;
	for (int i = 0; i < loop->fact_count; i++) {
		struct tune_facts *facts = loop->facts[i];
		if (!facts->cached || facts->round < 0)
			continue;
		const char *call = heddle__tune_format(loop->file->work, "heddle_cache_hint(%s,", facts->cache);
		if (!strstr(heddle__tune_hints(plan, facts->round, 0), call))
			facts->round = -1;
		plan->rounds = larger(plan->rounds, facts->round + 1);
	}
}

static void note_round(struct tune_facts *facts, int level)
{
	if (level < MOST_LEVELS && (facts->round < 0 || level < facts->round))
		facts->round = level;
}

/* Finds the rounds of elements that called functions access first. */
static void find_rounds_of_calls(struct tune_loop *loop)
{
	for (const struct tune_call *call = loop->calls; call; call = call->next)
		for (const struct tune_access *access = loop->accesses; access && !call->from; access = access->next) {
			if (!access->variant || !heddle__tune_is_cached(access) || !heddle__tune_gets(access))
				continue;
			struct tune_terms terms = {.count = 0};
			int level = 0;
			if (!heddle__tune_first_index(loop, call, access, &terms))
				continue;
			for (int i = 0; i < terms.count; i++)
				level = larger(level, heddle__tune_level(loop, terms.at[i], NULL));
			note_round(access->root->facts, level);
		}
}

const struct tune_node *heddle__tune_innermost_loop(const struct tune_loop *loop, const struct tune_access *access)
{
	const struct tune_node *node = access->top;
	while (node->kind != TUNE_WHILE && node->kind != TUNE_FOR && node != loop->body)
		node = node->parent;
	return node->kind == TUNE_WHILE || node->kind == TUNE_FOR ? node : NULL;
}

/* A download replaces earlier elements: each cache has one per tile, in the earliest round of its hints. */
static void find_rounds(struct tune_plan *plan)
{
	struct tune_loop *loop = plan->loop;
	for (const struct tune_access *access = loop->accesses; access; access = access->next) {
		if (!heddle__tune_is_cached(access) || !heddle__tune_gets(access) || access->variant)
			continue;
		note_round(access->root->facts,
			heddle__tune_index_level(loop, access, heddle__tune_innermost_loop(loop, access)));
	}
	find_rounds_of_calls(loop);
}

void heddle__tune_find_levels(struct tune_loop *loop)
{
	find_temporaries(loop);
	count_assignments(loop);
	while (see_all(loop))
		;
}

void heddle__tune_find_known(struct tune_plan *plan)
{
	heddle__tune_find_levels(plan->loop);
	find_rounds(plan);
	drop_empty_rounds(plan);
}
