/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks whether the variables of a loop may be cached: they are used by index only, no other name reaches the same
 * memory, and iterations do not depend on each other.
 */
#include "cli/base/exit_status.h"
#include "tune/loop.h"

#include <string.h>

/* ---- which variables ---- */

static void check_chosen(const struct tune_loop *loop, struct tune_facts *facts)
{
	const struct tune_symbol *symbol = facts->symbol;
	const struct tune_type *type = heddle__tune_element_type(symbol->type);
	if (!symbol->type || (symbol->type->kind != TUNE_ARRAY && symbol->type->kind != TUNE_POINTER))
		heddle__tune_refuse_node(
			loop, loop->node, "%s is neither a shared array nor a pointer-to-shared", symbol->name);
	if (!type || type->kind != TUNE_BASE || !type->name || strchr(type->name, '{') ||
		strcmp(type->name, "void") == 0)
		heddle__tune_refuse_node(
			loop, loop->node, "the type of the elements of %s has no name, or is a pointer", symbol->name);
	if (type->is_volatile)
		heddle__tune_refuse_node(loop, loop->node, "%s is volatile", symbol->name);
	facts->cached = true;
	facts->element = type->name;
}

/* Returns true if the parameter refers to the variable that the argument names. */
static bool is_bound(const struct tune_loop *loop, const struct tune_variant *from, const struct tune_node *call,
	const struct tune_node *name)
{
	const struct tune_variant *to = heddle__tune_called(loop, from, call);
	for (int i = 0; to && i < to->parameters; i++)
		if (heddle__tune_within(name, heddle__tune_child(call, i + 1)))
			return to->roots[i] == heddle__tune_meant(from, name->symbol);
	return false;
}

/* Checks that each use of a cached variable is the array or pointer of an access by index, or an argument. */
static void check_mention(
	const struct tune_loop *loop, const struct tune_variant *variant, const struct tune_node *name)
{
	const struct tune_node *where;
	const char *text = name->symbol->name;
	const struct tune_symbol *target;
	switch (heddle__tune_use(loop->file, name, &where)) {
	case TUNE_BY_INDEX:
	case TUNE_KEPT:
	case TUNE_CHANGED:
		return;
	case TUNE_AS_ARGUMENT:
		if (!is_bound(loop, variant, where, name))
			heddle__tune_refuse_node(loop, name,
				"%s is passed to a function that is not in this file, changes the parameter, or "
				"declares it as another type: access it in the loop itself",
				text);
		return;
	case TUNE_AS_VALUE:
		target = where->kind == TUNE_DECLARATOR ? where->symbol : heddle__tune_bare(where->child)->symbol;
		if (!target || !target->facts || !target->facts->base)
			heddle__tune_refuse_node(loop, where,
				"a pointer to %s is taken in the loop, and not only used there and by index: write "
				"%s[index]",
				text, text);
		return;
	case TUNE_USED_OTHERWISE:
		break;
	}
	if (heddle__tune_above(name)->kind == TUNE_INDEX)
		heddle__tune_refuse_node(loop, name,
			"a part of %s that is an array is used as a pointer, or a pointer to an element is used other "
			"than by index",
			text);
	heddle__tune_refuse_node(loop, name, "%s is used other than by index: write %s[index]", text, text);
}

/* Returns true if two names are equal, apart from blanks. */
static bool is_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++) {
		a += strspn(a, " ");
		b += strspn(b, " ");
		if (*a != *b)
			return false;
	}
	return *a == *b;
}

/* A pointer in a structure may be named by its member alone: next is g->next. */
static bool has_name(const struct tune_symbol *symbol, const char *name)
{
	return is_name(symbol->name, name) ||
	       (symbol->structure.symbol && strcmp(heddle__tune_last_member(symbol->name), name) == 0);
}

