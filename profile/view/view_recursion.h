/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folds recursion: if a function calls one that is already open, directly or through others, the call becomes the open
 * node, and what it calls is below that node. So the tree has no more levels than the program has functions, however
 * deep it recurses.
 */
#ifndef HEDDLE_PROFILE_VIEW_RECURSION_H
#define HEDDLE_PROFILE_VIEW_RECURSION_H

#include "profile/view/view.h"

/*
 * Folds in place. Values, distributions and the maps from the measurement's `tree_nodes` nodes are adapted, and
 * profile_view_text shows how many levels were folded into a node. States are not folded. Returns 0 or -ENOMEM, after
 * which the view may only be freed.
 */
int profile_view_fold_recursion(struct profile_view *view, size_t tree_nodes);

#endif
