/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two values that are swapped: t = x; x = y; y = t; as consecutive statements, or a call of a function that does this
 * with what its parameters point to. Such statements change who has a value, not which values there are.
 */
#include "tune/loop.h"

struct swap {
	struct tune_symbol *kept;    /* t */
	struct tune_node *first[2];  /* x, as read and as assigned */
	struct tune_node *second[2]; /* y, likewise */
};

static const struct tune_node *before(const struct tune_node *node)
{
	const struct tune_node *child = node->parent ? node->parent->child : NULL;
	while (child && child->next != node)
		child = child->next;
	return child;
}

/* Returns the assignment that a statement consists of, or NULL. */
static const struct tune_node *assignment_of(const struct tune_file *file, const struct tune_node *statement)
{
	const struct tune_node *node = statement && statement->kind == TUNE_EXPRESSION ? statement->child : NULL;
	return node && node->kind == TUNE_ASSIGNMENT && heddle__tune_op(file, node, "=") ? node : NULL;
}

/* Returns true if an expression has no effect, and reads no shared memory. */
static bool is_private_value(const struct tune_file *file, const struct tune_node *top)
{
	for (const struct tune_node *node = top; node; node = heddle__tune_walk(top, node))
		if (node->kind == TUNE_CALL || node->kind == TUNE_LITERAL || node->kind == TUNE_OTHER ||
			heddle__tune_is_change(file, node) ||
			(node->type && (node->type->shared || node->type->is_volatile)))
			return false;
	return true;
}

/* Reads t = x, in a declaration or not. */
static void read_kept(const struct tune_file *file, const struct tune_node *statement, struct swap *swap)
{
	const struct tune_node *assignment = assignment_of(file, statement), *only = statement->child;
	if (assignment) {
		swap->kept = heddle__tune_bare(assignment->child)->symbol;
		swap->first[0] = heddle__tune_bare(assignment->child->next);
	} else if (statement->kind == TUNE_DECLARATION && only && !only->next && only->child) {
		swap->kept = only->symbol;
		swap->first[0] = heddle__tune_bare(only->child);
	}
}

static bool is_local(const struct tune_file *file, const struct tune_symbol *symbol)
{
	return symbol && symbol->kind == TUNE_VARIABLE && !symbol->global && !symbol->is_static && !symbol->is_extern &&
	       !symbol->structure.symbol && !heddle__tune_addressed(file, symbol);
}

/* Returns true if a statement and the two after it swap two values. */
static bool read_swap(const struct tune_file *file, const struct tune_node *statement, struct swap *swap)
{
	*swap = (struct swap){.kept = NULL};
	if (!statement || !statement->parent || statement->parent->kind != TUNE_BLOCK || !statement->next)
		return false;
	const struct tune_node *one = assignment_of(file, statement->next),
			       *two = assignment_of(file, statement->next->next);
	read_kept(file, statement, swap);
	if (!one || !two || !is_local(file, swap->kept) || heddle__tune_bare(two->child->next)->symbol != swap->kept)
		return false;
	swap->first[1] = heddle__tune_bare(one->child);
	swap->second[0] = heddle__tune_bare(one->child->next);
	swap->second[1] = heddle__tune_bare(two->child);
	return is_private_value(file, swap->first[0]) && is_private_value(file, swap->second[0]) &&
	       heddle__tune_same_text(file, swap->first[0], swap->first[1]) &&
	       heddle__tune_same_text(file, swap->second[0], swap->second[1]) && swap->first[0]->symbol != swap->kept &&
	       swap->second[0]->symbol != swap->kept;
}

/* ---- by a function ---- */

/* Returns true for *p, with a parameter p that the function uses only twice; *position: of the parameter. */
static bool is_pointed_to(const struct tune_symbol *function, const struct tune_node *node, int *position)
{
	struct tune_node *pointer = node->kind == TUNE_INDEX ? node->child : NULL;
	const struct tune_node *tree = function->tree;
	int uses = 0;
	if (!pointer || pointer->next->kind != TUNE_SUM || pointer->next->child)
		return false;
	const struct tune_node *name = heddle__tune_bare(pointer);
	if (name->kind != TUNE_NAME || !name->symbol || !name->symbol->parameter)
		return false;
	for (const struct tune_node *other = tree; other; other = heddle__tune_walk(tree, other))
		uses += other->kind == TUNE_NAME && other->symbol == name->symbol;
	*position = name->symbol->position;
	return uses == 2;
}

/* Returns the position of the parameter with which the function swaps the one at `position`, or -1. */
static int swapped_parameter(const struct tune_file *file, const struct tune_symbol *function, int position)
{
	struct swap swap;
	int first, second;
	for (const struct tune_node *node = function->tree->child; node; node = node->next)
		if (read_swap(file, node, &swap) && is_pointed_to(function, swap.first[0], &first) &&
			is_pointed_to(function, swap.second[0], &second) && first != second)
			return position == first ? second : position == second ? first : -1;
	return -1;
}

static struct tune_node *swapped_by_call(const struct tune_file *file, const struct tune_node *address)
{
	const struct tune_node *call = heddle__tune_above(address);
	const struct tune_symbol *function = call && call->kind == TUNE_CALL ? call->child->symbol : NULL;
	int position = 0;
	if (!function || !function->body || !is_private_value(file, call->child->next))
		return NULL;
	while (heddle__tune_bare(heddle__tune_child(call, position + 1)) != address)
		position++;
	int with = swapped_parameter(file, function, position);
	struct tune_node *other = with < 0 ? NULL : heddle__tune_bare(heddle__tune_child(call, with + 1));
	return other && other->kind == TUNE_ADDRESS && is_private_value(file, other) ? heddle__tune_bare(other->child)
										     : NULL;
}

/* ---- queries ---- */

struct tune_node *heddle__tune_swapped_with(const struct tune_file *file, const struct tune_node *node)
{
	struct swap swap;
	const struct tune_node *outer = heddle__tune_above(node);
	if (outer && outer->kind == TUNE_ADDRESS)
		return swapped_by_call(file, outer);
	const struct tune_node *statement = outer ? outer->parent : NULL, *last = statement ? before(statement) : NULL;
	bool first = read_swap(file, last, &swap) && swap.first[1] == node;
	bool second = !first && last && read_swap(file, before(last), &swap) && swap.second[1] == node;
	return first ? swap.second[0] : second ? swap.first[0] : NULL;
}

bool heddle__tune_is_kept_in_swap(const struct tune_file *file, const struct tune_node *node)
{
	struct swap swap;
	const struct tune_node *statement = node->parent;
	int uses = 0;
	while (statement && statement->parent && statement->parent->kind != TUNE_BLOCK)
		statement = statement->parent;
	if (!read_swap(file, statement, &swap))
		return false;
	const struct tune_node *tree = heddle__tune_function_at(file, statement->first)->tree;
	for (const struct tune_node *in = tree; in; in = heddle__tune_walk(tree, in))
		uses += in->kind == TUNE_NAME && in->symbol == swap.kept && !heddle__tune_within(in, statement);
	return uses == 1;
}
