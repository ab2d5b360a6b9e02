/* SPDX-License-Identifier: BSD-3-Clause */
/* Walking a view from the root down: children lists and the order of a depth-first walk. */
#ifndef HEDDLE_PROFILE_VIEW_WALK_H
#define HEDDLE_PROFILE_VIEW_WALK_H

#include "profile/view/view.h"

struct profile_view_children {
	uint32_t *first; /* node_count + 1 entries: node i's children are list[first[i]] .. list[first[i + 1] - 1] */
	uint32_t *list;
};

/* Children by `sums`, largest first (equal ones in the view's order; NULL: all in that order). 0 or -ENOMEM. */
int profile_view_children_make(
	struct profile_view_children *children, const struct profile_view *view, const uint64_t *sums);
void profile_view_children_free(struct profile_view_children *children);

/* All nodes in preorder, to be freed with free(); NULL: no memory. */
uint32_t *profile_view_depth_first(const struct profile_view *view, const struct profile_view_children *children);

/*
 * Which nodes have none of the same label above them: sums over those count recursion once. To be freed with free();
 * NULL: no memory.
 */
bool *profile_view_outermost(const struct profile_view *view);

/* The depth of each node (the root: 0), to be freed with free(); NULL: no memory. */
uint32_t *profile_view_depths(const struct profile_view *view);

#endif
