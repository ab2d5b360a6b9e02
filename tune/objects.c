/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether two structures of one type are different objects: other variables, other members of one structure, elements
 * of an array whose numbers differ, and what two pointers point to if all their values differ so.
 */
#include "tune/loop.h"

#include <stdlib.h>

#define MOST_STEPS 12
#define MOST_DEPTH 4 /* pointers whose values are followed */

/* A path to a structure: a variable, then members and elements. */
struct steps {
	struct tune_node *at[MOST_STEPS];
	int count;
	bool last_arrow; /* the last node is a pointer to the structure */
};

static bool read_steps(struct steps *steps, struct tune_node *node)
{
	struct tune_node *reversed[MOST_STEPS];
	int count = 0;
	for (node = heddle__tune_bare(node); count < MOST_STEPS; node = heddle__tune_bare(node->child)) {
		reversed[count++] = node;
		if (node->kind != TUNE_MEMBER && node->kind != TUNE_INDEX)
			break;
	}
	for (int i = 0; i < count; i++)
		steps->at[i] = reversed[count - 1 - i];
	steps->count = count;
	return steps->at[0]->kind == TUNE_NAME && steps->at[0]->symbol && steps->at[0]->symbol->kind == TUNE_VARIABLE;
}

/* Reads the path to the structure whose address a value is. */
static bool read_value(struct steps *steps, struct tune_node *value)
{
	struct tune_node *node = heddle__tune_bare(value);
	bool address = node->kind == TUNE_ADDRESS;
	steps->last_arrow = !address;
	return read_steps(steps, address ? node->child : node);
}

/* Returns true if a step, or one after it, follows a pointer. */
static bool has_arrow(const struct steps *steps, int from)
{
	for (int i = from; i < steps->count; i++) {
		const struct tune_node *node = steps->at[i];
		const struct tune_type *type = node->kind == TUNE_INDEX ? heddle__tune_bare(node->child)->type : NULL;
		if (node->kind == TUNE_INDEX && !(type && type->kind == TUNE_ARRAY))
			return true;
	}
	return steps->last_arrow;
}

/* ---- numbers of elements ---- */

/* Returns true if two expressions have the same text, and its names are the same variables. */
static bool is_same(const struct tune_file *file, const struct tune_node *a, const struct tune_node *b)
{
	const struct tune_node *one = a, *other = b;
	if (!heddle__tune_same_text(file, a, b))
		return false;
	while (one && other && one->kind == other->kind && one->symbol == other->symbol) {
		one = heddle__tune_walk(a, one);
		other = heddle__tune_walk(b, other);
	}
	return !one && !other;
}

static bool has_effects(const struct tune_file *file, const struct tune_node *top)
{
	for (const struct tune_node *node = top; node; node = heddle__tune_walk(top, node))
		if (node->kind == TUNE_CALL || node->kind == TUNE_OTHER || heddle__tune_is_change(file, node) ||
			(node->type && (node->type->shared || node->type->is_volatile)))
			return true;
	return false;
}

/* factor * base + number; without a base: only the number. */
struct sum {
	const struct tune_node *base;
	int factor;
	long number;
};

static struct sum read_sum(const struct tune_file *file, struct tune_node *node)
{
	long number;
	node = heddle__tune_bare(node);
	bool minus = node->kind == TUNE_BINARY && heddle__tune_op(file, node, "-");
	if (heddle__tune_value(file, node, &number) && labs(number) < 1 << 20)
		return (struct sum){.number = number};
	if (node->kind != TUNE_BINARY || !(minus || heddle__tune_op(file, node, "+")))
		return (struct sum){node, 1, 0};
	struct sum left = read_sum(file, node->child), right = read_sum(file, node->child->next);
	if (left.base && right.base)
		return (struct sum){node, 1, 0};
	return (struct sum){left.base ? left.base : right.base,
		left.base ? left.factor
		: minus   ? -right.factor
			  : right.factor,
		left.number + (minus ? -right.number : right.number)};
}

/* Returns true for !x and x, or x ^ 1 and x. */
static bool is_other(const struct tune_file *file, struct tune_node *node, struct tune_node *than)
{
	long number;
	node = heddle__tune_bare(node);
	bool flips = node->kind == TUNE_BINARY && heddle__tune_op(file, node, "^") &&
		     heddle__tune_value(file, node->child->next, &number) && number != 0;
	bool negates = node->kind == TUNE_UNARY && heddle__tune_op(file, node, "!");
	return (flips || negates) && is_same(file, heddle__tune_bare(node->child), heddle__tune_bare(than));
}

/* Returns true if two numbers without effects differ whatever the values of their variables are. */
static bool are_different_numbers(const struct tune_file *file, struct tune_node *a, struct tune_node *b)
{
	struct sum one = read_sum(file, a), other = read_sum(file, b);
	if (has_effects(file, a) || has_effects(file, b))
		return false;
	if (is_other(file, a, b) || is_other(file, b, a))
		return true;
	if (!one.base || !other.base)
		return !one.base && !other.base && one.number != other.number;
	if (!is_same(file, one.base, other.base))
		return false;
	return one.factor == other.factor ? one.number != other.number : (one.number - other.number) % 2 != 0;
}

/* ---- paths ---- */

static bool are_different(const struct tune_file *file, const struct steps *a, const struct steps *b, int depth);

static bool are_different_values(const struct tune_file *file, struct tune_node *a, struct tune_node *b, int depth)
{
	struct steps one, other;
	return depth < MOST_DEPTH && read_value(&one, a) && read_value(&other, b) &&
	       are_different(file, &one, &other, depth + 1);
}

