/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Determines whether two variables are different memory. A pointer has the origins of all values that the file assigns
 * to it: arrays, and calls that allocate. Values that cannot be followed are unknown: values from memory and from
 * functions, and of pointers that others may change.
 */
#include "tune/loop.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ORIGINS 16
#define MOST_NESTED 4 /* functions that return what a function returns */

struct origins {
	struct tune_file *file;
	const void *list[MOST_ORIGINS]; /* symbols of arrays, nodes of calls */
	bool is_symbol[MOST_ORIGINS];
	const struct tune_symbol *seen[MOST_ORIGINS]; /* variables that were examined */
	int count, seen_count, depth;
	bool inside; /* a value may point to a later element than the first of an origin */
};

static bool find_origins(struct origins *origins, const struct tune_symbol *symbol);

static bool add_origin(struct origins *origins, const void *origin, bool is_symbol)
{
	if (origins->count == MOST_ORIGINS)
		return false;
	origins->is_symbol[origins->count] = is_symbol;
	origins->list[origins->count++] = origin;
	return true;
}

static bool is_allocation(const struct tune_file *file, const struct tune_node *call)
{
	return heddle__tune_is(&file->source, call->first, "upc_all_alloc") ||
	       heddle__tune_is(&file->source, call->first, "upc_global_alloc") ||
	       heddle__tune_is(&file->source, call->first, "upc_alloc");
}

static bool find_value(struct origins *origins, struct tune_node *node);

/* Finds the memory that an lvalue is a part of. */
static bool find_memory(struct origins *origins, struct tune_node *node)
{
	while (node->kind == TUNE_INDEX || node->kind == TUNE_MEMBER) {
		struct tune_node *inner = heddle__tune_bare(node->child);
		origins->inside |= node->kind == TUNE_MEMBER || !heddle__tune_is_zero(origins->file, node->child->next);
		if (node->kind == TUNE_INDEX && !(inner->type && inner->type->kind == TUNE_ARRAY))
			return find_value(origins, inner);
		node = inner;
	}
	return node->kind == TUNE_NAME && node->type && node->type->kind == TUNE_ARRAY && find_value(origins, node);
}

