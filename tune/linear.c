/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Indices as sums of variables: factor * variable + ... + number. Two such sums of different threads can be compared
 * without the variables' values, if these are equal on all threads and do not change while the loop runs. Overflow is
 * not considered.
 */
#include "tune/plan.h"

#include <string.h>

/* Returns false for types in which C calculates modulo 2^32: their values are not sums. */
static bool is_wide(const struct tune_type *type)
{
	const char *name = type && type->kind == TUNE_BASE ? (type->basic ? type->basic : type->name) : "";
	return strcmp(name, "int") == 0 || strcmp(name, "size_t") == 0 || strncmp(name, "long", 4) == 0 ||
	       strncmp(name, "unsigned long", 13) == 0;
}

static void add_product(struct tune_linear *sum, const struct tune_symbol *symbol, long factor)
{
	int i = 0;
	while (i < sum->count && sum->symbols[i] != symbol)
		i++;
	if (i == TUNE_MOST_PRODUCTS || (i == sum->count && factor == 0)) {
		sum->unknown |= factor != 0;
		return;
	}
	if (i == sum->count) {
		sum->symbols[sum->count] = symbol;
		sum->factors[sum->count++] = 0;
	}
	sum->unknown |= __builtin_add_overflow(sum->factors[i], factor, &sum->factors[i]);
	if (sum->factors[i] == 0) {
		sum->symbols[i] = sum->symbols[--sum->count];
		sum->factors[i] = sum->factors[sum->count];
	}
}

void heddle__tune_linear_add(struct tune_linear *sum, const struct tune_linear *more, long factor)
{
	long product;
	sum->unknown |= more->unknown || __builtin_mul_overflow(more->number, factor, &product) ||
			__builtin_add_overflow(sum->number, product, &sum->number);
	for (int i = 0; i < more->count && !sum->unknown; i++) {
		sum->unknown |= __builtin_mul_overflow(more->factors[i], factor, &product);
		add_product(sum, more->symbols[i], product);
	}
}

/* ---- variables that have the same value on all threads ---- */

/* The only variable of a sum besides the loop's index, or NULL. */
static const struct tune_symbol *only_variable(const struct tune_loop *loop, const struct tune_node *top)
{
	const struct tune_symbol *found = NULL;
	for (const struct tune_node *node = top; node; node = heddle__tune_walk(top, node)) {
		bool sum = node->kind == TUNE_GROUP || node->kind == TUNE_CONSTANT ||
			   (node->kind == TUNE_BINARY &&
				   (heddle__tune_op(loop->file, node, "+") || heddle__tune_op(loop->file, node, "-")));
		if (node->kind == TUNE_NAME && node->symbol && (!found || node->symbol == loop->index))
			found = node->symbol == loop->index ? found : node->symbol;
		else if (!sum)
			return NULL;
	}
	return found;
}

/* The number from which an affinity is computed: i of &x[i]. */
static const struct tune_node *number_of_affinity(const struct tune_loop *loop)
{
	struct tune_node *node = heddle__tune_bare(loop->affinity);
	if (node->kind == TUNE_ADDRESS)
		node = heddle__tune_bare(node->child);
	return node->kind == TUNE_INDEX && heddle__tune_bare(node->child)->kind == TUNE_NAME ? node->child->next : node;
}

/* The only call of a function, or NULL. */
static const struct tune_node *only_call(const struct tune_file *file, const struct tune_symbol *function)
{
	const struct tune_symbol *in;
	const struct tune_node *node = NULL, *call = NULL;
	while ((node = heddle__tune_walk_file(file, &in, node)) != NULL) {
		if (node->kind != TUNE_NAME || node->symbol != function)
			continue;
		if (call || node->parent->kind != TUNE_CALL || node->parent->child != node)
			return NULL;
		call = node->parent;
	}
	return function->is_static ? call : NULL;
}

