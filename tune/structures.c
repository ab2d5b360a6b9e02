/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pointers-to-shared in structures. In the tree, g->next and g.lists.next become names of variables, and this text is
 * the name of the variable. Therefore all analyses of variables apply to them. A change of the structure, or of the
 * pointer to it, changes these variables, too.
 */
#include "tune/loop.h"

#include <string.h>

static bool is_first(const struct tune_node *element)
{
	const struct tune_node *number = element->child->next;
	return number && number->kind == TUNE_SUM && !number->child;
}

static bool is_private(const struct tune_type *type)
{
	return type && !type->shared && !type->is_volatile;
}

/* Returns true for a union, whose members change together, and for a structure with an unnamed union. */
static bool has_union(const struct tune_type *type)
{
	const struct tune_symbol *member = type->record ? type->record->members : NULL;
	while (member && (*member->name != '\0' || !has_union(member->type)))
		member = member->next;
	return type->is_union || member;
}

static bool is_structure(const struct tune_type *type)
{
	return is_private(type) && type->record && type->basic && !has_union(type);
}

/* Returns the variable that is, or points to, the structure of a node: g for g.lists and *g. NULL symbol: none. */
static struct tune_structure find_structure(struct tune_node *node)
{
	while (node->kind == TUNE_MEMBER && is_structure(node->type))
		node = heddle__tune_bare(node->child);
	bool pointed = node->kind == TUNE_INDEX && is_first(node);
	if (!is_structure(node->type))
		return (struct tune_structure){.symbol = NULL};
	if (pointed)
		node = heddle__tune_bare(node->child);
	bool variable = node->kind == TUNE_NAME && node->symbol && node->symbol->kind == TUNE_VARIABLE &&
			is_private(node->type) && (!pointed || node->type->kind == TUNE_POINTER);
	return (struct tune_structure){.symbol = variable ? node->symbol : NULL, .pointed = pointed};
}

/* Returns the members of an access without the structure: "lists.next" for g.lists.next. */
static const char *path_of(const struct tune_file *file, struct tune_node *node)
{
	const char *member = heddle__tune_word(&file->source, node->last);
	struct tune_node *outer = heddle__tune_bare(node->child);
	return outer->kind == TUNE_MEMBER ? heddle__tune_format(file->work, "%s.%s", path_of(file, outer), member)
					  : member;
}

/* Returns the variable of a member, and creates it at the first request. */
static struct tune_symbol *variable_of(struct tune_file *file, struct tune_structure of, const char *path,
	struct tune_type *type, const struct tune_type *record)
{
	const struct tune_symbol *structure = of.symbol;
	const char *name = heddle__tune_format(file->work, "%s%s%s", structure->name, of.pointed ? "->" : ".", path);
	struct tune_symbol *symbol = file->members;
	while (symbol && (symbol->structure.symbol != structure || strcmp(symbol->name, name) != 0))
		symbol = symbol->next;
	if (symbol)
		return symbol;
	symbol = heddle__tune_take(file->work, sizeof(*symbol));
	*symbol = (struct tune_symbol){.next = file->members,
		.kind = TUNE_VARIABLE,
		.name = name,
		.type = type,
		.token = structure->token,
		.global = structure->global,
		.is_static = structure->is_static,
		.is_extern = structure->is_extern,
		.structure = of,
		.record = record};
	file->members = symbol;
	return symbol;
}

struct tune_symbol *heddle__tune_member_of(
	struct tune_file *file, struct tune_structure of, const struct tune_symbol *like)
{
	const char *path = like->name + strlen(like->structure.symbol->name) + (like->structure.pointed ? 2 : 1);
	return variable_of(file, of, path, like->type, like->record);
}

/* Returns true if a loop around the node declares the structure, which may then differ between iterations. */
static bool is_declared_in_loop(const struct tune_node *node, const struct tune_symbol *structure)
{
	while (node &&
		!(node->kind == TUNE_FORALL && node->first <= structure->token && structure->token <= node->last))
		node = node->parent;
	return node;
}

