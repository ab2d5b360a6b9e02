/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inclusive values of a few threads at once, by the nodes and labels of a view: one pass over the tree serves all of
 * them. For spread.c; must not depend on where the values come from. Not thread-safe: each worker has its own lanes.
 */
#ifndef HEDDLE_PROFILE_SPREAD_LANES_H
#define HEDDLE_PROFILE_SPREAD_LANES_H

#include "profile/merge/spread.h"

#define PROFILE_LANES 16 /* words of two cache lines, which processors load together */

/* A lane is a row of threads of a profile. Nodes that have values, and all nodes above them, have rows. */
struct profile_lanes {
	const struct profile_view *view;
	const bool *outermost;            /* profile_view_outermost */
	uint32_t together[PROFILE_LANES]; /* number of threads in a lane, one after the other */
	uint32_t *row_of;                 /* by node: number of its row + 1 */
	uint32_t *nodes;                  /* with rows; after profile_lanes_sum children come before their parents */
	size_t count, room;               /* rows */
	uint64_t (*rows)[PROFILE_LANES];
	uint64_t (*labels)[PROFILE_LANES]; /* by label */
	bool *has_label;
	uint32_t *used; /* labels with values */
	size_t used_count;
};

/* `view` and `outermost` must outlive the lanes. Returns 0 or -ENOMEM; free the lanes in any case. */
int profile_lanes_start(struct profile_lanes *lanes, const struct profile_view *view, const bool *outermost);
void profile_lanes_free(struct profile_lanes *lanes);

/* Adds to the exclusive value of a node. Returns 0 or -ENOMEM. */
int profile_lanes_add(struct profile_lanes *lanes, size_t lane, uint32_t node, uint64_t value);

/* The first makes the values of nodes inclusive; then the second computes those of labels (recursion counts once). */
void profile_lanes_sum(struct profile_lanes *lanes);
void profile_lanes_sum_labels(struct profile_lanes *lanes);

/* Sets all values to 0. */
void profile_lanes_clear(struct profile_lanes *lanes);

static inline const uint64_t *profile_lanes_row(const struct profile_lanes *lanes, uint32_t node)
{
	return lanes->rows[lanes->row_of[node] - 1];
}

/* Returns the spread over the lanes. */
struct profile_spread profile_lanes_spread(const struct profile_lanes *lanes, const uint64_t *row);

#endif