/* The for whose body executes a call once in each iteration, if main executes it once; or NULL. */
static const struct tune_node *counting_loop(const struct tune_file *file, const struct tune_node *call)
{
	const struct tune_node *loop = call->parent;
	while (loop &&
		(loop->kind == TUNE_ASSIGNMENT || loop->kind == TUNE_EXPRESSION || loop->kind == TUNE_BLOCK ||
			loop->kind == TUNE_DECLARATOR || loop->kind == TUNE_DECLARATION || loop->kind == TUNE_GROUP))
		loop = loop->parent;
	if (!loop || loop->kind != TUNE_FOR || !heddle__tune_within(call, heddle__tune_child(loop, 3)) ||
		!heddle__tune_has_no_jumps(heddle__tune_child(loop, 3)))
		return NULL;
	for (const struct tune_node *outer = loop->parent; outer; outer = outer->parent)
		if (outer->kind != TUNE_BLOCK)
			return NULL;
	return strcmp(heddle__tune_function_at(file, loop->first)->name, "main") == 0 ? loop : NULL;
}

/* Returns true if a for counts a variable from a constant in steps of one, and nothing else changes it. */
static bool counts(const struct tune_file *file, const struct tune_node *loop, const struct tune_symbol *symbol)
{
	const struct tune_node *start = loop->child, *step = heddle__tune_child(loop, 2), *variable = start->child,
			       *tree = heddle__tune_function_at(file, loop->first)->tree;
	const struct tune_node *value = !variable                         ? NULL
					: start->kind == TUNE_DECLARATION ? variable->child
									  : variable->next;
	if (!value || variable->symbol != symbol || value->kind != TUNE_CONSTANT ||
		!(step->kind == TUNE_POSTFIX || step->kind == TUNE_UNARY) || !heddle__tune_op(file, step, "++"))
		return false;
	for (const struct tune_node *node = tree; node; node = heddle__tune_walk(tree, node)) {
		bool change = heddle__tune_is_change(file, node) || node->kind == TUNE_ADDRESS;
		if (change && node != start && node != step && heddle__tune_bare(node->child)->symbol == symbol)
			return false;
	}
	return heddle__tune_bare(step->child)->symbol == symbol;
}

/*
 * Returns true if a variable has the same value on all threads. UPC requires it for variables in a loop's start, bound
 * and affinity. Since all threads execute the loop equally often, it is also true for a variable that counts calls of
 * the loop's function.
 */
static bool is_single_valued(const struct tune_loop *loop, const struct tune_symbol *symbol)
{
	const struct tune_node *call;
	struct tune_node *first = NULL;
	if (symbol == loop->index || symbol == only_variable(loop, loop->start) ||
		symbol == only_variable(loop, loop->bound) || symbol == only_variable(loop, number_of_affinity(loop)))
		return true;
	if (!symbol->parameter || !heddle__tune_is_steady(loop->file, loop->function, symbol, &first) ||
		!(call = only_call(loop->file, loop->function)))
		return false;
	const struct tune_node *argument = heddle__tune_child(call, symbol->position + 1),
			       *outer = counting_loop(loop->file, call);
	return outer && argument && argument->kind == TUNE_NAME && argument->symbol &&
	       counts(loop->file, outer, argument->symbol);
}

/* ---- sums ---- */

static void add_term(
	struct tune_loop *loop, struct tune_linear *sum, struct tune_node *node, long factor, bool unchanging);

/* Adds a variable, or the value in its declaration if neither has changed since. `unchanging`: it must never change. */
static void add_name(
	struct tune_loop *loop, struct tune_linear *sum, const struct tune_node *name, long factor, bool unchanging)
{
	struct tune_symbol *symbol = name->symbol;
	const struct tune_type *type = symbol && symbol->kind == TUNE_VARIABLE ? symbol->type : NULL;
	struct tune_node *first = NULL;
	bool index = symbol == loop->index;
	if (!type || !is_wide(type) || type->shared || type->is_volatile ||
		(!index && (heddle__tune_facts(loop, symbol)->inside || heddle__tune_may_change(loop, symbol)))) {
		sum->unknown = true;
		return;
	}
	bool steady = !index && !symbol->global && !symbol->is_static &&
		      heddle__tune_is_steady(loop->file, loop->function, symbol, &first);
	sum->unknown |= unchanging && !steady;
	if (steady && first) {
		struct tune_linear value = {.count = 0};
		add_term(loop, &value, first, 1, true);
		if (!value.unknown) {
			heddle__tune_linear_add(sum, &value, factor);
			return;
		}
	}
	sum->unknown |= !is_single_valued(loop, symbol);
	add_product(sum, symbol, factor);
}

