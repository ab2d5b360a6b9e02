/* SPDX-License-Identifier: BSD-3-Clause */
/* Long output on a terminal goes through the user's pager, as git's does. */
#ifndef HEDDLE_CLI_PAGER_H
#define HEDDLE_CLI_PAGER_H

#include <stdbool.h>

/*
 * From here on, standard output goes to the command in HEDDLE_PAGER, else PAGER, else `less`, if it is a terminal. An
 * empty variable or `cat`: nothing changes, as if the pager cannot be started. `wide`: lines are longer than the
 * terminal, which less scrolls sideways then. A second call does nothing.
 */
void heddle__pager_begin(bool wide);

/* Flush stdout, then wait until the user leaves the pager. Returns whether there was one. */
bool heddle__pager_end(void);

#endif
