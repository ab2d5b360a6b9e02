/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pointers-to-shared in structures. In the tree, g->next and g.lists.next become names of variables, and this text is
 * the name of the variable. Therefore all analyses of variables apply to them. A change of the structure, or of the
 * pointer to it, changes these variables, too.
 */
#include "tune/loop.h"

#include <string.h>

static bool is_private(const struct tune_type *type)
{
	return type && !type->shared && !type->is_volatile;
}

bool heddle__tune_has_union(const struct tune_type *type)
{
	const struct tune_symbol *member = type->record ? type->record->members : NULL;
	while (member && (*member->name != '\0' || !heddle__tune_has_union(member->type)))
		member = member->next;
	return type->is_union || member;
}

static bool is_structure(const struct tune_type *type)
{
	return is_private(type) && type->record && type->basic && !heddle__tune_has_union(type);
}

/* Returns true if a number in a path has no effect, and the same value until a variable in it changes. */
static bool is_fixed(const struct tune_file *file, const struct tune_node *top)
{
	for (const struct tune_node *node = top; node; node = heddle__tune_walk(top, node)) {
		bool name = node->kind == TUNE_NAME && is_private(node->type) &&
			    (node->symbol ? node->symbol->kind != TUNE_ROUTINE && !node->symbol->structure.symbol
					  : heddle__tune_at(file, node->first, "THREADS"));
		bool sum = node->kind == TUNE_BINARY || node->kind == TUNE_UNARY || node->kind == TUNE_GROUP;
		if (!name && node->kind != TUNE_CONSTANT && (!sum || heddle__tune_is_change(file, node)))
			return false;
	}
	return true;
}

/* A path to a structure, read from its first variable on. */
struct path {
	const struct tune_file *file;
	struct tune_structure to;
	bool arrow; /* a member follows behind -> */
};

static bool read_path(struct path *path, struct tune_node *node);

static bool read_first(struct path *path, struct tune_node *node)
{
	struct tune_symbol *symbol = node->symbol;
	if (!symbol || symbol->kind != TUNE_VARIABLE || symbol->structure.symbol || !is_private(node->type))
		return false;
	path->to.symbol = symbol;
	path->to.pointed = node->type->kind == TUNE_POINTER;
	path->to.path = symbol->name;
	path->to.key = heddle__tune_format(path->file->work, "%s#%d", symbol->name, symbol->token);
	return true;
}

static bool read_member(struct path *path, struct tune_node *node)
{
	struct tune_work *work = path->file->work;
	struct tune_node *structure = heddle__tune_bare(node->child);
	if (!is_structure(structure->type) || !is_private(node->type) || !read_path(path, structure))
		return false;
	const char *dot = path->arrow ? "->" : ".", *member = heddle__tune_word(&path->file->source, node->last);
	path->to.path = heddle__tune_format(work, "%s%s%s", path->to.path, dot, member);
	path->to.key = heddle__tune_format(work, "%s%s%s", path->to.key, dot, member);
	path->arrow = false;
	return true;
}

/* The text of a number, with the token of each variable that has one. */
static const char *key_of(const struct tune_file *file, const struct tune_node *number)
{
	struct tune_text text = {.work = file->work};
	heddle__tune_add(&text, heddle__tune_line(&file->source, number->first, number->last));
	for (const struct tune_node *node = number; node; node = heddle__tune_walk(number, node))
		if (node->symbol)
			heddle__tune_add_format(&text, "#%d", node->symbol->token);
	return text.at;
}

static bool read_index(struct path *path, struct tune_node *node)
{
	struct tune_work *work = path->file->work;
	struct tune_node *base = heddle__tune_bare(node->child), *number = heddle__tune_bare(node->child->next);
	bool pointer = base->type && base->type->kind == TUNE_POINTER;
	if (!base->type || base->type->shared || !read_path(path, base) || path->arrow)
		return false;
	path->arrow = pointer && heddle__tune_is_zero(path->file, number);
	if (path->arrow)
		return true;
	if (!is_fixed(path->file, number) || number->kind == TUNE_SUM)
		return false;
	path->to.path = heddle__tune_format(
		work, "%s[%s]", path->to.path, heddle__tune_line(&path->file->source, number->first, number->last));
	path->to.key = heddle__tune_format(work, "%s[%s]", path->to.key, key_of(path->file, number));
	return true;
}