static struct tune_facts *find_used(const struct tune_loop *loop, const char *name)
{
	struct tune_facts *found = NULL;
	for (int i = 0; i < loop->fact_count; i++) {
		const struct tune_symbol *symbol = loop->facts[i]->symbol;
		struct tune_facts *meant = heddle__tune_base(loop->facts[i]->symbol)->facts;
		bool used = has_name(symbol, name) && meant && meant->used && !meant->inside &&
			    heddle__tune_is_visible(loop, symbol);
		if (used && is_name(symbol->name, name))
			return meant;
		if (used)
			found = meant;
	}
	return found;
}

bool heddle__tune_is_used(const struct tune_loop *loop, const char *name)
{
	return find_used(loop, name);
}

/* Finds another pointer-to-shared of that name in a structure or array: f(g)->next of f(g)->next[i]. */
static const struct tune_node *find_member(const struct tune_loop *loop, const char *name)
{
	for (const struct tune_access *access = loop->accesses; access; access = access->next)
		for (const struct tune_node *node = access->top; node; node = heddle__tune_walk(access->top, node)) {
			const struct tune_node *base = node->kind == TUNE_INDEX ? heddle__tune_bare(node->child) : NULL;
			bool pointer = base && base->type && base->type->kind == TUNE_POINTER && !base->type->shared;
			if (pointer && (base->kind == TUNE_MEMBER || base->kind == TUNE_INDEX) &&
				heddle__tune_mentions(loop->file, base->first, base->last, name))
				return base;
		}
	return NULL;
}

/* Returns true if a path has a variable of the loop or of a function that it calls. */
static bool may_differ(const struct tune_loop *loop, const struct tune_node *path)
{
	for (const struct tune_node *node = path; node; node = heddle__tune_walk(path, node)) {
		const struct tune_symbol *symbol = node->kind == TUNE_NAME ? node->symbol : NULL;
		bool number = symbol && symbol->kind == TUNE_VARIABLE && node->type->kind == TUNE_BASE;
		bool inside = symbol && loop->node->first < symbol->token && symbol->token < loop->node->last;
		if (inside || (number && !heddle__tune_is_visible(loop, symbol)))
			return true;
	}
	return false;
}

void heddle__tune_refuse_member(const struct tune_loop *loop, const char *name)
{
	const struct tune_node *member = find_member(loop, name), *inner = member;
	if (!member)
		return;
	const char *text = heddle__tune_line(&loop->file->source, member->first, member->last);
	if (may_differ(loop, member))
		heddle__tune_refuse_node(
			loop, member, "%s may differ between iterations: a cache needs one pointer for the loop", text);
	while (inner && !(inner->type && heddle__tune_has_union(inner->type)))
		inner = heddle__tune_walk(member, inner);
	heddle__tune_refuse_node(loop, member,
		"%s is %s: assign it to a pointer in front of the loop, and write pointer[index]", text,
		inner                         ? "a member of a union"
		: member->kind == TUNE_MEMBER ? "a member of a structure"
					      : "an element of an array of pointers");
}

void heddle__tune_choose(struct tune_loop *loop, const char *name)
{
	const struct tune_symbol *known = heddle__tune_find_name(loop->file, name);
	struct tune_facts *facts = find_used(loop, name);
	if (facts) {
		check_chosen(loop, facts);
		return;
	}
	heddle__tune_refuse_member(loop, name);
	for (const struct tune_node *node = loop->body; node; node = heddle__tune_walk(loop->body, node)) {
		const struct tune_symbol *symbol = node->kind == TUNE_NAME ? node->symbol : NULL;
		if (symbol && symbol->structure.symbol && strcmp(symbol->structure.symbol->name, name) == 0)
			heddle__tune_refuse_node(loop, node, "%s is not shared memory, but %s is", name, symbol->name);
		if (symbol && strcmp(symbol->name, name) == 0)
			check_mention(loop, NULL, node);
	}
	heddle__tune_refuse_node(loop, loop->node, "the loop does not access %s as shared memory%s", name,
		known ? "" : ": no such variable is declared in this file");
}

