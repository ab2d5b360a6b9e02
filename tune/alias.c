/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Determines whether two variables are different memory. A pointer has the origins of all values that the file assigns
 * to it: arrays, and calls that allocate. Values that cannot be followed are unknown: values from memory and from
 * functions, and of pointers that others may change.
 */
#include "tune/loop.h"

#include <string.h>

#define MOST_ORIGINS 16

struct origins {
	struct tune_file *file;
	const void *list[MOST_ORIGINS];               /* symbols of arrays, nodes of calls */
	const struct tune_symbol *seen[MOST_ORIGINS]; /* variables that were examined */
	int count, seen_count;
	bool inside; /* a value may point to a later element than the first of an origin */
};

static bool find_origins(struct origins *origins, const struct tune_symbol *symbol);

static bool add_origin(struct origins *origins, const void *origin)
{
	if (origins->count == MOST_ORIGINS)
		return false;
	origins->list[origins->count++] = origin;
	return true;
}

static bool is_allocation(const struct tune_file *file, const struct tune_node *call)
{
	return heddle__tune_is(&file->source, call->first, "upc_all_alloc") ||
	       heddle__tune_is(&file->source, call->first, "upc_global_alloc") ||
	       heddle__tune_is(&file->source, call->first, "upc_alloc");
}

static bool is_zero(const struct tune_file *file, struct tune_node *node)
{
	node = heddle__tune_bare(node);
	return (node->kind == TUNE_SUM && !node->child) ||
	       (node->kind == TUNE_CONSTANT && heddle__tune_is(&file->source, node->first, "0"));
}

static bool find_value(struct origins *origins, struct tune_node *node);

/* Finds the memory that an lvalue is a part of. */
static bool find_memory(struct origins *origins, struct tune_node *node)
{
	while (node->kind == TUNE_INDEX || node->kind == TUNE_MEMBER) {
		struct tune_node *inner = heddle__tune_bare(node->child);
		origins->inside |= node->kind == TUNE_MEMBER || !is_zero(origins->file, node->child->next);
		if (node->kind == TUNE_INDEX && !(inner->type && inner->type->kind == TUNE_ARRAY))
			return find_value(origins, inner);
		node = inner;
	}
	return node->kind == TUNE_NAME && node->type && node->type->kind == TUNE_ARRAY && find_value(origins, node);
}

/* Finds the objects to which an expression may point; returns false if they are unknown. */
static bool find_value(struct origins *origins, struct tune_node *node)
{
	const struct tune_file *file = origins->file;
	struct tune_node *last;
	node = heddle__tune_bare(node);
	switch (node->kind) {
	case TUNE_NAME:
		return find_origins(origins, node->symbol);
	case TUNE_CONSTANT:
		return is_zero(file, node);
	case TUNE_CAST:
		last = node->child;
		while (last->next)
			last = last->next;
		return find_value(origins, last);
	case TUNE_CALL:
		return is_allocation(file, node) && add_origin(origins, node);
	case TUNE_CONDITIONAL:
		return find_value(origins, node->child->next) && find_value(origins, node->child->next->next);
	case TUNE_ADDRESS:
		return find_memory(origins, heddle__tune_bare(node->child));
	case TUNE_INDEX:
	case TUNE_MEMBER: /* an array, such as a row */
		return node->type && node->type->kind == TUNE_ARRAY && find_memory(origins, node);
	default:
		return false;
	}
}

/* ---- uses of a variable in the file ---- */

typedef bool (*mention)(struct origins *origins, struct tune_node *node);

static bool is_of(const struct tune_file *file, const struct tune_node *node, const struct tune_symbol *symbol)
{
	if (symbol->structure.symbol)
		return heddle__tune_is_same_member(file, symbol, node);
	return (node->kind == TUNE_NAME || node->kind == TUNE_DECLARATOR) && node->symbol == symbol;
}