static bool read_path(struct path *path, struct tune_node *node)
{
	node = heddle__tune_bare(node);
	return node->kind == TUNE_NAME     ? read_first(path, node)
	       : node->kind == TUNE_MEMBER ? read_member(path, node)
	       : node->kind == TUNE_INDEX  ? read_index(path, node)
					   : false;
}

/* Returns the path to a structure, or of a pointer to one. NULL symbol: none. */
static struct tune_structure find_structure(const struct tune_file *file, struct tune_node *node)
{
	struct path path = {.file = file};
	const struct tune_structure none = {.symbol = NULL};
	if (!read_path(&path, node))
		return none;
	struct tune_part *part = heddle__tune_take(file->work, sizeof(*part));
	*part = (struct tune_part){.node = node};
	path.to.parts = part;
	path.to.by_pointer = path.arrow || (node->type && node->type->kind == TUNE_POINTER);
	return path.to;
}

/* Returns the variable of a member, and creates it at the first request. */
static struct tune_symbol *variable_of(struct tune_file *file, struct tune_structure of, const char *rest,
	struct tune_type *type, const struct tune_type *record)
{
	const struct tune_symbol *first = of.symbol;
	of.key = heddle__tune_format(file->work, "%s%s", of.key, rest);
	of.path = heddle__tune_format(file->work, "%s%s", of.path, rest);
	struct tune_symbol *symbol = file->members;
	while (symbol && strcmp(symbol->structure.key, of.key) != 0)
		symbol = symbol->next;
	if (symbol)
		return symbol;
	symbol = heddle__tune_take(file->work, sizeof(*symbol));
	*symbol = (struct tune_symbol){.next = file->members,
		.kind = TUNE_VARIABLE,
		.name = of.path,
		.type = type,
		.token = first->token,
		.global = first->global,
		.is_static = first->is_static,
		.is_extern = first->is_extern,
		.structure = of,
		.record = record};
	file->members = symbol;
	return symbol;
}

struct tune_structure heddle__tune_structure_in(
	const struct tune_file *file, struct tune_structure outer, struct tune_structure inner)
{
	const struct tune_structure none = {.symbol = NULL};
	const char *rest = inner.path + strlen(inner.symbol->name);
	if (*rest == '\0')
		return outer;
	if (strchr(strchr(inner.key, '#') + 1, '#') || (*rest == '[' && !outer.by_pointer))
		return none;
	if (*rest != '[')
		rest = heddle__tune_format(
			file->work, "%s%s", outer.by_pointer ? "->" : ".", rest + strspn(rest, "->."));
	struct tune_structure both = {.symbol = outer.symbol,
		.pointed = outer.pointed,
		.by_pointer = inner.by_pointer,
		.path = heddle__tune_format(file->work, "%s%s", outer.path, rest),
		.key = heddle__tune_format(file->work, "%s%s", outer.key, rest),
		.parts = outer.parts};
	for (const struct tune_part *part = inner.parts; part; part = part->next) {
		struct tune_part *more = heddle__tune_take(file->work, sizeof(*more));
		*more = (struct tune_part){.next = both.parts, .node = part->node};
		both.parts = more;
	}
	return both;
}

struct tune_symbol *heddle__tune_member_of(
	struct tune_file *file, struct tune_structure of, const struct tune_symbol *like)
{
	struct tune_structure both = of.symbol ? heddle__tune_structure_in(file, of, like->structure) : of;
	return both.symbol ? variable_of(file, both, "", like->type, like->record) : (struct tune_symbol *)like;
}

/* Returns true if a loop around the node declares a variable of the path, which may then differ between iterations. */
static bool is_declared_in_loop(const struct tune_node *member)
{
	const struct tune_node *loop = member;
	while (loop && loop->kind != TUNE_FORALL)
		loop = loop->parent;
	for (const struct tune_node *node = loop ? member : NULL; node; node = heddle__tune_walk(member, node))
		if (node->kind == TUNE_NAME && node->symbol && loop->first <= node->symbol->token &&
			node->symbol->token <= loop->last)
			return true;
	return false;
}