static void name_member(struct tune_file *file, struct tune_node *node)
{
	struct tune_type *type = node->type;
	if (!is_private(type) || type->kind != TUNE_POINTER || !type->of || !type->of->shared)
		return;
	struct tune_structure structure = find_structure(heddle__tune_bare(node->child));
	if (!structure.symbol || is_declared_in_loop(node, structure.symbol))
		return;
	node->symbol = variable_of(file, structure, path_of(file, node), type, heddle__tune_bare(node->child)->type);
	node->kind = TUNE_NAME;
	node->child = NULL;
}

void heddle__tune_name_members(struct tune_file *file)
{
	const struct tune_symbol *in;
	const struct tune_node *node = NULL;
	while ((node = heddle__tune_walk_file(file, &in, node)) != NULL)
		if (node->kind == TUNE_MEMBER)
			name_member(file, (struct tune_node *)node);
}

const char *heddle__tune_last_member(const char *text)
{
	const char *member = text;
	for (const char *at = text; *at; at++)
		if (*at == '.' || *at == '>')
			member = at + 1;
	return member;
}

static bool is_of(const struct tune_type *type, const struct tune_type *record)
{
	return type && type->kind == TUNE_BASE && type->basic && strcmp(type->basic, record->basic) == 0;
}

bool heddle__tune_are_same_member(const struct tune_symbol *a, const struct tune_symbol *b)
{
	return a->structure.symbol && b->structure.symbol && is_of(a->record, b->record) &&
	       strcmp(heddle__tune_last_member(a->name), heddle__tune_last_member(b->name)) == 0;
}

const struct tune_symbol *heddle__tune_pointer_of(const struct tune_file *file, const struct tune_node *node)
{
	const struct tune_type *record = node->kind == TUNE_MEMBER ? heddle__tune_bare(node->child)->type : NULL;
	if (node->kind != TUNE_MEMBER || !is_private(node->type) || !is_structure(record))
		return node->kind == TUNE_NAME ? node->symbol : NULL;
	struct tune_symbol *symbol = heddle__tune_take(file->work, sizeof(*symbol));
	*symbol = (struct tune_symbol){.kind = TUNE_VARIABLE,
		.name = heddle__tune_word(&file->source, node->last),
		.type = node->type,
		.structure = {.symbol = symbol},
		.record = record};
	return symbol;
}

bool heddle__tune_is_same_member(
	const struct tune_file *file, const struct tune_symbol *symbol, const struct tune_node *node)
{
	const char *member = heddle__tune_last_member(symbol->name);
	if (node->kind == TUNE_MEMBER)
		return is_of(heddle__tune_bare(node->child)->type, symbol->record) &&
		       heddle__tune_is(&file->source, node->last, member);
	return node->kind == TUNE_NAME && node->symbol && heddle__tune_are_same_member(symbol, node->symbol);
}

struct tune_structure heddle__tune_passed_structure(struct tune_node *argument)
{
	const struct tune_structure none = {.symbol = NULL};
	struct tune_node *node = heddle__tune_bare(argument);
	if (node->kind == TUNE_ADDRESS || node->kind == TUNE_INDEX) {
		struct tune_node *of = node->kind == TUNE_ADDRESS ? heddle__tune_bare(node->child) : node;
		return of->kind == TUNE_MEMBER ? none : find_structure(of);
	}
	if (node->kind != TUNE_NAME || !node->symbol || node->symbol->kind != TUNE_VARIABLE || !is_private(node->type))
		return none;
	bool pointer = node->type->kind == TUNE_POINTER;
	return is_structure(pointer ? node->type->of : node->type)
		       ? (struct tune_structure){.symbol = node->symbol, .pointed = pointer}
		       : none;
}

/* Returns true if the loop changes the structure, the pointer to it, or memory that may contain it. */
static bool may_change(struct tune_loop *loop, const struct tune_symbol *symbol)
{
	struct tune_symbol *structure = symbol->structure.symbol;
	bool stores = heddle__tune_stores(loop, symbol->type);
	if (symbol->structure.pointed)
		return stores || heddle__tune_may_change(loop, structure);
	return heddle__tune_facts(loop, structure)->written ||
	       (stores && heddle__tune_addressed(loop->file, structure));
}

void heddle__tune_find_changed_members(struct tune_loop *loop)
{
	for (int i = 0; i < loop->fact_count; i++) {
		const struct tune_symbol *symbol = loop->facts[i]->symbol;
		if (symbol->structure.symbol && may_change(loop, symbol))
			symbol->facts->written = true;
	}
}
