/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inclusive values of a few threads at once, by the nodes and labels of a view: they share what a pass over the tree
 * costs. For spread.c; it must not know where the values come from. Not thread-safe: each worker has its own.
 */
#ifndef HEDDLE_PROFILE_SPREAD_LANES_H
#define HEDDLE_PROFILE_SPREAD_LANES_H

#include "profile/merge/spread.h"

#define PROFILE_LANES 16 /* words of two cache lines, which processors load together */

/* Rows exist for nodes with values and all above them; a lane is a row of threads of a profile. */
struct profile_lanes {
	const struct profile_view *view;
	const bool *outermost;            /* profile_view_outermost */
	uint32_t together[PROFILE_LANES]; /* threads of a lane: more than one, one after the other */
	uint32_t *row_of;                 /* by node: number + 1 */
	uint32_t *nodes;                  /* that have rows; after profile_lanes_sum children before their parents */
	size_t count, room;               /* rows */
	uint64_t (*rows)[PROFILE_LANES];
	uint64_t (*labels)[PROFILE_LANES]; /* by label */
	bool *has_label;
	uint32_t *used; /* labels with values */
	size_t used_count;
};

/* What the pointers refer to must outlive it. 0 or -ENOMEM; free it in any case. */
int profile_lanes_start(struct profile_lanes *lanes, const struct profile_view *view, const bool *outermost);
void profile_lanes_free(struct profile_lanes *lanes);

/* Adds to the exclusive value of a node. 0 or -ENOMEM. */
int profile_lanes_add(struct profile_lanes *lanes, size_t lane, uint32_t node, uint64_t value);

/* Makes values inclusive; then those of labels (recursion counts once). */
void profile_lanes_sum(struct profile_lanes *lanes);
void profile_lanes_sum_labels(struct profile_lanes *lanes);

/* All values become 0. */
void profile_lanes_clear(struct profile_lanes *lanes);

static inline const uint64_t *profile_lanes_row(const struct profile_lanes *lanes, uint32_t node)
{
	return lanes->rows[lanes->row_of[node] - 1];
}

/* The spread over the lanes. */
struct profile_spread profile_lanes_spread(const struct profile_lanes *lanes, const uint64_t *row);

#endif
