/* SPDX-License-Identifier: BSD-3-Clause */
/* Adding nodes to a view that is being made. */
#ifndef HEDDLE_PROFILE_VIEW_NODES_H
#define HEDDLE_PROFILE_VIEW_NODES_H

#include "profile/view/view.h"

/* Adds a node, without looking for one of that label. 0 or -ENOMEM. */
int profile_view_append_node(struct profile_view *view, uint32_t parent, uint32_t label);

/* Moves *node to its child of that label (HEDDLE_INTERN_NONE: no memory), added when new. 0 or -ENOMEM. */
int profile_view_descend(struct profile_view *view, uint32_t *node, uint32_t label);

#endif
