/* SPDX-License-Identifier: BSD-3-Clause */
/* Which frames the user-level view folds away: their values and children go to their parent. */
#ifndef HEDDLE_PROFILE_VIEW_FOLD_H
#define HEDDLE_PROFILE_VIEW_FOLD_H

#include "profile/call_tree.h"
#include "profile/naming.h"

enum heddle_fold {
	HEDDLE_FOLD_NOTHING,
	HEDDLE_FOLD_NODE,     /* all of it */
	HEDDLE_FOLD_INLINED,  /* what was inlined into it */
	HEDDLE_FOLD_OUTLINED, /* its outlined functions, but not what was inlined into them */
};

/* One enum heddle_fold a node, into `folds` of node_count bytes. 0 or -ENOMEM. */
int heddle__view_folds(const struct heddle_call_tree *tree, const struct heddle_naming *naming, uint8_t *folds);

/* True when spot `i` of a node's name is folded away. */
bool heddle__folds_spot(const struct heddle_node *node, uint8_t fold, const struct heddle_place_name *name, uint32_t i);

/* Where a region was opened that says its source position itself. */
struct heddle_opener {
	uint32_t frame;  /* the node; 0: no frame above is of that source file */
	uint32_t spot;   /* of its place; what was put inline below that is inside the region */
	uint32_t region; /* the innermost region between that frame and this one; 0: none */
};

struct heddle_opener heddle__find_opener(
	const struct heddle_call_tree *tree, const struct heddle_naming *naming, uint32_t region);

#endif
