/* SPDX-License-Identifier: BSD-3-Clause */
/* Long output on a terminal goes through the user's pager, as git's does. */
#ifndef HEDDLE_CLI_PAGER_H
#define HEDDLE_CLI_PAGER_H

#include <stdbool.h>

/*
 * From here on, standard output, if it is a terminal, goes to the command in HEDDLE_PAGER, else PAGER, else `less`.
 * Nothing changes if the variable is empty or `cat`, or if the pager cannot be started. `wide`: lines are longer than
 * the terminal, so less scrolls sideways. A second call has no effect.
 */
void heddle__pager_begin(bool wide);

/* Flushes stdout, then waits until the user leaves the pager. Returns true if there was one. */
bool heddle__pager_end(void);

#endif
