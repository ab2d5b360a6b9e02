/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops whose iterations pass on values of one shared variable, such as labels and parents: they compare values, and
 * copy them depending on the comparison. They compute no new values, and only flags leave an iteration. If such a loop
 * sees other threads' writes late, it does the same as if those threads were slower. Counting, arithmetic and relinking
 * of lists are not of this kind: an update that is lost when two threads change one element would not be lost with a
 * slower thread.
 */
#include "tune/loop.h"

#include <string.h>

#define MOST_CARRIERS 32

struct values {
	struct tune_loop *loop;
	const struct tune_symbol *symbol;
	const struct tune_symbol *carriers[MOST_CARRIERS]; /* variables with such a value; functions that return one */
	int count;
	bool computed; /* a value is computed, not only copied, or there are too many variables */
};

static bool is_carrier(const struct values *values, const struct tune_symbol *symbol)
{
	int i = 0;
	while (i < values->count && values->carriers[i] != symbol)
		i++;
	return i < values->count;
}

static void add_carrier(struct values *values, const struct tune_symbol *symbol)
{
	if (!symbol || values->count == MOST_CARRIERS)
		values->computed = true;
	else if (!is_carrier(values, symbol))
		values->carriers[values->count++] = symbol;
}

/* Returns true if the result is 0 or 1, not a value of the variable. */
static bool is_test(const struct tune_file *file, const struct tune_node *node)
{
	static const char *const tests[] = {"==", "!=", "<", ">", "<=", ">=", "&&", "||", NULL};
	return node->kind == TUNE_BINARY && heddle__tune_at_any(file, node->op, tests);
}

/* Returns true if the result of an expression is a value of the variable, or computed from one. */
static bool carries(const struct values *values, const struct tune_variant *variant, struct tune_node *node)
{
	const struct tune_file *file = values->loop->file;
	struct tune_node *element;
	switch (node->kind) {
	case TUNE_NAME:
		return is_carrier(values, node->symbol);
	case TUNE_INDEX:
	case TUNE_MEMBER:
		return heddle__tune_meant(variant, heddle__tune_root(node, &element)) == values->symbol;
	case TUNE_CALL:
		return is_carrier(values, node->child->symbol);
	case TUNE_CONDITIONAL:
		return carries(values, variant, node->child->next) || carries(values, variant, node->child->next->next);
	case TUNE_BINARY:
		return !is_test(file, node) &&
		       ((!heddle__tune_op(file, node, ",") && carries(values, variant, node->child)) ||
			       carries(values, variant, node->child->next));
	case TUNE_UNARY:
		return !heddle__tune_op(file, node, "!") && carries(values, variant, node->child);
	case TUNE_ASSIGNMENT:
		return carries(values, variant, node->child->next);
	case TUNE_GROUP:
	case TUNE_CAST:
	case TUNE_POSTFIX:
		for (node = node->child; node->next;) /* a cast may have its type as a child */
			node = node->next;
		return carries(values, variant, node);
	default:
		return false;
	}
}

/* Makes parameters carriers if their arguments are values. */
static void follow_call(struct values *values, const struct tune_variant *variant, const struct tune_node *call)
{
	struct tune_node *argument = call->child->next;
	const struct tune_symbol *function = call->child->symbol;
	for (int i = 0; argument; argument = argument->next, i++) {
		if (!carries(values, variant, argument))
			continue;
		if (function && function->body)
			add_carrier(values, heddle__tune_parameter(function, i));
		else
			values->computed = true;
	}
}

static void follow(struct values *values, const struct tune_variant *variant, struct tune_node *node)
{
	const struct tune_file *file = values->loop->file;
	bool assigns = node->kind == TUNE_ASSIGNMENT && heddle__tune_op(file, node, "=");
	if (node->kind == TUNE_DECLARATOR && node->child && carries(values, variant, node->child)) {
		add_carrier(values, node->symbol);
	} else if (assigns && carries(values, variant, node->child->next)) {
		const struct tune_node *target = heddle__tune_bare(node->child);
		if (target->kind == TUNE_NAME)
			add_carrier(values, target->symbol);
	} else if (node->kind == TUNE_JUMP && node->child && variant && carries(values, variant, node->child)) {
		add_carrier(values, variant->function);
	} else if (node->kind == TUNE_CALL) {
		follow_call(values, variant, node);
	} else if (!assigns &&
		   (heddle__tune_is_change(file, node) || node->kind == TUNE_BINARY || node->kind == TUNE_SUM ||
			   (node->kind == TUNE_UNARY && !heddle__tune_op(file, node, "!"))) &&
		   !is_test(file, node) && !heddle__tune_op(file, node, ",")) {
		for (struct tune_node *child = node->child; child; child = child->next)
			values->computed |= carries(values, variant, child);
	}
}

/* Returns true if the value of a variable at the end of an iteration may be used: in another one, or after the loop. */
static bool outlives(const struct tune_loop *loop, const struct tune_symbol *symbol)
{
	const struct tune_symbol *function = loop->function;
	if (symbol->global || symbol->is_static || symbol->is_extern)
		return true;
	if (heddle__tune_function_at(loop->file, symbol->token) != function ||
		(symbol->token > loop->node->first && symbol->token < loop->node->last))
		return false;
	if (!heddle__tune_is_temporary(loop, symbol))
		return true;
	for (const struct tune_node *node = function->tree; node; node = heddle__tune_walk(function->tree, node))
		if (node->kind == TUNE_NAME && node->symbol == symbol && !heddle__tune_within(node, loop->node) &&
			!heddle__tune_is_assigned_again(loop, node))
			return true;
	return false;
}