/* Finds the objects to which the result of a function of the file may point. */
static bool find_result(struct origins *origins, const struct tune_symbol *function)
{
	if (!function || !function->body || origins->depth == MOST_NESTED)
		return false;
	origins->depth++;
	bool good = true;
	for (const struct tune_node *node = function->tree; node && good;
		node = heddle__tune_walk(function->tree, node))
		if (node->kind == TUNE_JUMP && node->child)
			good = find_value(origins, node->child);
	origins->depth--;
	return good;
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
		return heddle__tune_is_zero(file, node);
	case TUNE_CAST:
		last = node->child;
		while (last->next)
			last = last->next;
		return find_value(origins, last);
	case TUNE_CALL:
		return is_allocation(file, node) ? add_origin(origins, node, false)
						 : find_result(origins, node->child->symbol);
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
	if (!symbol->structure.symbol)
		return false;
	return node->kind == TUNE_BRACES && heddle__tune_initializes(file, node, symbol->record);
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

/*
 * Calls `visit` for each value that a function of the file assigns to a variable whose address is the argument. Returns
 * false if a call does, or the function may do something else with the address.
 */
static bool for_values(struct origins *origins, const struct tune_node *variable, mention visit)
{
	const struct tune_node *address = heddle__tune_above(variable), *call = heddle__tune_above(address);
	const struct tune_symbol *function = call && call->kind == TUNE_CALL ? call->child->symbol : NULL;
	int position = 0;
	if (!function || !function->body)
		return false;
	while (!heddle__tune_within(address, heddle__tune_child(call, position + 1)))
		position++;
	const struct tune_symbol *parameter = heddle__tune_parameter(function, position);
	for (struct tune_node *node = parameter ? function->tree : NULL, *value; node;
		node = heddle__tune_walk(function->tree, node)) {
		if (is_not_understood(origins->file, node, parameter))
			return false;
		if (node->kind != TUNE_NAME || node->symbol != parameter)
			continue;
		struct tune_node *to = (struct tune_node *)heddle__tune_above(node);
		bool pointed = to->kind == TUNE_INDEX && heddle__tune_bare(to->child) == node &&
			       heddle__tune_is_zero(origins->file, to->child->next);
		enum done done = pointed ? done_to(origins->file, to, &value) : ADDRESSED;
		if (done != READ && !(done == ASSIGNED && visit(origins, value)))
			return false;
	}
	return parameter;
}

static bool visit_variable(struct origins *origins, struct tune_node *node)
{
	struct tune_node *value;
	enum done done = done_to(origins->file, node, &value);
	origins->inside |= done == CHANGED;
	return done == ASSIGNED    ? find_value(origins, value)
	       : done == ADDRESSED ? for_values(origins, node, find_value)
				   : true;
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
	int depth;
};

static bool is_own(struct owner *owner, struct tune_node *value);
static bool owns_memory(struct owner *owner, const struct tune_symbol *symbol);

/* Returns true if each call returns new memory: a result of an allocation, or a variable of its own that owns it. */
static bool returns_own(struct owner *owner, const struct tune_symbol *function)
{
	struct owner inner = {.origins = {.file = owner->origins.file},
		.first_thread = owner->first_thread,
		.depth = owner->depth + 1};
	if (!function || !function->body || owner->depth == MOST_NESTED)
		return false;
	for (const struct tune_node *node = function->tree; node; node = heddle__tune_walk(function->tree, node)) {
		struct tune_node *value = node->kind == TUNE_JUMP ? heddle__tune_bare(node->child) : NULL;
		const struct tune_symbol *symbol = value && value->kind == TUNE_NAME ? value->symbol : NULL;
		bool own = symbol && symbol->kind == TUNE_VARIABLE && !symbol->global && !symbol->is_static &&
			   !symbol->is_extern && !symbol->structure.symbol && symbol->type->kind == TUNE_POINTER &&
			   owns_memory(&inner, symbol);
		if (value && !own && !is_own(&inner, value))
			return false;
	}
	return true;
}

static bool is_own(struct owner *owner, struct tune_node *value)
{
	const struct tune_file *file = owner->origins.file;
	while (value->kind == TUNE_GROUP || value->kind == TUNE_CAST)
		value = value->child;
	owner->assigned = true;
	if (value->kind != TUNE_CALL)
		return heddle__tune_is_zero(file, value);
	return is_allocation(file, value)
		       ? !(owner->first_thread && heddle__tune_is(&file->source, value->first, "upc_alloc"))
		       : returns_own(owner, value->child->symbol);
}

static bool visit_value(struct origins *origins, struct tune_node *value)
{
	return is_own((struct owner *)origins, value);
}

static bool visit_owner(struct origins *origins, struct tune_node *node)
{
	struct tune_node *value;
	enum done done = done_to(origins->file, node, &value);
	return done == ASSIGNED    ? visit_value(origins, value)
	       : done == ADDRESSED ? for_values(origins, node, visit_value)
				   : done == READ;
}

static bool owns_memory(struct owner *owner, const struct tune_symbol *symbol)
{
	owner->assigned = false;
	if (is_object(symbol))
		return true;
	if (symbol->parameter || has_other_values(symbol) || symbol->type->kind != TUNE_POINTER ||
		(symbol->tree && !is_own(owner, symbol->tree)))
		return false;
	return for_mentions(&owner->origins, symbol, visit_owner) && owner->assigned;
}

bool heddle__tune_owns_memory(struct tune_file *file, const struct tune_symbol *symbol, bool first_thread)
{
	struct owner owner = {.origins = {.file = file}, .first_thread = first_thread};
	return owns_memory(&owner, symbol);
}

static bool have_common(const struct origins *one, const struct origins *other)
{
	for (int i = 0; i < one->count; i++)
		for (int j = 0; j < other->count; j++)
			if (one->list[i] == other->list[j])
				return true;
	return false;
}

/* ---- pointers that always have different values ---- */

/*
 * Pointers, of which a member stands for those of all structures of its type. If each value that the file assigns to
 * them is new memory, or the value of another one that gets this one's value in exchange, no two of them are equal, in
 * any two structures.
 */
struct exclusive {
	struct origins origins;
	const struct tune_symbol *list[MOST_ORIGINS];
	int count;
};

static bool is_same_pointer(const struct tune_symbol *a, const struct tune_symbol *b)
{
	return a == b || heddle__tune_are_same_member(a, b);
}

static bool is_exclusive(const struct exclusive *all, const struct tune_symbol *symbol)
{
	int i = 0;
	while (i < all->count && !is_same_pointer(all->list[i], symbol))
		i++;
	return i < all->count;
}

static bool add_exclusive(struct exclusive *all, const struct tune_symbol *symbol)
{
	const struct tune_type *type = symbol ? symbol->type : NULL;
	if (!type || type->kind != TUNE_POINTER || type->shared || type->is_volatile || symbol->parameter ||
		symbol->is_extern || symbol->kind != TUNE_VARIABLE || has_other_values(symbol))
		return false;
	if (is_exclusive(all, symbol))
		return true;
	if (all->count == MOST_ORIGINS)
		return false;
	all->list[all->count++] = symbol;
	return true;
}

/* Adds the pointer that gets the value of `node` in a swap, if it is one. */
static bool visit_exclusive(struct origins *origins, struct tune_node *node)
{
	struct owner owner = {.origins = {.file = origins->file}};
	struct tune_node *value;
	enum done done = done_to(origins->file, node, &value);
	if (done == READ || (done == ASSIGNED && is_own(&owner, value)) ||
		(done == ADDRESSED && for_values(&owner.origins, node, visit_value)))
		return true;
	struct tune_node *other = done != CHANGED ? heddle__tune_swapped_with(origins->file, node) : NULL;
	return other && add_exclusive((struct exclusive *)origins, heddle__tune_pointer_of(origins->file, other));
}

/* Finds the pointers with which `symbol` exchanges values; returns false if other values are possible. */
static bool find_exclusive(struct exclusive *all, const struct tune_symbol *symbol)
{
	struct owner owner = {.origins = {.file = all->origins.file}};
	if (!add_exclusive(all, symbol))
		return false;
	for (int i = 0; i < all->count; i++) {
		const struct tune_symbol *next = all->list[i];
		if ((next->tree && !is_own(&owner, next->tree)) ||
			(next->structure.symbol && heddle__tune_is_copied(all->origins.file, next->record)) ||
			!for_mentions(&all->origins, next, visit_exclusive))
			return false;
	}
	return true;
}

static bool have_own_values(struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b)
{
	struct exclusive all = {.origins = {.file = file}};
	bool different = a != b && (!is_same_pointer(a, b) || heddle__tune_are_different_objects(file, a, b));
	return different && find_exclusive(&all, a) && find_exclusive(&all, b);
}

/* ---- parameters ---- */

/* The arguments that calls pass for a parameter; with `other`, checks whether both are different memory. */
struct argument {
	struct origins origins;
	int position, other; /* other: -1 if there is none */
};

/* Returns true if two values at one time are different memory. */
static bool are_values_apart(struct tune_file *file, struct tune_node *a, struct tune_node *b)
{
	struct origins one = {.file = file}, other = one;
	if (find_value(&one, a) && find_value(&other, b) && !have_common(&one, &other))
		return true;
	const struct tune_symbol *x = heddle__tune_pointer_of(file, heddle__tune_bare(a)),
				 *y = heddle__tune_pointer_of(file, heddle__tune_bare(b));
	return x && y && have_own_values(file, x, y);
}

static bool visit_call(struct origins *origins, struct tune_node *node)
{
	const struct argument *argument = (const struct argument *)origins;
	const struct tune_node *call = node->parent;
	if (node->kind != TUNE_NAME || !call || call->kind != TUNE_CALL || call->child != node)
		return false;
	struct tune_node *value = heddle__tune_child(call, argument->position + 1);
	if (argument->other < 0)
		return value && find_value(origins, value);
	struct tune_node *other = heddle__tune_child(call, argument->other + 1);
	return value && other && are_values_apart(origins->file, value, other);
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
		return add_origin(origins, symbol, true);
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

/* The statement that declares a variable with a value. */
static const struct tune_node *declaration_of(const struct tune_node *value)
{
	while (value && value->kind != TUNE_DECLARATION)
		value = value->parent;
	return value;
}

/* Returns true if nothing but declarations without calls is from one statement of a block to another one. */
static bool are_together(const struct tune_node *first, const struct tune_node *last)
{
	if (!first || !last || first->parent != last->parent || first->first > last->first)
		return false;
	for (const struct tune_node *node = first;; node = node->next) {
		for (const struct tune_node *part = node; part; part = heddle__tune_walk(node, part))
			if (node->kind != TUNE_DECLARATION || part->kind == TUNE_CALL || part->kind == TUNE_OTHER ||
				part->kind == TUNE_ASSIGNMENT)
				return false;
		if (node == last)
			return true;
	}
}

/* Returns true for pointers that are copies of ones that were different memory: old = g->now, new = g->then. */
static bool are_apart_as_copies(struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b)
{
	const struct tune_symbol *function = heddle__tune_function_at(file, a->token);
	struct tune_node *one = NULL, *other = NULL;
	if (!function || function != heddle__tune_function_at(file, b->token) || a->global || b->global ||
		a->is_static || b->is_static || a->structure.symbol || b->structure.symbol ||
		!heddle__tune_is_steady(file, function, a, &one) || !heddle__tune_is_steady(file, function, b, &other))
		return false;
	const struct tune_node *first = declaration_of(one), *last = declaration_of(other);
	return (are_together(first, last) || are_together(last, first)) && are_values_apart(file, one, other);
}

bool heddle__tune_are_apart(struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b)
{
	struct origins one = {.file = file}, other = {.file = file};
	if (!heddle__tune_are_same_member(a, b) && heddle__tune_owns_memory(file, a, false) &&
		heddle__tune_owns_memory(file, b, false))
		return true;
	if (find_origins(&one, a) && find_origins(&other, b) && !have_common(&one, &other))
		return true;
	return have_own_values(file, a, b) || are_apart_in_calls(file, a, b) || are_apart_as_copies(file, a, b);
}

/* Returns true if an object has the name of what the result of its allocation is assigned to, or of its place. */
static bool is_name_of(const struct tune_file *file, const struct tune_node *call, const char *object)
{
	const struct tune_source *source = &file->source;
	const char *at = strchr(object, '@'), *line = at ? strrchr(at, ':') : NULL;
	const struct tune_node *target = heddle__tune_above(call);
	while (target && target->kind == TUNE_CAST)
		target = heddle__tune_above(target);
	if (line)
		return heddle__tune_at(
			       file, call->first, heddle__tune_copy(file->work, object, (size_t)(at - object))) &&
		       strtol(line + 1, NULL, 10) == source->tokens[call->first].line;
	if (target && target->kind == TUNE_DECLARATOR)
		return strcmp(target->symbol->name, object) == 0;
	return target && target->kind == TUNE_ASSIGNMENT &&
	       strcmp(heddle__tune_line(source, target->child->first, target->child->last), object) == 0;
}

bool heddle__tune_may_be(struct tune_file *file, const struct tune_symbol *pointer, const char *object)
{
	struct origins origins = {.file = file};
	find_origins(&origins, pointer); /* what was found so far, even if there may be more */
	for (int i = 0; i < origins.count; i++)
		if (!origins.is_symbol[i] && is_name_of(file, origins.list[i], object))
			return true;
	return false;
}

bool heddle__tune_may_share_origin(struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b)
{
	struct origins one = {.file = file}, other = {.file = file};
	find_origins(&one, a); /* what was found so far, even if there may be more */
	find_origins(&other, b);
	return have_common(&one, &other);
}
