/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which frames the user-level view folds: their values and children go to their parent. */
#ifndef HEDDLE_PROFILE_VIEW_FOLD_H
#define HEDDLE_PROFILE_VIEW_FOLD_H

#include "profile/file/call_tree.h"
#include "profile/names/naming.h"

enum profile_fold {
	HEDDLE_FOLD_NOTHING,
	HEDDLE_FOLD_NODE,     /* the whole node */
	HEDDLE_FOLD_INLINED,  /* functions inlined into it */
	HEDDLE_FOLD_OUTLINED, /* its outlined functions, but not the functions inlined into these */
};

/* Writes an enum profile_fold for each node to `folds`, which has node_count bytes. Returns 0 or -ENOMEM. */
int profile_view_folds(const struct profile_call_tree *tree, const struct profile_naming *naming, uint8_t *folds);

/* True if spot `i` of a node's name is folded. */
bool profile_folds_spot(
	const struct profile_node *node, uint8_t fold, const struct profile_place_name *name, uint32_t i);

/* The frame that opened a region whose event gave its source position. */
struct profile_opener {
	uint32_t frame;  /* the node; 0: no frame above belongs to that source file */
	uint32_t spot;   /* index of the function at its place; those inlined further in are inside the region */
	uint32_t region; /* the innermost region between that frame and this one; 0: none */
};

struct profile_opener profile_find_opener(
	const struct profile_call_tree *tree, const struct profile_naming *naming, uint32_t region);

#endif
