/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which values and conditions differ between threads, as far as the file shows: those that are computed from MYTHREAD,
 * and new memory of one thread. Values that are read from shared memory count as equal if their indices are. Results of
 * functions of other files count as equal, but not in conditions: a pointer from there was likely allocated by all
 * threads, but `if (my_rank() == 0)` is as likely as `if (converged())`.
 */
#include "tune/loop.h"

#include <string.h>

#define MOST_CALLERS 6 /* levels of callers that are examined */
#define MOST_VARIABLES 128

struct sources {
	const struct tune_file *file;
	bool in_condition;
	struct {
		const struct tune_symbol *symbol;
		bool in_condition;
	} seen[MOST_VARIABLES];
	int count;
};

static bool differs(struct sources *sources, const struct tune_node *top);
static bool is_on_all_threads(struct sources *sources, const struct tune_node *node, int depth);

/* Returns true at the first call for a symbol, in a condition or not. *full: there are too many. */
static bool is_new(struct sources *sources, const struct tune_symbol *symbol, bool *full)
{
	*full = sources->count == MOST_VARIABLES;
	for (int i = 0; i < sources->count; i++)
		if (sources->seen[i].symbol == symbol && sources->seen[i].in_condition == sources->in_condition)
			return false;
	if (!*full) {
		sources->seen[sources->count].symbol = symbol;
		sources->seen[sources->count++].in_condition = sources->in_condition;
	}
	return true;
}

/* Returns true if an argument for a parameter differs between threads. */
static bool has_different_arguments(struct sources *sources, const struct tune_symbol *parameter)
{
	const struct tune_symbol *function = heddle__tune_function_of(sources->file, parameter), *in;
	const struct tune_node *node = NULL;
	while (function && (node = heddle__tune_walk_file(sources->file, &in, node)) != NULL) {
		const struct tune_node *argument = node->kind == TUNE_CALL && node->child->symbol == function
							   ? heddle__tune_child(node, parameter->position + 1)
							   : NULL;
		if (argument && differs(sources, argument))
			return true;
	}
	return false;
}

static bool is_of(const struct tune_file *file, const struct tune_node *node, const struct tune_symbol *symbol)
{
	if (symbol->structure.symbol)
		return heddle__tune_is_same_member(file, symbol, node);
	return (node->kind == TUNE_NAME || node->kind == TUNE_DECLARATOR) && node->symbol == symbol;
}

/* The value that a node gives to a variable, or NULL. */
static const struct tune_node *value_for(
	const struct tune_file *file, const struct tune_node *node, const struct tune_symbol *symbol)
{
	if (node->kind == TUNE_DECLARATOR)
		return node->symbol == symbol ? node->child : NULL;
	struct tune_node *target = node->child ? heddle__tune_bare(node->child) : NULL;
	if (!target || !is_of(file, target, symbol))
		return NULL;
	return node->kind == TUNE_ASSIGNMENT ? node->child->next
	       : node->kind == TUNE_ADDRESS  ? heddle__tune_swapped_with(file, target)
					     : NULL;
}

/* Returns true if a function that gets the address of a variable assigns different values to it. */
static bool sets_different_values(struct sources *sources, const struct tune_node *address)
{
	const struct tune_node *call = heddle__tune_above(address);
	const struct tune_symbol *function = call && call->kind == TUNE_CALL ? call->child->symbol : NULL;
	if (!function || !function->body)
		return false;
	if (!is_on_all_threads(sources, call, 0))
		return true;
	for (const struct tune_node *node = function->tree; node; node = heddle__tune_walk(function->tree, node)) {
		struct tune_node *target = node->kind == TUNE_ASSIGNMENT ? heddle__tune_bare(node->child) : NULL;
		if (target && target->kind == TUNE_INDEX && target->type && target->type->kind == TUNE_POINTER &&
			(differs(sources, node->child->next) || !is_on_all_threads(sources, node, 0)))
			return true;
	}
	return false;
}

/* Returns true if a variable's values differ between threads. */
static bool has_different_values(struct sources *sources, const struct tune_symbol *symbol)
{
	const struct tune_file *file = sources->file;
	const struct tune_symbol *in;
	const struct tune_node *node = NULL;
	if (symbol->kind != TUNE_VARIABLE || !symbol->type || symbol->type->shared)
		return false;
	bool full, pointer = symbol->type->kind == TUNE_POINTER;
	if (!is_new(sources, symbol, &full) || full)
		return full;
	while ((node = heddle__tune_walk_file(file, &in, node)) != NULL) {
		const struct tune_node *value = value_for(file, node, symbol);
		bool address = node->kind == TUNE_ADDRESS && is_of(file, heddle__tune_bare(node->child), symbol);
		if (address && pointer && sets_different_values(sources, node))
			return true;
		if (value && (differs(sources, value) || (pointer && !is_on_all_threads(sources, node, 0))))
			return true;
	}
	for (const struct tune_part *part = symbol->structure.parts; part; part = part->next)
		if (differs(sources, part->node))
			return true;
	return (symbol->structure.symbol && has_different_values(sources, symbol->structure.symbol)) ||
	       (symbol->parameter && has_different_arguments(sources, symbol));
}

