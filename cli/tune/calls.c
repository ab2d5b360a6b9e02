/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the file that a loop calls: what their parameters stand for, and what they access first. */
#include "cli/tune/loop.h"

#include <string.h>

struct tune_symbol *heddle__tune_meant(const struct tune_variant *variant, struct tune_symbol *symbol)
{
	bool bound = variant && symbol && symbol->parameter && symbol->position < variant->parameters &&
		     variant->roots[symbol->position];
	return bound ? variant->roots[symbol->position] : symbol;
}

struct tune_variant *heddle__tune_called(
	const struct tune_loop *loop, const struct tune_variant *from, const struct tune_node *node)
{
	const struct tune_call *call = loop->calls;
	while (call && (call->from != from || call->node != node))
		call = call->next;
	return call ? call->to : NULL;
}

struct tune_symbol *heddle__tune_parameter(const struct tune_symbol *function, int position)
{
	struct tune_symbol *symbol = function->symbols;
	while (symbol && (!symbol->parameter || symbol->position != position))
		symbol = symbol->next;
	return symbol;
}

/* A parameter that keeps its value in its function. */
static bool is_steady(
	const struct tune_file *file, const struct tune_symbol *function, const struct tune_symbol *symbol)
{
	const struct tune_node *tree = function->tree;
	for (const struct tune_node *node = tree; node; node = heddle__tune_walk(tree, node)) {
		bool changed = heddle__tune_is_change(file, node) || node->kind == TUNE_ADDRESS;
		if (changed && heddle__tune_bare(node->child)->symbol == symbol)
			return false;
	}
	return true;
}

static bool same_elements(const struct tune_type *a, const struct tune_type *b)
{
	return a->kind == TUNE_BASE && b->kind == TUNE_BASE && a->shared && b->shared && a->strict == b->strict &&
	       a->name && b->name && strcmp(a->name, b->name) == 0 && a->block == b->block;
}

/* The variable that a parameter is another name of, or NULL. */
static struct tune_symbol *bind(const struct tune_loop *loop, const struct tune_variant *from,
	struct tune_node *argument, const struct tune_symbol *function, int position)
{
	const struct tune_symbol *parameter = heddle__tune_parameter(function, position);
	struct tune_symbol *symbol =
		heddle__tune_bare(argument)->kind == TUNE_NAME ? heddle__tune_bare(argument)->symbol : NULL;
	if (!parameter || !symbol || !symbol->type || !parameter->type || symbol->kind != TUNE_VARIABLE ||
		(symbol->type->kind != TUNE_ARRAY && symbol->type->kind != TUNE_POINTER) ||
		parameter->type->kind != TUNE_POINTER || !same_elements(symbol->type->of, parameter->type->of) ||
		!is_steady(loop->file, function, parameter))
		return NULL;
	return heddle__tune_meant(from, symbol);
}

static bool same_roots(const struct tune_variant *a, const struct tune_variant *b)
{
	for (int i = 0; i < a->parameters; i++)
		if (a->roots[i] != b->roots[i])
			return false;
	return a->function == b->function && a->parameters == b->parameters;
}

struct tune_variant *heddle__tune_call(struct tune_loop *loop, struct tune_variant *from, struct tune_node *node,
	struct tune_symbol *function, bool *known)
{
	struct tune_work *work = loop->file->work;
	struct tune_variant *variant = heddle__tune_take(work, sizeof(*variant)), **end = &loop->variants;
	struct tune_call *call = heddle__tune_take(work, sizeof(*call));
	int count = 0;
	for (struct tune_node *argument = node->child->next; argument; argument = argument->next)
		count++;
	*variant = (struct tune_variant){.function = function, .parameters = count};
	variant->roots = heddle__tune_take(work, sizeof(struct tune_symbol *) * ((size_t)count + 1));
	for (int i = 0; i < count; i++)
		variant->roots[i] = bind(loop, from, heddle__tune_child(node, i + 1), function, i);
	while (*end && !same_roots(*end, variant))
		end = &(*end)->next;
	*known = *end;
	if (!*end)
		*end = variant;
	*call = (struct tune_call){.next = loop->calls, .node = node, .from = from, .to = *end};
	loop->calls = call;
	return *end;
}

/* ---- accesses at the begin of a function ---- */

/* Whether a child is evaluated whenever its parent is, and at first with what held when the parent began. */
static bool is_always_reached(const struct tune_file *file, const struct tune_node *node)
{
	const struct tune_node *parent = node->parent;
	bool first = parent->child == node;
	switch (parent->kind) {
	case TUNE_BINARY:
		return first || !(heddle__tune_op(file, parent, "&&") || heddle__tune_op(file, parent, "||"));
	case TUNE_IF:
	case TUNE_WHILE:
	case TUNE_CONDITIONAL:
		return first;
	case TUNE_BLOCK:
		for (const struct tune_node *before = parent->child; before != node; before = before->next)
			if (before->kind != TUNE_DECLARATION && before->kind != TUNE_EXPRESSION)
				return false;
		return true;
	case TUNE_GROUP:
	case TUNE_INDEX:
	case TUNE_SUM:
	case TUNE_NEGATIVE:
	case TUNE_ADDRESS:
	case TUNE_MEMBER:
	case TUNE_UNARY:
	case TUNE_CAST:
	case TUNE_EXPRESSION:
	case TUNE_DECLARATION:
	case TUNE_DECLARATOR:
	case TUNE_ASSIGNMENT:
	case TUNE_JUMP:
		return true;
	default:
		return false;
	}
}

/* The position of the parameter whose first value an expression is, in what each call of the function evaluates. */
static int first_value(const struct tune_loop *loop, const struct tune_symbol *function, const struct tune_node *at,
	const struct tune_node *value)
{
	const struct tune_node *tree = function->tree;
	const struct tune_symbol *symbol = value && value->kind == TUNE_NAME ? value->symbol : NULL;
	if (!symbol || !symbol->parameter)
		return -1;
	while (at != tree && is_always_reached(loop->file, at))
		at = at->parent;
	for (const struct tune_node *before = tree; before && before->first < value->first;
		before = heddle__tune_walk(tree, before))
		if (heddle__tune_is_change(loop->file, before) && heddle__tune_bare(before->child)->symbol == symbol &&
			!(before->kind == TUNE_ASSIGNMENT && heddle__tune_within(value, before)))
			return -1;
	return at == tree ? symbol->position : -1;
}

int heddle__tune_first_index(
	const struct tune_loop *loop, const struct tune_variant *variant, const struct tune_access *access)
{
	int position = -1;
	if (access->variant == variant)
		return access->element && !heddle__tune_index(access, 1)
			       ? first_value(loop, variant->function, access->element, heddle__tune_index(access, 0))
			       : -1;
	if (variant->recursive)
		return -1;
	for (const struct tune_call *call = loop->calls; call && position < 0; call = call->next) {
		int inner = call->from == variant ? heddle__tune_first_index(loop, call->to, access) : -1;
		if (inner >= 0)
			position = first_value(
				loop, variant->function, call->node, heddle__tune_child(call->node, inner + 1));
	}
	return position;
}