/* Returns true if only flags leave the iteration by this node: found = 1, any |= a != b. */
static bool is_contained(const struct values *values, const struct tune_node *node)
{
	const struct tune_file *file = values->loop->file;
	if (node->kind == TUNE_CALL)
		return (node->child->symbol && node->child->symbol->body) ||
		       heddle__tune_is_pure(&file->source, node->child->first);
	const struct tune_symbol *symbol =
		heddle__tune_is_change(file, node) ? heddle__tune_bare(node->child)->symbol : NULL;
	if (!symbol || !outlives(values->loop, symbol))
		return true;
	const struct tune_node *value = node->kind == TUNE_ASSIGNMENT ? heddle__tune_bare(node->child->next) : NULL;
	return value && (heddle__tune_op(file, node, "|=") ||
				(heddle__tune_op(file, node, "=") && value->kind == TUNE_CONSTANT));
}

static bool look_at(struct values *values, const struct tune_variant *variant, struct tune_node *tree)
{
	for (struct tune_node *node = tree; node; node = heddle__tune_walk(tree, node)) {
		if (!is_contained(values, node))
			return false;
		follow(values, variant, node);
	}
	return !values->computed;
}

/* Returns true if a variable is declared inside the body, below the body's own block. */
static bool is_declared_deeper(const struct tune_loop *loop, const struct tune_symbol *symbol)
{
	const struct tune_node *node = loop->body;
	while (node && !(node->kind == TUNE_DECLARATOR && node->symbol == symbol))
		node = heddle__tune_walk(loop->body, node);
	return node && node->parent->parent != loop->body;
}

/* Returns true if the indices of an element have one value in the whole iteration. */
static bool is_fixed(const struct values *values, const struct tune_access *access)
{
	struct tune_loop *loop = values->loop;
	for (struct tune_node *node = access->element; node; node = heddle__tune_walk(access->element, node)) {
		bool element = node == access->element || heddle__tune_within(access->element, node);
		const struct tune_symbol *symbol = node->kind == TUNE_NAME ? node->symbol : NULL;
		if (node->kind == TUNE_CALL || (!element && carries(values, NULL, node) && node->kind != TUNE_NAME))
			return false;
		if (symbol && (heddle__tune_facts(loop, node->symbol)->written || is_declared_deeper(loop, symbol)))
			return false;
	}
	return true;
}

/* Returns the innermost loop of the body that contains a node, or NULL. */
static const struct tune_node *loop_around(const struct tune_loop *loop, const struct tune_node *node)
{
	while (node != loop->body && !heddle__tune_is_loop(node))
		node = node->parent;
	return heddle__tune_is_loop(node) ? node : NULL;
}

/* Returns true if an iteration executes at most one of two writes, or if both are to the same element. */
static bool are_alternatives(const struct values *values, const struct tune_access *a, const struct tune_access *b)
{
	const struct tune_loop *loop = values->loop;
	if (heddle__tune_same_text(loop->file, a->element, b->element) && is_fixed(values, a) && is_fixed(values, b))
		return true;
	const struct tune_node *branch = a->top;
	while (branch->parent != loop->node && !heddle__tune_within(b->top, branch->parent))
		branch = branch->parent;
	return branch->parent->kind == TUNE_IF && branch != branch->parent->child && !loop_around(loop, branch->parent);
}

/* Returns true if a write depends on a comparison of values. */
static bool is_tested(const struct values *values, const struct tune_access *write)
{
	const struct tune_node *inner = write->top;
	for (const struct tune_node *outer = inner->parent; inner != values->loop->body;
		inner = outer, outer = outer->parent) {
		const struct tune_node *condition = outer->child;
		if ((outer->kind != TUNE_IF && outer->kind != TUNE_WHILE) || inner == condition)
			continue;
		for (const struct tune_node *node = condition; node; node = heddle__tune_walk(condition, node))
			if (is_test(values->loop->file, node) &&
				(carries(values, NULL, node->child) || carries(values, NULL, node->child->next)))
				return true;
	}
	return false;
}

/* Returns true if an iteration writes one element at most, and copies of values alone. */
static bool are_copies(const struct values *values)
{
	const struct tune_loop *loop = values->loop;
	for (const struct tune_access *write = loop->accesses; write; write = write->next) {
		if (!write->write)
			continue;
		const struct tune_node *assignment = heddle__tune_above(write->top);
		if (write->root != values->symbol || write->variant || write->top != write->element || write->read ||
			!is_tested(values, write) || !carries(values, NULL, assignment->child->next))
			return false;
		if (loop_around(loop, write->top) && !is_fixed(values, write))
			return false;
		for (const struct tune_access *other = write->next; other; other = other->next)
			if (other->write && !(other->element && are_alternatives(values, write, other)))
				return false;
	}
	return true;
}

bool heddle__tune_propagates(struct tune_loop *loop, const struct tune_symbol *symbol)
{
	struct values values = {.loop = loop, .symbol = symbol};
	int before;
	do {
		before = values.count;
		if (loop->writes_memory || loop->writes_arrays || !look_at(&values, NULL, loop->body))
			return false;
		for (const struct tune_variant *variant = loop->variants; variant; variant = variant->next)
			if (!look_at(&values, variant, variant->function->tree))
				return false;
	} while (values.count > before);
	return are_copies(&values);
}
