/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Determines whether indices of pointers, and values of variables, may be negative. Indices of arrays are not negative,
 * nor those of pointers to a first element. A pointer with values from elsewhere is assumed to point to a first
 * element.
 */
#include "tune/loop.h"

#include <limits.h>
#include <string.h>

static bool is_unsigned(const struct tune_type *type)
{
	const char *name = type && type->kind == TUNE_BASE ? (type->basic ? type->basic : type->name) : NULL;
	return name && (strstr(name, "unsigned") || strcmp(name, "size_t") == 0 || strncmp(name, "uint", 4) == 0);
}

static bool is_int(const struct tune_type *type)
{
	const char *name = type && type->kind == TUNE_BASE ? (type->basic ? type->basic : type->name) : "";
	return strcmp(name, "int") == 0 && !type->shared && !type->is_volatile;
}

static bool is_never_negative(const struct tune_loop *loop, struct tune_node *node);

/* True if an unsigned value may represent a negative one: as an index, i - 10ul and (size_t)(i - 10) are i - 10. */
static bool may_wrap(const struct tune_loop *loop, const struct tune_node *node)
{
	struct tune_node *value = node->child;
	while (node->kind == TUNE_CAST && value->next)
		value = value->next;
	return node->kind == TUNE_NEGATIVE || (node->kind == TUNE_CAST && !is_never_negative(loop, value)) ||
	       (node->kind == TUNE_UNARY && heddle__tune_op(loop->file, node, "-")) ||
	       (node->kind == TUNE_BINARY &&
		       (heddle__tune_op(loop->file, node, "-") || heddle__tune_op(loop->file, node, "+")));
}

/*
 * Returns true for the index minus the start of an upward loop: a variable that does not change while the loop runs, or
 * a number. Compares symbols, not text, because the body may declare another variable of that name.
 */
static bool is_since_start(const struct tune_loop *loop, const struct tune_node *binary)
{
	const struct tune_node *index = heddle__tune_bare(binary->child),
			       *less = heddle__tune_bare(binary->child->next);
	long first, number;
	if (!heddle__tune_op(loop->file, binary, "-") || loop->down || !loop->start || index->kind != TUNE_NAME ||
		!index->symbol || index->symbol != loop->index)
		return false;
	const struct tune_node *start = heddle__tune_bare(loop->start);
	if (less->kind == TUNE_NAME && start->kind == TUNE_NAME)
		return less->symbol && less->symbol == start->symbol;
	return heddle__tune_value(loop->file, start, &first) && heddle__tune_value(loop->file, less, &number) &&
	       first >= number;
}

static bool are_never_negative(const struct tune_loop *loop, const struct tune_node *binary)
{
	static const char *const growing[] = {"+", "*", "/", ">>", NULL};
	const struct tune_file *file = loop->file;
	bool left = is_never_negative(loop, binary->child), right = is_never_negative(loop, binary->child->next);
	if (heddle__tune_op(file, binary, "%"))
		return left;
	if (heddle__tune_op(file, binary, "&"))
		return left || right;
	return (left && right && heddle__tune_at_any(file, binary->op, growing)) || is_since_start(loop, binary);
}

/* Returns true by the form of the expression, in the loop's body. Overflow is not considered. */
static bool is_never_negative(const struct tune_loop *loop, struct tune_node *node)
{
	node = heddle__tune_bare(node);
	if (node->kind == TUNE_SUM) {
		struct tune_node *term = node->child;
		while (term && is_never_negative(loop, term))
			term = term->next;
		return !term;
	}
	bool local = node->kind == TUNE_NAME && node->symbol && !node->symbol->global && !node->symbol->parameter;
	if ((is_unsigned(node->type) && !local && !may_wrap(loop, node)) || node->kind == TUNE_CONSTANT ||
		node->kind == TUNE_SIZEOF)
		return true;
	if (node->kind == TUNE_NAME)
		return (node->symbol && node->symbol == loop->index && !loop->down && loop->start &&
			       is_never_negative(loop, loop->start)) ||
		       heddle__tune_is_never_negative(loop->file, node->symbol) ||
		       heddle__tune_is(&loop->file->source, node->first, "MYTHREAD") ||
		       heddle__tune_is(&loop->file->source, node->first, "THREADS");
	return node->kind == TUNE_BINARY && are_never_negative(loop, node);
}

/* ---- values of variables ---- */

#define MOST_FOLLOWED 8

struct following {
	const struct tune_file *file;
	const struct tune_symbol *seen[MOST_FOLLOWED]; /* assumed to be never negative while assignments are checked */
	int count;
	bool is_size; /* for an unsigned variable: as an index, its values are used as 64 bits */
};

static bool follow(struct following *following, const struct tune_symbol *symbol);

