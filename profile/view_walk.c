/* SPDX-License-Identifier: BSD-3-Clause */
/* No recursion here: a path may be as deep as the file says. */
#include "profile/view_walk.h"

#include <errno.h>
#include <stdlib.h>

struct child {
	uint64_t sum;
	uint32_t node, parent;
};

static int by_parent_and_sum(const void *a, const void *b)
{
	const struct child *x = a, *y = b;
	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

static void link_children(struct heddle_view_children *children, const struct child *sorted, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		children->first[sorted[i].parent + 1]++;
		children->list[i] = sorted[i].node;
	}
	for (size_t i = 0; i <= count; i++)
		children->first[i + 1] += children->first[i];
}

int heddle_view_children_make(
	struct heddle_view_children *children, const struct heddle_view *view, const uint64_t *sums)
{
	size_t count = view->node_count - 1;
	struct child *sorted = malloc((count + 1) * sizeof(*sorted));
	children->first = calloc(view->node_count + 1, sizeof(*children->first));
	children->list = calloc(view->node_count + 1, sizeof(*children->list));
	if (!sorted || !children->first || !children->list) {
		free(sorted);
		heddle_view_children_free(children);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < count; i++)
		sorted[i] = (struct child){sums ? sums[i + 1] : 0, i + 1, view->parents[i + 1]};
	qsort(sorted, count, sizeof(*sorted), by_parent_and_sum);
	link_children(children, sorted, count);
	free(sorted);
	return 0;
}

void heddle_view_children_free(struct heddle_view_children *children)
{
	free(children->first);
	free(children->list);
	*children = (struct heddle_view_children){0};
}

uint32_t *heddle_view_depth_first(const struct heddle_view *view, const struct heddle_view_children *children)
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

uint32_t *heddle_view_depths(const struct heddle_view *view)
{
	uint32_t *depths = calloc(view->node_count, sizeof(*depths));
	for (size_t i = 1; depths && i < view->node_count; i++)
		depths[i] = depths[view->parents[i]] + 1;
	return depths;
}
