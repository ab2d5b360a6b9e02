/* SPDX-License-Identifier: BSD-3-Clause */
/* Which nodes of the call tree are expanded: what stays when the measurement is read again. */
#ifndef HEDDLE_CLI_BROWSE_TREE_H
#define HEDDLE_CLI_BROWSE_TREE_H

#include "cli/browse/browse.h"

/* By nodes of the measurement's view; NULL: the tree was never shown. */
const bool *heddle__browse_tree_open(const struct heddle_browse *browse);

/* The same for a measurement that was just read, malloc'd: the tree takes it over. NULL: those expanded at first. */
void heddle__browse_tree_take(struct heddle_browse *browse, bool *open);

#endif
