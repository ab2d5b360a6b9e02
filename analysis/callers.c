/* SPDX-License-Identifier: BSD-3-Clause */
/* Grows the trees of callers and of callees from the outermost calls of a function. Prints nothing. */
#include "analysis/callers.h"

#include <errno.h>
#include <stdlib.h>

static uint64_t hash_of(uint32_t parent, uint32_t label)
{
	return ((uint64_t)parent << 32 | label) * 0x9e3779b97f4a7c15u >> 20;
}

static uint64_t hash_item(const void *owner, uint32_t number)
{
	const struct heddle_callers *callers = owner;
	return hash_of(callers->items[number].parent, callers->items[number].label);
}

/* The root has the number of a child of itself, so look-ups must not find it. */
static bool is_item(const void *owner, uint32_t number, const void *wanted)
{
	const struct heddle_callers *callers = owner;
	const struct heddle_caller *is = &callers->items[number], *other = wanted;
	return number > 0 && is->parent == other->parent && is->label == other->label;
}

static const struct profile_index_kind kind = {hash_item, is_item, 256};

static int append(struct heddle_callers *callers, struct heddle_caller item)
{
	if (callers->count == callers->capacity) {
		size_t capacity = callers->capacity ? 2 * callers->capacity : 64;
		struct heddle_caller *items = realloc(callers->items, capacity * sizeof(*items));
		if (!items)
			return -ENOMEM;
		callers->items = items;
		callers->capacity = capacity;
	}
	callers->items[callers->count++] = item;
	return 0;
}

/* Adds to the child of a node with that label. Returns its number, or UINT32_MAX if there is no memory. */
static uint32_t grow(struct heddle_callers *callers, uint32_t parent, uint32_t label, uint64_t value)
{
	struct heddle_caller item = {0, label, parent};
	uint32_t *bucket = profile_index_bucket(&callers->index, &kind, callers, &item, hash_of(parent, label));
	if (!bucket)
		return UINT32_MAX;
	uint32_t number = *bucket - 1;
	if (!*bucket) {
		number = (uint32_t)callers->count;
		if (append(callers, item) != 0)
			return UINT32_MAX;
		profile_index_put(&callers->index, bucket, number);
	}
	callers->items[number].value += value;
	return number;
}

static int add_callers(
	struct heddle_callers *callers, const struct profile_view *view, uint32_t call, const uint64_t *inclusive)
{
	uint32_t at = 0;
	for (uint32_t node = call; node;) {
		node = view->parents[node];
		at = grow(callers, at, view->label_of[node], inclusive[call]);
		if (at == UINT32_MAX)
			return -ENOMEM;
	}
	return 0;
}

/* `within` has, for each node above, its number in `callers` + 1; 0: outside of the function. */
static int add_node(struct heddle_callers *callers, const struct profile_view *view, uint32_t node,
	const uint64_t *inclusive, const bool *is_of, enum heddle_callers_side side, uint32_t *within)
{
	uint32_t above = node ? within[view->parents[node]] : 0;
	within[node] = above;
	if (!above && is_of[view->label_of[node]]) {
		within[node] = 1;
		callers->items[0].value += inclusive[node];
		return side == HEDDLE_CALLERS && inclusive[node] ? add_callers(callers, view, node, inclusive) : 0;
	}
	if (!above || side == HEDDLE_CALLERS || !inclusive[node])
		return 0;
	uint32_t number = grow(callers, above - 1, view->label_of[node], inclusive[node]);
	within[node] = number + 1;
	return number == UINT32_MAX ? -ENOMEM : 0;
}

struct child {
	struct heddle_caller item;
	uint32_t number;
};

static int by_parent(const void *a, const void *b)
{
	const struct child *x = a, *y = b;
	if (x->item.parent != y->item.parent)
		return x->item.parent < y->item.parent ? -1 : 1;
	if (x->item.value != y->item.value)
		return x->item.value > y->item.value ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static int list_children(struct heddle_callers *callers)
{
	size_t count = callers->count;
	struct child *children = malloc(count * sizeof(*children));
	callers->first = calloc(count + 1, sizeof(*callers->first));
	callers->list = malloc(count * sizeof(*callers->list));
	int error = children && callers->first && callers->list ? 0 : -ENOMEM;
	for (size_t i = 0; !error && i < count; i++)
		children[i] = (struct child){callers->items[i], (uint32_t)i};
	if (!error && count > 1)
		qsort(children + 1, count - 1, sizeof(*children), by_parent);
	for (size_t i = 1; !error && i < count; i++) {
		callers->list[i - 1] = children[i].number;
		callers->first[children[i].item.parent + 1]++;
	}
	for (size_t i = 0; !error && i < count; i++)
		callers->first[i + 1] += callers->first[i];
	free(children);
	return error;
}

static uint32_t first_label(const struct profile_view *view, const bool *is_of)
{
	uint32_t label = 0;
	while (label + 1 < view->label_count && !is_of[label])
		label++;
	return label;
}

int heddle__callers_make(struct heddle_callers *callers, const struct profile_view *view, const uint64_t *inclusive,
	const bool *is_of, enum heddle_callers_side side)
{
	uint32_t *within = calloc(view->node_count + 1, sizeof(*within));
	*callers = (struct heddle_callers){0};
	int error = within ? append(callers, (struct heddle_caller){0, first_label(view, is_of), 0}) : -ENOMEM;
	for (uint32_t node = 0; !error && node < view->node_count; node++)
		error = add_node(callers, view, node, inclusive, is_of, side, within);
	if (!error)
		error = list_children(callers);
	free(within);
	if (error)
		heddle__callers_free(callers);
	return error;
}

void heddle__callers_free(struct heddle_callers *callers)
{
	free(callers->items);
	free(callers->first);
	free(callers->list);
	profile_index_free(&callers->index);
	*callers = (struct heddle_callers){0};
}