/* Returns true if a node may do something to a variable that the tree does not show; for members, an initializer. */
static bool is_not_understood(
	const struct tune_file *file, const struct tune_node *node, const struct tune_symbol *symbol)
{
	if (node->kind == TUNE_OTHER)
		return heddle__tune_mentions(file, node->first, node->last, heddle__tune_last_member(symbol->name));
	if (!symbol->structure.symbol || (node->kind != TUNE_BRACES && node->kind != TUNE_LITERAL))
		return false;
	for (struct tune_node *value = node->child; value; value = value->next)
		if (!is_zero(file, value) && value->kind != TUNE_BRACES)
			return heddle__tune_may_share(node->type, symbol->record);
	return node->kind == TUNE_LITERAL;
}

/* Calls `visit` for each node of a symbol. Returns false if a call does, or a part of the file is not understood. */
static bool for_mentions(struct origins *origins, const struct tune_symbol *symbol, mention visit)
{
	const struct tune_file *file = origins->file;
	const struct tune_symbol *in;
	const struct tune_node *node = NULL;
	while ((node = heddle__tune_walk_file(file, &in, node)) != NULL) {
		if (is_not_understood(file, node, symbol) ||
			(is_of(file, node, symbol) && !visit(origins, (struct tune_node *)node)))
			return false;
	}
	return true;
}

enum done { READ, ASSIGNED, CHANGED, ADDRESSED };

/* What a node does to a variable. *value: the assigned value. */
static enum done done_to(const struct tune_file *file, struct tune_node *node, struct tune_node **value)
{
	const struct tune_node *outer = heddle__tune_above(node);
	*value = node->child;
	if (node->kind == TUNE_DECLARATOR)
		return node->child ? ASSIGNED : READ;
	if (!outer || heddle__tune_bare(outer->child) != node)
		return READ;
	*value = outer->child->next;
	if (outer->kind == TUNE_ASSIGNMENT && heddle__tune_op(file, outer, "="))
		return ASSIGNED;
	return heddle__tune_is_change(file, outer) ? CHANGED : outer->kind == TUNE_ADDRESS ? ADDRESSED : READ;
}

static bool visit_variable(struct origins *origins, struct tune_node *node)
{
	struct tune_node *value;
	enum done done = done_to(origins->file, node, &value);
	origins->inside |= done == CHANGED;
	return done == ASSIGNED ? find_value(origins, value) : done != ADDRESSED;
}

static bool visit_kept(struct origins *origins, struct tune_node *node)
{
	struct tune_node *value;
	return done_to(origins->file, node, &value) == READ;
}

/*
 * Returns true if a pointer has values that the file does not assign to its name. Values of a pointer in a structure
 * are those of the same member of all structures of that type.
 */
static bool has_other_values(const struct tune_symbol *symbol)
{
	return symbol->structure.symbol ? !symbol->record->is_own : symbol->global && !symbol->is_static;
}

/* ---- memory of its own ---- */

/* Returns true for an array, or a shared variable that is not a pointer. */
static bool is_object(const struct tune_symbol *symbol)
{
	return !symbol->parameter &&
	       (symbol->type->kind == TUNE_ARRAY || (symbol->type->kind == TUNE_BASE && symbol->type->shared));
}

struct owner {
	struct origins origins;
	bool first_thread, assigned;
};

static bool is_own(struct owner *owner, struct tune_node *value)
{
	const struct tune_file *file = owner->origins.file;
	while (value->kind == TUNE_GROUP || value->kind == TUNE_CAST)
		value = value->child;
	owner->assigned = true;
	return is_zero(file, value) ||
	       (value->kind == TUNE_CALL && is_allocation(file, value) &&
		       !(owner->first_thread && heddle__tune_is(&file->source, value->first, "upc_alloc")));
}

static bool visit_owner(struct origins *origins, struct tune_node *node)
{
	struct tune_node *value;
	enum done done = done_to(origins->file, node, &value);
	return done == ASSIGNED ? is_own((struct owner *)origins, value) : done == READ;
}

bool heddle__tune_owns_memory(struct tune_file *file, const struct tune_symbol *symbol, bool first_thread)
{
	struct owner owner = {.origins = {.file = file}, .first_thread = first_thread};
	if (is_object(symbol))
		return true;
	if (symbol->parameter || has_other_values(symbol) || symbol->type->kind != TUNE_POINTER ||
		(symbol->tree && !is_own(&owner, symbol->tree)))
		return false;
	return for_mentions(&owner.origins, symbol, visit_owner) && owner.assigned;
}