/* Returns true if a call of a function of the file may have different results. */
static bool has_different_results(struct sources *sources, const struct tune_symbol *function)
{
	bool full;
	if (!is_new(sources, function, &full) || full)
		return full;
	for (const struct tune_node *node = function->tree; node; node = heddle__tune_walk(function->tree, node))
		if (node->kind == TUNE_JUMP && node->child && differs(sources, node->child))
			return true;
	return false;
}

static bool names_own_value(const struct tune_file *file, const struct tune_node *name)
{
	static const char *const own[] = {"MYTHREAD", "upc_alloc", "upc_global_alloc"};
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (heddle__tune_at(file, name->first, own[i]))
			return true;
	return false;
}

/* Returns true if a function of another file is called whose result may not depend on its arguments alone. */
static bool has_unknown_result(const struct tune_file *file, const struct tune_node *call)
{
	static const char *const same[] = {"atoi", "atol", "atoll", "atof", "strtol", "strtoul", "strtoll", "strtod",
		"strlen", "strcmp", "strncmp", "getenv", "upc_all_alloc", "upc_all_lock_alloc"};
	const struct tune_node *callee = heddle__tune_bare(call->child);
	if (callee->kind == TUNE_NAME && callee->symbol && callee->symbol->body)
		return false;
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		if (heddle__tune_at(file, callee->first, same[i]))
			return false;
	return !heddle__tune_is_pure(&file->source, callee->first);
}

/* Returns true if an expression has different values on different threads. */
static bool differs(struct sources *sources, const struct tune_node *top)
{
	const struct tune_file *file = sources->file;
	for (const struct tune_node *node = top; node; node = heddle__tune_walk(top, node)) {
		const struct tune_symbol *symbol = node->kind == TUNE_NAME ? node->symbol : NULL;
		if (node->kind == TUNE_OTHER && heddle__tune_mentions(file, node->first, node->last, "MYTHREAD"))
			return true;
		if (node->kind == TUNE_NAME && !symbol && names_own_value(file, node))
			return true;
		if (node->kind == TUNE_CALL && sources->in_condition && has_unknown_result(file, node))
			return true;
		if (symbol && (symbol->body ? symbol->position < 0 && has_different_results(sources, symbol)
					    : has_different_values(sources, symbol)))
			return true;
	}
	return false;
}

bool heddle__tune_differs(const struct tune_file *file, const struct tune_symbol *symbol)
{
	struct sources sources = {.file = file};
	return has_different_values(&sources, symbol);
}

/* ---- conditions ---- */

/* Returns true if all threads must meet in a tree: a barrier or a collective function. */
static bool has_collective(const struct tune_file *file, const struct tune_node *top, int depth)
{
	for (const struct tune_node *node = top; node; node = heddle__tune_walk(top, node)) {
		const struct tune_symbol *function = node->kind == TUNE_CALL ? node->child->symbol : NULL;
		if ((node->kind == TUNE_SYNCHRONIZE && !heddle__tune_at(file, node->first, "upc_fence")) ||
			(node->kind == TUNE_CALL &&
				strncmp(heddle__tune_word(&file->source, node->child->first), "upc_all_", 8) == 0) ||
			(function && function->body && depth < MOST_CALLERS &&
				has_collective(file, function->tree, depth + 1)))
			return true;
	}
	return false;
}

/*
 * Returns true if a condition around the body of a statement may differ between threads. All threads run a loop with a
 * collective equally often, or the program would wait forever: so the result of an unknown function is equal there.
 */
static bool is_different_condition(struct sources *sources, const struct tune_node *node)
{
	const struct tune_node *condition =
		node->kind == TUNE_DO || node->kind == TUNE_FOR ? node->child->next : node->child;
	bool loop = heddle__tune_is_loop(node), outer = sources->in_condition;
	if (node->kind == TUNE_FORALL)
		return true;
	if (node->kind != TUNE_IF && node->kind != TUNE_SWITCH && node->kind != TUNE_CONDITIONAL && !loop)
		return false;
	sources->in_condition = !loop || !has_collective(sources->file, node, 0);
	bool different = differs(sources, condition);
	sources->in_condition = outer;
	return different;
}

/* Returns true if no condition around a node, or around a call of its function, makes it one of some threads only. */
static bool is_on_all_threads(struct sources *sources, const struct tune_node *node, int depth)
{
	const struct tune_file *file = sources->file;
	const struct tune_symbol *function = heddle__tune_function_at(file, node->first), *in;
	for (const struct tune_node *outer = node->parent; outer; outer = outer->parent)
		if (is_different_condition(sources, outer))
			return false;
	const struct tune_node *name = NULL;
	while (function && (name = heddle__tune_walk_file(file, &in, name)) != NULL)
		if (name->kind == TUNE_NAME && name->symbol == function &&
			(depth == MOST_CALLERS || !name->parent || name->parent->kind != TUNE_CALL ||
				name->parent->child != name ||
				(in != function && !is_on_all_threads(sources, name, depth + 1))))
			return false;
	return function;
}