static void check_mentions(const struct tune_loop *loop, const struct tune_variant *variant,
	const struct tune_node *tree, const struct tune_symbol *symbol)
{
	for (const struct tune_node *node = tree; node; node = heddle__tune_walk(tree, node))
		if (node->kind == TUNE_NAME && heddle__tune_meant(variant, node->symbol) == symbol)
			check_mention(loop, variant, node);
}

static void check_accesses(const struct tune_loop *loop, const struct tune_facts *facts)
{
	const struct tune_symbol *symbol = facts->symbol;
	if (facts->written || (loop->writes_memory && heddle__tune_addressed(loop->file, symbol) &&
				      symbol->type->kind == TUNE_POINTER))
		heddle__tune_refuse_node(
			loop, loop->node, "the loop changes the pointer %s, or may change it", symbol->name);
	check_mentions(loop, NULL, loop->body, symbol);
	for (const struct tune_variant *variant = loop->variants; variant; variant = variant->next)
		check_mentions(loop, variant, variant->function->tree, symbol);
	for (const struct tune_access *access = loop->accesses; access; access = access->next)
		if (access->root == symbol && (!access->element || access->element->type->kind == TUNE_ARRAY))
			heddle__tune_refuse_node(loop, access->top, "%s is used other than by index", symbol->name);
}

/* ---- aliases ---- */

static void check_alias(const struct tune_loop *loop, const struct tune_facts *facts, const struct tune_access *other)
{
	const struct tune_symbol *symbol = facts->symbol;
	if (other->root == symbol || !(facts->stored || other->write))
		return;
	if (!heddle__tune_may_share(heddle__tune_element_type(symbol->type), other->type))
		return;
	if (other->root && heddle__tune_are_apart(loop->file, symbol, other->root))
		return;
	heddle__tune_refuse_node(loop, other->top,
		"%s may be the same memory as %s, and the loop writes one of them: --no-alias says that they are not",
		heddle__tune_line(&loop->file->source, other->top->first, other->top->last), symbol->name);
}

/* ---- all of them ---- */

/* Elements that the affinity makes local need no cache. */
static void drop_local(struct tune_loop *loop)
{
	const struct tune_facts *dropped = NULL;
	bool left = false;
	for (int i = 0; i < loop->fact_count; i++) {
		struct tune_facts *facts = loop->facts[i];
		bool remote = false;
		for (const struct tune_access *access = loop->accesses; access && facts->cached; access = access->next)
			remote |= access->root == facts->symbol && !access->local;
		if (facts->cached && !remote) {
			facts->cached = false;
			dropped = facts;
		}
		left |= facts->cached;
	}
	if (!left)
		heddle__tune_refuse_node(loop, loop->node, "%s is only accessed where it is local, by the affinity",
			dropped ? dropped->symbol->name : "the variable");
}

/* Only with the policy `arbitrary` may local elements be accessed directly while a cache is open. */
static void drop_direct(struct tune_loop *loop)
{
	for (struct tune_access *access = loop->accesses; access; access = access->next)
		if (access->root && access->root->facts->cached && access->root->facts->stored)
			access->local = false;
}

void heddle__tune_check_variables(struct tune_loop *loop, const struct tune_promises *promises)
{
	drop_local(loop);
	if (promises->ordered)
		drop_direct(loop);
	for (int i = 0; i < loop->fact_count; i++) {
		struct tune_facts *facts = loop->facts[i];
		if (!facts->cached)
			continue;
		check_accesses(loop, facts);
		heddle__tune_check_range(loop, facts);
		heddle__tune_check_members(loop, facts);
		if (!promises->any_order)
			heddle__tune_check_races(loop, facts);
		for (const struct tune_access *access = loop->accesses; access && !promises->no_alias;
			access = access->next)
			check_alias(loop, facts, access);
	}
}
