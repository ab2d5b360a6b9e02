/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds copies of structures, which make two structures have the same pointers. */
#include "tune/loop.h"

#include <string.h>

static bool is_same(const struct tune_type *a, const struct tune_type *b)
{
	return a && b && a->kind == TUNE_BASE && b->kind == TUNE_BASE && a->basic && b->basic &&
	       strcmp(a->basic, b->basic) == 0;
}

/* Returns true if a type is a structure, or has it as a member or element. */
static bool contains(const struct tune_type *type, const struct tune_type *record, int depth)
{
	while (type && type->kind == TUNE_ARRAY)
		type = type->of;
	if (!type || type->kind != TUNE_BASE || depth > 8)
		return type && depth > 8;
	bool found = is_same(type, record);
	for (const struct tune_symbol *member = type->record ? type->record->members : NULL; member && !found;
		member = member->next)
		found = contains(member->type, record, depth + 1);
	return found;
}

bool heddle__tune_contains(const struct tune_type *type, const struct tune_type *record)
{
	return contains(type, record, 0);
}

/* The type of the member that .member = value initializes, which the tree does not show; or NULL. */
static const struct tune_type *designated(const struct tune_file *file, const struct tune_node *value)
{
	const struct tune_type *type = value->parent->type;
	const struct tune_symbol *member = type && type->record ? type->record->members : NULL;
	while (member && !(heddle__tune_at(file, value->first, ".") &&
				 heddle__tune_at(file, heddle__tune_next(&file->source, value->first), member->name)))
		member = member->next;
	return member ? member->type : NULL;
}

bool heddle__tune_initializes(
	const struct tune_file *file, const struct tune_node *braces, const struct tune_type *record)
{
	for (struct tune_node *value = braces->child; value; value = value->next) {
		const struct tune_type *type = value->kind == TUNE_OTHER ? designated(file, value) : NULL;
		bool apart = type && (is_same(braces->type, record) || !contains(type, record, 0));
		if (!apart && !heddle__tune_is_zero(file, value) && value->kind != TUNE_BRACES &&
			contains(braces->type, record, 0))
			return true;
	}
	return false;
}

static bool points_to(const struct tune_type *type, const struct tune_type *record)
{
	bool pointer = type && (type->kind == TUNE_POINTER || (type->kind == TUNE_ARRAY && !type->shared));
	return pointer && contains(type->of, record, 0);
}

/* ---- the structure as a value ---- */

static bool is_new(const struct tune_file *file, const struct tune_node *value, int depth);

/* Returns true if a function returns variables of its own, which end with it. */
static bool returns_own(const struct tune_file *file, const struct tune_symbol *function, int depth)
{
	for (const struct tune_node *node = function->tree; node; node = heddle__tune_walk(function->tree, node)) {
		struct tune_node *value = node->kind == TUNE_JUMP ? heddle__tune_bare(node->child) : NULL;
		const struct tune_symbol *symbol = value && value->kind == TUNE_NAME ? value->symbol : NULL;
		bool own = symbol && symbol->kind == TUNE_VARIABLE && !symbol->global && !symbol->parameter &&
			   !symbol->is_static && !symbol->is_extern;
		if (value && !own && !is_new(file, value, depth + 1))
			return false;
	}
	return true;
}

/* Returns true if no other structure has the pointers of a value after it is used. */
static bool is_new(const struct tune_file *file, const struct tune_node *value, int depth)
{
	const struct tune_symbol *function = value->kind == TUNE_CALL ? value->child->symbol : NULL;
	return value->kind == TUNE_BRACES || value->kind == TUNE_LITERAL ||
	       (function && function->body && depth < 4 && returns_own(file, function, depth));
}

/* Returns true if a parameter is used for its members alone, which are not changed. */
static bool is_only_read(const struct tune_file *file, const struct tune_symbol *function, int position)
{
	const struct tune_symbol *parameter = heddle__tune_parameter(function, position);
	for (const struct tune_node *node = function->tree; node; node = heddle__tune_walk(function->tree, node)) {
		bool member = node->kind == TUNE_NAME && node->symbol && parameter &&
			      node->symbol->structure.symbol == parameter;
		if (!member && !(node->kind == TUNE_NAME && node->symbol == parameter))
			continue;
		const struct tune_node *outer = heddle__tune_above(node);
		bool used = member;
		for (; outer->kind == TUNE_MEMBER; outer = heddle__tune_above(outer))
			used = true;
		if (!used || outer->kind == TUNE_ADDRESS || heddle__tune_is_change(file, outer))
			return false;
	}
	return parameter;
}