static void name_member(struct tune_file *file, struct tune_node *node)
{
	struct tune_type *type = node->type;
	if (!is_private(type) || type->kind != TUNE_POINTER || !type->of || !type->of->shared ||
		!is_structure(heddle__tune_bare(node->child)->type))
		return;
	struct tune_node *record = heddle__tune_bare(node->child);
	struct tune_structure structure = find_structure(file, record);
	if (!structure.symbol || is_declared_in_loop(node))
		return;
	const char *rest = heddle__tune_format(
		file->work, "%s%s", structure.by_pointer ? "->" : ".", heddle__tune_word(&file->source, node->last));
	node->symbol = variable_of(file, structure, rest, type, record->type);
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

struct tune_structure heddle__tune_passed_structure(const struct tune_file *file, struct tune_node *argument)
{
	struct tune_node *node = heddle__tune_bare(argument);
	struct tune_node *of = node->kind == TUNE_ADDRESS ? heddle__tune_bare(node->child) : node;
	const struct tune_type *type = of->type;
	bool pointer = of == node && is_private(type) && type->kind == TUNE_POINTER;
	if (!is_structure(pointer ? type->of : type) || is_declared_in_loop(of))
		return (struct tune_structure){.symbol = NULL};
	return find_structure(file, of);
}

/* The next variable in the numbers of a path, after `node` or, if NULL, from its beginning; NULL: none. */
static const struct tune_node *next_number(const struct tune_node *path, const struct tune_node *node)
{
	const struct tune_node *first = path;
	while (first->kind != TUNE_NAME)
		first = first->child;
	node = node ? heddle__tune_walk(path, node) : path;
	while (node &&
		(node == first || node->kind != TUNE_NAME || !node->symbol || node->symbol->kind != TUNE_VARIABLE))
		node = heddle__tune_walk(path, node);
	return node;
}

/* Returns true if the loop may change a number or a pointer on the path. */
static bool may_change_path(struct tune_loop *loop, const struct tune_symbol *symbol)
{
	for (const struct tune_part *part = symbol->structure.parts; part; part = part->next) {
		const struct tune_node *node = NULL;
		while ((node = next_number(part->node, node)) != NULL)
			if (heddle__tune_may_change(loop, node->symbol))
				return true;
		for (node = part->node; node; node = heddle__tune_walk(part->node, node))
			if (node->kind != TUNE_NAME && node->type && node->type->kind == TUNE_POINTER &&
				heddle__tune_stores(loop, node->type))
				return true;
	}
	return false;
}

bool heddle__tune_is_visible(const struct tune_loop *loop, const struct tune_symbol *symbol)
{
	const struct tune_symbol *function = loop->function;
	int last = loop->file->source.tokens[function->body].partner;
	for (const struct tune_part *part = symbol->structure.parts; part; part = part->next)
		for (const struct tune_node *node = NULL; (node = next_number(part->node, node)) != NULL;)
			if (!heddle__tune_is_visible(loop, node->symbol))
				return false;
	return symbol->global || (symbol->token > function->parameters && symbol->token < last);
}

/* Returns true if the loop changes the structure, the pointer to it, or memory that may contain it. */
static bool may_change(struct tune_loop *loop, const struct tune_symbol *symbol)
{
	struct tune_symbol *first = symbol->structure.symbol;
	bool stores = heddle__tune_stores(loop, symbol->type), direct = !strpbrk(symbol->name, "[>");
	if (may_change_path(loop, symbol))
		return true;
	if (symbol->structure.pointed)
		return stores || heddle__tune_may_change(loop, first);
	return heddle__tune_facts(loop, first)->written ||
	       (stores && (!direct || heddle__tune_addressed(loop->file, first)));
}

void heddle__tune_find_changed_members(struct tune_loop *loop)
{
	for (int i = 0; i < loop->fact_count; i++) {
		const struct tune_symbol *symbol = loop->facts[i]->symbol;
		if (symbol->structure.symbol && may_change(loop, symbol))
			symbol->facts->written = true;
	}
}
