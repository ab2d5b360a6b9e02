/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A row is two cache lines, so adding up sixteen threads costs little more than adding one. Rows are made when a node
 * first has a value: memory is proportional to the part of the tree that the threads use.
 */
#include "profile/merge/spread_lanes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int profile_lanes_start(struct profile_lanes *lanes, const struct profile_view *view, const bool *outermost)
{
	*lanes = (struct profile_lanes){.view = view, .outermost = outermost};
	lanes->row_of = calloc(view->node_count + 1, sizeof(*lanes->row_of));
	lanes->nodes = calloc(view->node_count + 1, sizeof(*lanes->nodes));
	lanes->labels = calloc(view->label_count + 1, sizeof(*lanes->labels));
	lanes->has_label = calloc(view->label_count + 1, sizeof(*lanes->has_label));
	lanes->used = calloc(view->label_count + 1, sizeof(*lanes->used));
	return lanes->row_of && lanes->nodes && lanes->labels && lanes->has_label && lanes->used ? 0 : -ENOMEM;
}

void profile_lanes_free(struct profile_lanes *lanes)
{
	free(lanes->row_of);
	free(lanes->nodes);
	free(lanes->rows);
	free(lanes->labels);
	free(lanes->has_label);
	free(lanes->used);
	*lanes = (struct profile_lanes){0};
}

static int make_row(struct profile_lanes *lanes, uint32_t node)
{
	int error = profile_reserve(&lanes->rows, &lanes->room, lanes->count + 1, sizeof(*lanes->rows));
	if (error)
		return error;
	memset(lanes->rows[lanes->count], 0, sizeof(*lanes->rows));
	lanes->nodes[lanes->count++] = node;
	lanes->row_of[node] = (uint32_t)lanes->count;
	return 0;
}

int profile_lanes_add(struct profile_lanes *lanes, size_t lane, uint32_t node, uint64_t value)
{
	for (uint32_t up = node; !lanes->row_of[up]; up = lanes->view->parents[up])
		if (make_row(lanes, up) != 0)
			return -ENOMEM;
	lanes->rows[lanes->row_of[node] - 1][lane] += value;
	return 0;
}

static int downwards(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return (*x < *y) - (*x > *y);
}

/* Sorts children before their parents. Threads usually use most of the tree, or very little of it. */
static void sort_nodes(struct profile_lanes *lanes)
{
	size_t count = 0;
	if (lanes->count < lanes->view->node_count / 16) {
		qsort(lanes->nodes, lanes->count, sizeof(*lanes->nodes), downwards);
		return;
	}
	for (size_t i = lanes->view->node_count; i-- > 0;)
		if (lanes->row_of[i])
			lanes->nodes[count++] = (uint32_t)i;
}

static inline void add_row(uint64_t *restrict to, const uint64_t *restrict from)
{
	for (size_t l = 0; l < PROFILE_LANES; l++)
		to[l] += from[l];
}

void profile_lanes_sum(struct profile_lanes *lanes)
{
	sort_nodes(lanes);
	for (size_t i = 0; i < lanes->count; i++) {
		uint32_t node = lanes->nodes[i];
		if (node != 0)
			add_row(lanes->rows[lanes->row_of[lanes->view->parents[node]] - 1],
				profile_lanes_row(lanes, node));
	}
}

void profile_lanes_sum_labels(struct profile_lanes *lanes)
{
	for (size_t i = 0; i < lanes->count; i++) {
		uint32_t node = lanes->nodes[i], label = lanes->view->label_of[node];
		if (!lanes->outermost[node])
			continue;
		if (!lanes->has_label[label])
			lanes->used[lanes->used_count++] = label;
		lanes->has_label[label] = true;
		add_row(lanes->labels[label], profile_lanes_row(lanes, node));
	}
}

void profile_lanes_clear(struct profile_lanes *lanes)
{
	for (size_t i = 0; i < lanes->count; i++)
		lanes->row_of[lanes->nodes[i]] = 0;
	for (size_t i = 0; i < lanes->used_count; i++) {
		memset(lanes->labels[lanes->used[i]], 0, sizeof(*lanes->labels));
		lanes->has_label[lanes->used[i]] = false;
	}
	lanes->count = lanes->used_count = 0;
}

/* For values whose squares may overflow, which profile_spread_add handles. */
static struct profile_spread spread_of_big(const struct profile_lanes *lanes, const uint64_t *row)
{
	struct profile_spread all = {0};
	for (size_t l = 0; l < PROFILE_LANES; l++) {
		struct profile_spread one = profile_spread_of(row[l], lanes->together[l]);
		profile_spread_add(&all, &one);
	}
	return all;
}

struct profile_spread profile_lanes_spread(const struct profile_lanes *lanes, const uint64_t *row)
{
	uint64_t least = UINT64_MAX, most = 0, sum = 0;
	uint32_t threads = 0;
	bool mean_only = false;
	unsigned __int128 squares = 0;
	for (size_t l = 0; l < PROFILE_LANES; l++) {
		uint64_t value = row[l];
		least = value - 1 < least - 1 ? value : least; /* ignores 0: no value */
		most = value > most ? value : most;
		sum += value;
		squares += (unsigned __int128)value * value;
		threads += value ? lanes->together[l] : 0;
		mean_only |= value && lanes->together[l] > 1;
	}
	if (most >> 62)
		return spread_of_big(lanes, row);
	return (struct profile_spread){.least = most ? least : 0,
		.most = most,
		.sum = sum,
		.squares = (uint64_t)squares,
		.squares_high = (uint64_t)(squares >> 64),
		.threads = threads,
		.mean_only = mean_only};
}
