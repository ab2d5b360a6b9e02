/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folds recursion: a call of what is open already, directly or through others, becomes the open node, and what it calls
 * stands below that node. So a tree of paths is as wide as the program's functions, however deep it calls itself.
 */
#ifndef HEDDLE_PROFILE_VIEW_RECURSION_H
#define HEDDLE_PROFILE_VIEW_RECURSION_H

#include "profile/view/view.h"

/*
 * Folds in place: values, distributions and the maps from the measurement's `tree_nodes` nodes follow, and
 * profile_view_text shows how many levels were folded into a node. States stay. 0 or -ENOMEM; then the view may only be
 * freed.
 */
int profile_view_fold_recursion(struct profile_view *view, size_t tree_nodes);

#endif
