/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks a view from the root down: lists of children, and depth-first order. */
#ifndef HEDDLE_PROFILE_VIEW_WALK_H
#define HEDDLE_PROFILE_VIEW_WALK_H

#include "profile/view/view.h"

struct profile_view_children {
	uint32_t *first; /* node_count + 1 entries: node i's children are list[first[i]] .. list[first[i + 1] - 1] */
	uint32_t *list;
};

/* Sorts children by `sums`, largest first; equal ones keep the view's order (NULL: all do). Returns 0 or -ENOMEM. */
int profile_view_children_make(
	struct profile_view_children *children, const struct profile_view *view, const uint64_t *sums);
void profile_view_children_free(struct profile_view_children *children);

/* Returns all nodes in preorder, to be freed with free(); NULL: no memory. */
uint32_t *profile_view_depth_first(const struct profile_view *view, const struct profile_view_children *children);

/*
 * Returns which nodes have none with the same label above them: sums over these count recursion once. To be freed with
 * free(); NULL: no memory.
 */
bool *profile_view_outermost(const struct profile_view *view);

/* Returns the depth of each node (the root: 0), to be freed with free(); NULL: no memory. */
uint32_t *profile_view_depths(const struct profile_view *view);

#endif