static int position_in(const struct tune_node *call, const struct tune_node *value)
{
	int position = 0;
	while (!heddle__tune_within(value, heddle__tune_child(call, position + 1)))
		position++;
	return position;
}

/* Returns true if the use of a structure copies it. */
static bool copies(const struct tune_file *file, struct tune_node *node)
{
	const struct tune_node *outer = node->parent;
	const struct tune_symbol *function;
	switch (outer->kind) {
	case TUNE_ASSIGNMENT:
		if (outer->child == node)
			return !is_new(file, heddle__tune_bare(node->next), 0) &&
			       !heddle__tune_swapped_with(file, node) && !heddle__tune_is_kept_in_swap(file, node);
		return outer->parent->kind != TUNE_EXPRESSION; /* examined with the target */
	case TUNE_DECLARATOR:
		return !is_new(file, node, 0) && !heddle__tune_is_kept_in_swap(file, node);
	case TUNE_CALL:
		function = outer->child->symbol;
		return !function || !function->body || !is_only_read(file, function, position_in(outer, node));
	case TUNE_JUMP:
		function = heddle__tune_function_at(file, node->first);
		return !function || !returns_own(file, function, 0);
	case TUNE_MEMBER:
	case TUNE_ADDRESS:
	case TUNE_SIZEOF:
	case TUNE_LITERAL:
	case TUNE_EXPRESSION:
	case TUNE_BRACES: /* an inner one, or examined as an initializer */
		return outer->kind == TUNE_BRACES && node->kind != TUNE_BRACES;
	case TUNE_GROUP: /* examined itself */
		return false;
	default:
		return true;
	}
}

/* ---- pointers to it ---- */

/* Returns true for functions that copy nothing from one structure to another. */
static bool copies_nothing(const struct tune_file *file, const struct tune_node *function)
{
	static const char *const names[] = {"free", "memset", "realloc", "printf", "fprintf", NULL};
	const char *name = heddle__tune_word(&file->source, function->first);
	const char *const *at = names;
	while (*at && strcmp(*at, name) != 0 && !(strncmp(name, "__builtin_", 10) == 0 && strcmp(*at, name + 10) == 0))
		at++;
	return *at;
}

/* Returns true if a pointer to the structure becomes one of another type, by which it may be copied. */
static bool escapes(const struct tune_file *file, const struct tune_node *node)
{
	const struct tune_node *outer = heddle__tune_above(node);
	const struct tune_symbol *function, *parameter;
	const struct tune_type *type = node->type, *to;
	if (!outer)
		return false;
	switch (outer->kind) {
	case TUNE_CAST:
		to = outer->type;
		break;
	case TUNE_DECLARATOR:
		to = outer->symbol->type;
		break;
	case TUNE_ASSIGNMENT:
		to = heddle__tune_bare(outer->child) == node ? type : outer->child->type;
		break;
	case TUNE_JUMP:
		function = heddle__tune_function_at(file, outer->first);
		to = function && function->type ? function->type->of : NULL;
		break;
	case TUNE_CALL:
		function = outer->child->symbol;
		if (!function || !function->body)
			return outer->child != node && !copies_nothing(file, outer->child);
		parameter = heddle__tune_parameter(function, position_in(outer, node));
		to = parameter ? parameter->type : NULL;
		break;
	default:
		return false;
	}
	return !to || (to->kind != TUNE_POINTER && to->kind != TUNE_ARRAY) || !is_same(to->of, type->of);
}

/* Returns true if .member = value of an initializer may copy the structure, or make a pointer to it another one. */
static bool may_copy(const struct tune_file *file, const struct tune_node *value, const struct tune_type *record)
{
	const struct tune_type *type = designated(file, value), *of = type ? type->of : NULL;
	bool any = of && of->kind == TUNE_BASE && of->name && strcmp(of->name, "void") == 0;
	return !type || any || contains(type, record, 0);
}

bool heddle__tune_is_copied(const struct tune_file *file, const struct tune_type *record)
{
	const struct tune_symbol *in;
	const struct tune_node *node = NULL;
	while ((node = heddle__tune_walk_file(file, &in, node)) != NULL) {
		const struct tune_type *type = node->type;
		bool braces = node->parent && node->parent->kind == TUNE_BRACES;
		if (node->kind == TUNE_OTHER && (!braces || may_copy(file, node, record)))
			return true;
		if (!type || node->kind == TUNE_DECLARATOR || !node->parent)
			continue;
		if (type->kind == TUNE_BASE && contains(type, record, 0) &&
			(type->is_union || copies(file, (struct tune_node *)node)))
			return true;
		if (points_to(type, record) && escapes(file, node))
			return true;
	}
	return false;
}