static bool have_common(const struct origins *one, const struct origins *other)
{
	for (int i = 0; i < one->count; i++)
		for (int j = 0; j < other->count; j++)
			if (one->list[i] == other->list[j])
				return true;
	return false;
}

/* ---- parameters ---- */

struct tune_symbol *heddle__tune_function_of(const struct tune_file *file, const struct tune_symbol *parameter)
{
	struct tune_symbol *function = file->globals;
	while (function && !(function->body && function->parameters < parameter->token &&
				   parameter->token < file->source.tokens[function->parameters].partner))
		function = function->next;
	return function;
}

/* The arguments that calls pass for a parameter; with `other`, checks whether both are different memory. */
struct argument {
	struct origins origins;
	int position, other; /* other: -1 if there is none */
};

static bool visit_call(struct origins *origins, struct tune_node *node)
{
	const struct argument *argument = (const struct argument *)origins;
	const struct tune_node *call = node->parent;
	if (node->kind != TUNE_NAME || !call || call->kind != TUNE_CALL || call->child != node)
		return false;
	struct tune_node *value = heddle__tune_child(call, argument->position + 1);
	if (argument->other < 0)
		return value && find_value(origins, value);
	struct origins one = {.file = origins->file}, two = one;
	struct tune_node *other = heddle__tune_child(call, argument->other + 1);
	return value && other && find_value(&one, value) && find_value(&two, other) && !have_common(&one, &two);
}

static bool find_arguments(struct origins *origins, const struct tune_symbol *parameter)
{
	const struct tune_symbol *function = heddle__tune_function_of(origins->file, parameter);
	if (!function || !function->is_static)
		return false;
	struct argument argument = {.origins = *origins, .position = parameter->position, .other = -1};
	bool good = for_mentions(&argument.origins, function, visit_call);
	*origins = argument.origins;
	return good;
}

/* ---- variables ---- */

static bool find_origins(struct origins *origins, const struct tune_symbol *symbol)
{
	if (!symbol || !symbol->type || symbol->kind != TUNE_VARIABLE)
		return false;
	if (is_object(symbol))
		return add_origin(origins, symbol);
	for (int i = 0; i < origins->seen_count; i++)
		if (origins->seen[i] == symbol)
			return true;
	if (symbol->type->kind != TUNE_POINTER || origins->seen_count == MOST_ORIGINS || has_other_values(symbol))
		return false;
	origins->seen[origins->seen_count++] = symbol;
	return (!symbol->parameter || find_arguments(origins, symbol)) &&
	       (!symbol->tree || find_value(origins, symbol->tree)) && for_mentions(origins, symbol, visit_variable);
}

bool heddle__tune_points_inside(struct tune_file *file, const struct tune_symbol *symbol)
{
	struct origins origins = {.file = file};
	find_origins(&origins, symbol);
	return origins.inside;
}

/* Returns true for parameters of one static function that are different memory in each call, as for swapped buffers. */
static bool are_apart_in_calls(struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b)
{
	const struct tune_symbol *function = a->parameter && b->parameter ? heddle__tune_function_of(file, a) : NULL;
	struct argument argument = {.origins = {.file = file}, .position = a->position, .other = b->position};
	return function && function->is_static && function == heddle__tune_function_of(file, b) &&
	       for_mentions(&argument.origins, a, visit_kept) && for_mentions(&argument.origins, b, visit_kept) &&
	       for_mentions(&argument.origins, function, visit_call);
}

bool heddle__tune_are_apart(struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b)
{
	struct origins one = {.file = file}, other = {.file = file};
	if (!heddle__tune_are_same_member(a, b) && heddle__tune_owns_memory(file, a, false) &&
		heddle__tune_owns_memory(file, b, false))
		return true;
	if (find_origins(&one, a) && find_origins(&other, b) && !have_common(&one, &other))
		return true;
	return are_apart_in_calls(file, a, b);
}

bool heddle__tune_may_share_origin(struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b)
{
	struct origins one = {.file = file}, other = {.file = file};
	find_origins(&one, a); /* what was found so far, even if there may be more */
	find_origins(&other, b);
	return have_common(&one, &other);
}
