/* SPDX-License-Identifier: BSD-3-Clause */
/* Names only the frames above allocations: they are few, whatever the size of the tree. */
#include "profile/names/allocation_path.h"

#include "profile/base/errors.h"

#include <stdlib.h>
#include <string.h>

/* True if the node is the region of a call that allocates shared memory. */
static bool is_allocation(const struct profile_call_tree *tree, const struct profile_node *node)
{
	return node->kind == HEDDLE_NODE_REGION && tree->events[node->event].role == HEDDLE_EVENT_SHARES;
}

static bool is_of_program(const struct profile_call_tree *tree, const struct profile_node *node)
{
	return node->kind == HEDDLE_NODE_FRAME &&
	       tree->modules[HEDDLE_PLACE_MODULE(node->place)].role == HEDDLE_CODE_EXECUTABLE;
}

static int by_place(const void *a, const void *b)
{
	const struct profile_place_name *x = a, *y = b;
	return (x->place > y->place) - (x->place < y->place);
}

static size_t list_places(struct profile_allocation_paths *paths, bool *seen)
{
	const struct profile_call_tree *tree = paths->tree;
	size_t count = 0;
	for (uint32_t i = 1; i < tree->node_count; i++) {
		uint32_t at = is_allocation(tree, &tree->nodes[i]) ? tree->nodes[i].parent : 0;
		for (; at && !seen[at]; at = tree->nodes[at].parent) {
			seen[at] = true;
			if (is_of_program(tree, &tree->nodes[at]))
				paths->names[count++].place = tree->nodes[at].place;
		}
	}
	return count;
}

/* Sorts the places, and removes duplicates and places of other modules than the first. */
static void sort_places(struct profile_allocation_paths *paths, size_t count)
{
	qsort(paths->names, count, sizeof(*paths->names), by_place);
	for (size_t i = 0; i < count; i++) {
		uint64_t place = paths->names[i].place;
		bool other = HEDDLE_PLACE_MODULE(place) != HEDDLE_PLACE_MODULE(paths->names[0].place);
		if (!other && (paths->count == 0 || paths->names[paths->count - 1].place != place))
			paths->names[paths->count++].place = place;
	}
}

int profile_allocation_paths_make(struct profile_allocation_paths *paths, const struct profile_call_tree *tree)
{
	struct profile_module_names summary = {0};
	bool *seen = calloc(tree->node_count + 1, sizeof(*seen));
	*paths = (struct profile_allocation_paths){
		.tree = tree, .names = calloc(tree->node_count + 1, sizeof(*paths->names))};
	int error = seen && paths->names ? 0 : -ENOMEM;
	if (!error)
		sort_places(paths, list_places(paths, seen));
	free(seen);
	if (!error && paths->count) {
		paths->namer.models = &tree->models;
		paths->namer.module = &tree->modules[HEDDLE_PLACE_MODULE(paths->names[0].place)];
		error = profile_namer_run(&paths->namer, paths->names, paths->count, &summary);
	}
	if (error)
		profile_allocation_paths_free(paths);
	return error;
}

void profile_allocation_paths_free(struct profile_allocation_paths *paths)
{
	profile_namer_free(&paths->namer);
	free(paths->names);
	*paths = (struct profile_allocation_paths){0};
}

static uint32_t tag_of(const struct profile_call_tree *tree, uint32_t node)
{
	uint64_t hash = 0;
	for (uint32_t at = node; at; at = tree->nodes[at].parent)
		if (tree->nodes[at].kind == HEDDLE_NODE_FRAME)
			hash = heddle__path_tag_step(hash, tree->nodes[at].place);
	return heddle__path_tag(hash);
}

static const struct profile_place_name *name_of(const struct profile_allocation_paths *paths, uint32_t node)
{
	struct profile_place_name key = {.place = paths->tree->nodes[node].place};
	if (!is_of_program(paths->tree, &paths->tree->nodes[node]))
		return NULL;
	return bsearch(&key, paths->names, paths->count, sizeof(key), by_place);
}

static size_t steps_above(
	const struct profile_allocation_paths *paths, uint32_t node, struct profile_allocation_step *steps, size_t most)
{
	size_t count = 0;
	for (uint32_t at = node; at && count < most; at = paths->tree->nodes[at].parent) {
		const struct profile_place_name *name = name_of(paths, at);
		for (uint32_t s = name ? name->count : 0; s-- > 0 && count < most;)
			steps[count++] = (struct profile_allocation_step){name->spots[s].function->name,
				name->spots[s].file, name->spots[s].line, name->spots[s].column};
	}
	return count;
}

size_t profile_allocation_steps(
	const struct profile_allocation_paths *paths, uint32_t tag, struct profile_allocation_step *steps, size_t most)
{
	const struct profile_call_tree *tree = paths->tree;
	for (uint32_t i = 1; tag && i < tree->node_count; i++)
		if (is_allocation(tree, &tree->nodes[i]) && tag_of(tree, tree->nodes[i].parent) == tag)
			return steps_above(paths, tree->nodes[i].parent, steps, most);
	return 0;
}

#define STEPS 16   /* steps of an allocation that are compared */
#define COLUMNS 16 /* columns of calls on a line */

struct line_calls {
	const struct profile_allocation_step *caller, *callee;
	uint32_t columns[COLUMNS], count;
};

static void add_column(struct line_calls *calls, uint32_t column)
{
	for (uint32_t i = 0; i < calls->count; i++)
		if (calls->columns[i] == column)
			return;
	if (calls->count < COLUMNS)
		calls->columns[calls->count++] = column;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static void add_columns(struct line_calls *calls, const struct profile_allocation_step *steps, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (steps[i].line == calls->caller->line && is_same(steps[i].file, calls->caller->file) &&
			is_same(steps[i - 1].function, calls->callee->function))
			add_column(calls, steps[i].column);
}

uint32_t profile_allocation_call(const struct profile_allocation_paths *paths,
	const struct profile_allocation_step *steps, size_t at, uint32_t *count)
{
	const struct profile_call_tree *tree = paths->tree;
	struct line_calls calls = {.caller = &steps[at], .callee = &steps[at - 1]};
	struct profile_allocation_step others[STEPS];
	uint32_t number = 1;
	for (uint32_t i = 1; i < tree->node_count; i++)
		if (is_allocation(tree, &tree->nodes[i]))
			add_columns(&calls, others, steps_above(paths, tree->nodes[i].parent, others, STEPS));
	for (uint32_t i = 0; i < calls.count; i++)
		number += calls.columns[i] < steps[at].column;
	*count = calls.count;
	return number;
}
