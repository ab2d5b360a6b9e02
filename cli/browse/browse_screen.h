/* SPDX-License-Identifier: BSD-3-Clause */
/* The terminal of `heddle browse`, by curses. */
#ifndef HEDDLE_CLI_BROWSE_SCREEN_H
#define HEDDLE_CLI_BROWSE_SCREEN_H

#include "cli/browse/browse.h"

/*
 * Shows the state until the user quits. Returns an exit status; a line on standard error says why there is no screen.
 */
int heddle__browse_screen(struct heddle_browse *browse);

#endif
