/* SPDX-License-Identifier: BSD-3-Clause */
/* Nothing here is recursive: a path may be as deep as the file says. */
#include "profile/view/view_walk.h"

#include <errno.h>
#include <stdlib.h>

struct child {
	uint64_t sum;
	uint32_t node;
};

static int by_sum(const void *a, const void *b)
{
	const struct child *x = a, *y = b;
	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

static void count_children(struct profile_view_children *children, const struct profile_view *view)
{
	for (size_t i = 1; i < view->node_count; i++)
		children->first[view->parents[i] + 1]++;
	for (size_t i = 0; i < view->node_count; i++)
		children->first[i + 1] += children->first[i];
}

/* Fills the lists from the back, so each ends up starting at first[], in the view's order. */
static void list_children(struct profile_view_children *children, const struct profile_view *view, uint32_t *ends)
{
	for (size_t i = 0; i < view->node_count; i++)
		ends[i] = children->first[i + 1];
	for (uint32_t i = (uint32_t)view->node_count; i-- > 1;)
		children->list[--ends[view->parents[i]]] = i;
}

static void sort_children(uint32_t *list, size_t count, const uint64_t *sums, struct child *room)
{
	for (size_t i = 0; i < count; i++)
		room[i] = (struct child){sums[list[i]], list[i]};
	qsort(room, count, sizeof(*room), by_sum);
	for (size_t i = 0; i < count; i++)
		list[i] = room[i].node;
}

int profile_view_children_make(
	struct profile_view_children *children, const struct profile_view *view, const uint64_t *sums)
{
	struct child *room = malloc((view->node_count + 1) * sizeof(*room));
	uint32_t *ends = calloc(view->node_count + 1, sizeof(*ends));
	children->first = calloc(view->node_count + 1, sizeof(*children->first));
	children->list = calloc(view->node_count + 1, sizeof(*children->list));
	int error = room && ends && children->first && children->list ? 0 : -ENOMEM;
	if (!error) {
		count_children(children, view);
		list_children(children, view, ends);
	}
	for (size_t i = 0; !error && sums && i < view->node_count; i++)
		if (children->first[i + 1] - children->first[i] > 1)
			sort_children(children->list + children->first[i], children->first[i + 1] - children->first[i],
				sums, room);
	free(room);
	free(ends);
	if (error)
		profile_view_children_free(children);
	return error;
}

void profile_view_children_free(struct profile_view_children *children)
{
	free(children->first);
	free(children->list);
	*children = (struct profile_view_children){0};
}

uint32_t *profile_view_depth_first(const struct profile_view *view, const struct profile_view_children *children)
{
	uint32_t *order = malloc(view->node_count * sizeof(*order));
	uint32_t *stack = malloc(view->node_count * sizeof(*stack));
	size_t depth = 0, count = 0;
	if (!order || !stack) {
		free(order);
		free(stack);
		return NULL;
	}
	for (stack[depth++] = 0; depth > 0;) {
		uint32_t node = stack[--depth];
		order[count++] = node;
		for (uint32_t c = children->first[node + 1]; c-- > children->first[node];)
			stack[depth++] = children->list[c];
	}
	free(stack);
	return order;
}

/* Walks depth first; `open` counts the nodes of each label from the root to the current node. */
static void mark_outermost(
	bool *outermost, const struct profile_view *view, const uint32_t *order, uint32_t *stack, uint32_t *open)
{
	size_t depth = 0;
	for (size_t i = 0; i < view->node_count; i++) {
		uint32_t node = order[i];
		while (depth > 0 && stack[depth - 1] != view->parents[node])
			open[view->label_of[stack[--depth]]]--;
		outermost[node] = open[view->label_of[node]]++ == 0;
		stack[depth++] = node;
	}
}

bool *profile_view_outermost(const struct profile_view *view)
{
	struct profile_view_children children = {0};
	bool *outermost = calloc(view->node_count, sizeof(*outermost)), *result = NULL;
	uint32_t *stack = malloc(view->node_count * sizeof(*stack));
	uint32_t *open = calloc(view->label_count, sizeof(*open)), *order = NULL;
	if (outermost && stack && open && profile_view_children_make(&children, view, NULL) == 0)
		order = profile_view_depth_first(view, &children);
	if (order) {
		mark_outermost(outermost, view, order, stack, open);
		result = outermost;
	} else {
		free(outermost);
	}
	profile_view_children_free(&children);
	free(order);
	free(open);
	free(stack);
	return result;
}

uint32_t *profile_view_depths(const struct profile_view *view)
{
	uint32_t *depths = calloc(view->node_count, sizeof(*depths));
	for (size_t i = 1; depths && i < view->node_count; i++)
		depths[i] = depths[view->parents[i]] + 1;
	return depths;
}
