/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds nodes to a view that is being made. */
#ifndef HEDDLE_PROFILE_VIEW_NODES_H
#define HEDDLE_PROFILE_VIEW_NODES_H

#include "profile/view/view.h"

/* Adds a node, without searching for one with that label. Returns 0 or -ENOMEM. */
int profile_view_append_node(struct profile_view *view, uint32_t parent, uint32_t label);

/*
 * Sets *node to its child with that label, adding the child if it is new. -ENOMEM also if the label is
 * HEDDLE_INTERN_NONE. Returns 0 or -ENOMEM.
 */
int profile_view_descend(struct profile_view *view, uint32_t *node, uint32_t label);

#endif