/* True if a value is not negative, nor as an int, without overflow. *most: the greatest value; -1: unknown. */
static bool is_natural(struct following *following, struct tune_node *node, long *most)
{
	const struct tune_file *file = following->file;
	long left, right;
	*most = -1;
	node = heddle__tune_bare(node);
	if (heddle__tune_value(file, node, most))
		return *most >= 0 && *most <= INT_MAX;
	if (node->kind == TUNE_CONDITIONAL)
		return is_natural(following, node->child->next, &left) &&
		       is_natural(following, node->child->next->next, &right);
	if (node->kind == TUNE_NAME)
		return heddle__tune_is(&file->source, node->first, "MYTHREAD") || follow(following, node->symbol);
	bool size = following->is_size && is_unsigned(node->type);
	if (node->kind == TUNE_SIZEOF ||
		(size && (node->kind == TUNE_INDEX || node->kind == TUNE_MEMBER || node->kind == TUNE_CALL)))
		return true;
	if (node->kind != TUNE_BINARY)
		return false;
	bool second = is_natural(following, node->child->next, &right), known = second && right >= 0;
	if (known && heddle__tune_op(file, node, "%") && is_unsigned(node->type)) {
		*most = right - 1;
		return true;
	}
	bool first = is_natural(following, node->child, &left);
	known &= first && left >= 0;
	if (heddle__tune_op(file, node, "+") && known)
		*most = left + right;
	else if (!size && !is_int(node->type))
		return false;
	else if (heddle__tune_op(file, node, "%") || heddle__tune_op(file, node, "/") ||
		 heddle__tune_op(file, node, ">>"))
		return first && second;
	return first && second && *most <= INT_MAX &&
	       (heddle__tune_op(file, node, "+") || heddle__tune_op(file, node, "*"));
}

/* Returns true if the change of a variable by a node keeps it from being negative. */
static bool keeps_natural(struct following *following, const struct tune_node *node, const struct tune_symbol *symbol)
{
	const struct tune_file *file = following->file;
	long most;
	if (node->kind == TUNE_DECLARATOR && node->symbol == symbol)
		return !node->child || is_natural(following, node->child, &most);
	if (node->kind == TUNE_OTHER)
		return !heddle__tune_mentions(file, node->first, node->last, symbol->name);
	if (node->kind == TUNE_ADDRESS)
		return heddle__tune_bare(node->child)->symbol != symbol;
	if (!heddle__tune_is_change(file, node) || heddle__tune_bare(node->child)->symbol != symbol)
		return true;
	if (node->kind != TUNE_ASSIGNMENT)
		return heddle__tune_op(file, node, "++");
	return (heddle__tune_op(file, node, "=") || heddle__tune_op(file, node, "+=")) &&
	       is_natural(following, node->child->next, &most);
}

/* Returns true if all calls of a function that only the file can call pass a value that is not negative. */
static bool are_arguments_natural(struct following *following, const struct tune_symbol *parameter)
{
	const struct tune_symbol *function = heddle__tune_function_of(following->file, parameter), *in;
	const struct tune_node *node = NULL;
	long most;
	if (!function || !function->is_static)
		return false;
	while ((node = heddle__tune_walk_file(following->file, &in, node)) != NULL) {
		if (node->kind != TUNE_NAME || node->symbol != function)
			continue;
		struct tune_node *argument = node->parent->kind == TUNE_CALL && node->parent->child == node
						     ? heddle__tune_child(node->parent, parameter->position + 1)
						     : NULL;
		if (!argument || !is_natural(following, argument, &most))
			return false;
	}
	return true;
}

static bool follow(struct following *following, const struct tune_symbol *symbol)
{
	const struct tune_symbol *in;
	const struct tune_node *node = NULL;
	for (int i = 0; i < following->count; i++)
		if (following->seen[i] == symbol)
			return true;
	if (!symbol || symbol->kind != TUNE_VARIABLE || symbol->global || symbol->is_static || symbol->is_extern ||
		!(is_int(symbol->type) || (following->is_size && is_unsigned(symbol->type))) ||
		following->count == MOST_FOLLOWED)
		return false;
	following->seen[following->count++] = symbol;
	while ((node = heddle__tune_walk_file(following->file, &in, node)) != NULL)
		if (!keeps_natural(following, node, symbol))
			return false;
	return !symbol->parameter || are_arguments_natural(following, symbol);
}

bool heddle__tune_is_never_negative(const struct tune_file *file, const struct tune_symbol *symbol)
{
	struct following following = {.file = file, .is_size = symbol && is_unsigned(symbol->type)};
	return follow(&following, symbol);
}

/* ---- indices ---- */

void heddle__tune_check_range(const struct tune_loop *loop, const struct tune_facts *facts)
{
	const struct tune_symbol *symbol = facts->symbol;
	if (symbol->type->kind != TUNE_POINTER || !heddle__tune_points_inside(loop->file, symbol))
		return;
	for (const struct tune_access *access = loop->accesses; access; access = access->next) {
		struct tune_node *index =
			access->root == symbol && access->element ? heddle__tune_index(access, 0) : NULL;
		if (index && access->moved)
			heddle__tune_refuse_node(loop, access->element,
				"neither %s nor the pointer in it need point to a first element of %s: a cache has no "
				"elements "
				"before the one that it points to",
				heddle__tune_line(&loop->file->source, access->element->first, access->element->last),
				symbol->name);
		if (!index || is_never_negative(loop, index))
			continue;
		const struct tune_node *named = index->kind == TUNE_SUM ? access->element : index;
		heddle__tune_refuse_node(loop, access->element,
			"%s%s may be negative, and %s does not point to a first element: a cache has no elements "
			"before "
			"the one that it points to",
			named == index ? "" : "the index of ",
			heddle__tune_line(&loop->file->source, named->first, named->last), symbol->name);
	}
}