static void add_term(
	struct tune_loop *loop, struct tune_linear *sum, struct tune_node *node, long factor, bool unchanging)
{
	const struct tune_file *file = loop->file;
	long number;
	node = heddle__tune_bare(node);
	bool plus = node->kind == TUNE_BINARY && heddle__tune_op(file, node, "+"),
	     minus = node->kind == TUNE_BINARY && heddle__tune_op(file, node, "-"),
	     times = node->kind == TUNE_BINARY && heddle__tune_op(file, node, "*");
	if (heddle__tune_value(file, node, &number) && !__builtin_mul_overflow(number, factor, &number)) {
		sum->unknown |= __builtin_add_overflow(sum->number, number, &sum->number);
	} else if (node->kind == TUNE_NAME) {
		add_name(loop, sum, node, factor, unchanging);
	} else if ((plus || minus) && is_wide(node->type)) {
		add_term(loop, sum, node->child, factor, unchanging);
		add_term(loop, sum, node->child->next, minus ? -factor : factor, unchanging);
	} else if (times && is_wide(node->type) && heddle__tune_value(file, node->child->next, &number) &&
		   !__builtin_mul_overflow(number, factor, &number)) {
		add_term(loop, sum, node->child, number, unchanging);
	} else if (node->kind == TUNE_SUM) {
		for (struct tune_node *term = node->child; term; term = term->next)
			add_term(loop, sum, term, factor, unchanging);
	} else if (node->kind == TUNE_NEGATIVE) {
		add_term(loop, sum, node->child, -factor, unchanging);
	} else {
		sum->unknown = true;
	}
}

struct tune_linear heddle__tune_linear(struct tune_loop *loop, struct tune_node *node)
{
	struct tune_linear sum = {.count = 0};
	add_term(loop, &sum, node, 1, false);
	return sum;
}

bool heddle__tune_linear_is_positive(const struct tune_loop *loop, const struct tune_linear *sum)
{
	bool positive = !sum->unknown && sum->number > 0;
	for (int i = 0; i < sum->count && positive; i++)
		positive = sum->factors[i] > 0 && heddle__tune_is_never_negative(loop->file, sum->symbols[i]);
	return positive;
}

/* The least or greatest value of an index in the loop. */
static struct tune_linear limit_of(struct tune_loop *loop, const struct tune_access *access, bool greatest)
{
	struct tune_linear sum = heddle__tune_linear(loop, heddle__tune_index(access, 0));
	long factor = 0;
	for (int i = 0; i < sum.count; i++)
		if (sum.symbols[i] == loop->index)
			factor = sum.factors[i];
	add_product(&sum, loop->index, -factor);
	bool last = (factor > 0) == greatest;
	bool at_bound = last != loop->down, inclusive = strchr(loop->compare, '=') && *loop->compare != '!';
	struct tune_linear index = heddle__tune_linear(loop, at_bound ? loop->bound : loop->start);
	if (at_bound && !inclusive)
		index.number += loop->down ? 1 : -1;
	heddle__tune_linear_add(&sum, &index, factor);
	return sum;
}

/* Returns true if each element of the first access is after all elements of the second one. */
static bool is_behind(struct tune_loop *loop, const struct tune_access *a, const struct tune_access *b)
{
	struct tune_linear distance = limit_of(loop, a, false), other = limit_of(loop, b, true);
	heddle__tune_linear_add(&distance, &other, -1);
	return heddle__tune_linear_is_positive(loop, &distance);
}

bool heddle__tune_are_disjoint(struct tune_loop *loop, const struct tune_access *a, const struct tune_access *b)
{
	const struct tune_access *both[] = {a, b};
	for (size_t i = 0; i < 2; i++)
		if (!both[i]->element || both[i]->moved || both[i]->variant || heddle__tune_index(both[i], 1))
			return false;
	return is_behind(loop, a, b) || is_behind(loop, b, a);
}