/* The statement list with the declaration of a value. */
static const struct tune_node *block_of(const struct tune_node *value)
{
	while (value && value->kind != TUNE_BLOCK)
		value = value->parent;
	return value;
}

/* Returns true if nothing in a block changes the variables in the number of an element. */
static bool is_steady(const struct tune_file *file, const struct tune_node *block, const struct tune_node *top)
{
	for (const struct tune_node *node = top; node; node = heddle__tune_walk(top, node)) {
		const struct tune_symbol *symbol = node->kind == TUNE_NAME ? node->symbol : NULL;
		bool number =
			symbol && symbol->kind == TUNE_VARIABLE && node->type->kind == TUNE_BASE && !node->type->record;
		if (number && (symbol->global || symbol->is_static || heddle__tune_addressed(file, symbol)))
			return false;
		for (const struct tune_node *change = number ? block : NULL; change;
			change = heddle__tune_walk(block, change))
			if (heddle__tune_is_change(file, change) && heddle__tune_bare(change->child)->symbol == symbol)
				return false;
	}
	return true;
}

/* Returns true if all calls of a function pass different objects for two parameters. */
static bool are_different_arguments(const struct tune_file *file, const struct tune_symbol *function,
	const struct tune_symbol *a, const struct tune_symbol *b, int depth)
{
	const struct tune_symbol *in;
	const struct tune_node *node = NULL;
	if (!function->is_static)
		return false;
	while ((node = heddle__tune_walk_file(file, &in, node)) != NULL) {
		if (node->kind == TUNE_OTHER && heddle__tune_mentions(file, node->first, node->last, function->name))
			return false;
		if (node->kind != TUNE_NAME || node->symbol != function)
			continue;
		const struct tune_node *call = node->parent;
		struct tune_node *one = NULL, *other = NULL;
		if (call && call->kind == TUNE_CALL && call->child == node) {
			one = heddle__tune_child(call, a->position + 1);
			other = heddle__tune_child(call, b->position + 1);
		}
		if (!one || !other || !are_different_values(file, one, other, depth))
			return false;
	}
	return true;
}

/* Returns true if two pointers that do not change point to different objects. */
static bool are_different_pointers(
	const struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b, int depth)
{
	const struct tune_symbol *function = heddle__tune_function_at(file, a->token), *other;
	struct tune_node *one = NULL, *two = NULL;
	if (a->parameter && b->parameter) {
		function = heddle__tune_function_of(file, a);
		other = heddle__tune_function_of(file, b);
	} else {
		other = heddle__tune_function_at(file, b->token);
	}
	if (!function || function != other || a->global || b->global || a->parameter != b->parameter ||
		!heddle__tune_is_steady(file, function, a, &one) || !heddle__tune_is_steady(file, function, b, &two))
		return false;
	if (a->parameter)
		return are_different_arguments(file, function, a, b, depth);
	const struct tune_node *block = one && two ? block_of(one) : NULL;
	return block && block == block_of(two) && !a->is_static && !b->is_static && is_steady(file, block, one) &&
	       is_steady(file, block, two) && are_different_values(file, one, two, depth);
}

static bool are_different_bases(const struct tune_file *file, const struct steps *a, const struct steps *b, int depth)
{
	const struct tune_symbol *one = a->at[0]->symbol, *other = b->at[0]->symbol;
	bool pointers = one->type->kind == TUNE_POINTER && other->type->kind == TUNE_POINTER;
	if (!pointers)
		return one->type->kind != TUNE_POINTER && other->type->kind != TUNE_POINTER && !one->parameter &&
		       !other->parameter && !has_arrow(a, 0) && !has_arrow(b, 0);
	bool alone = a->count == 1 && b->count == 1 && a->last_arrow && b->last_arrow;
	bool direct = a->count > 1 && b->count > 1 && a->at[1]->kind == TUNE_INDEX && b->at[1]->kind == TUNE_INDEX &&
		      heddle__tune_is_zero(file, a->at[1]->child->next) &&
		      heddle__tune_is_zero(file, b->at[1]->child->next) && !has_arrow(a, 2) && !has_arrow(b, 2);
	return (alone || direct) && are_different_pointers(file, one, other, depth);
}

static bool are_different(const struct tune_file *file, const struct steps *a, const struct steps *b, int depth)
{
	int i = 1;
	if (a->at[0]->symbol != b->at[0]->symbol)
		return are_different_bases(file, a, b, depth);
	for (; i < a->count && i < b->count; i++) {
		const struct tune_node *one = a->at[i], *other = b->at[i];
		if (one->kind != other->kind)
			return false;
		if (one->kind == TUNE_MEMBER ? !heddle__tune_same(&file->source, one->last, other->last)
					     : !is_same(file, one->child->next, other->child->next))
			break;
	}
	if (i >= a->count || i >= b->count || has_arrow(a, i + 1) || has_arrow(b, i + 1))
		return false;
	return a->at[i]->kind == TUNE_MEMBER ||
	       are_different_numbers(file, a->at[i]->child->next, b->at[i]->child->next);
}

bool heddle__tune_are_different_objects(
	const struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b)
{
	struct steps one = {.last_arrow = false}, other = one;
	const struct tune_part *path = a->structure.parts, *to = b->structure.parts;
	return path && to && !path->next && !to->next && read_steps(&one, (struct tune_node *)path->node) &&
	       read_steps(&other, (struct tune_node *)to->node) && are_different(file, &one, &other, 0);
}
