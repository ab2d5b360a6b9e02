/* SPDX-License-Identifier: BSD-3-Clause */
/* Which nodes of the call tree are expanded: kept when the measurement is read again. */
#ifndef HEDDLE_CLI_BROWSE_TREE_H
#define HEDDLE_CLI_BROWSE_TREE_H

#include "cli/browse/browse.h"

/* Returns which nodes of the measurement's view are expanded; NULL: the tree was never shown. */
const bool *heddle__browse_tree_open(const struct heddle_browse *browse);

/*
 * Sets the expanded nodes of a measurement that was just read; takes ownership of `open` (malloc). NULL: the default.
 */
void heddle__browse_tree_take(struct heddle_browse *browse, bool *open);

#endif
