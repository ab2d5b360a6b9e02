/* SPDX-License-Identifier: BSD-3-Clause */
/* Walking a view from the root down: children lists and the order of a depth-first walk. */
#ifndef HEDDLE_PROFILE_VIEW_WALK_H
#define HEDDLE_PROFILE_VIEW_WALK_H

#include "profile/view.h"

struct heddle_view_children {
	uint32_t *first; /* node_count + 1 entries: node i's children are list[first[i]] .. list[first[i + 1] - 1] */
	uint32_t *list;
};

/* Children by `sums`, largest first (equal ones in the view's order; NULL: all in that order). 0 or -ENOMEM. */
int heddle_view_children_make(
	struct heddle_view_children *children, const struct heddle_view *view, const uint64_t *sums);
void heddle_view_children_free(struct heddle_view_children *children);

/* All nodes, each before what is below it and that before its next sibling; free() it; NULL: no memory. */
uint32_t *heddle_view_depth_first(const struct heddle_view *view, const struct heddle_view_children *children);

/*
 * Which nodes have none of the same label above them: sums over those count recursion once. free() it; NULL: no memory.
 */
bool *heddle_view_outermost(const struct heddle_view *view);

/* How deep each node stands (the root: 0); free() it; NULL: no memory. */
uint32_t *heddle_view_depths(const struct heddle_view *view);

#endif
