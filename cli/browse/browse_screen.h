/* SPDX-License-Identifier: BSD-3-Clause */
/* The terminal of `heddle browse`, by curses. */
#ifndef HEDDLE_CLI_BROWSE_SCREEN_H
#define HEDDLE_CLI_BROWSE_SCREEN_H

#include "cli/browse/browse.h"

/*
 * Shows the state until the user quits. Returns an exit status, after a line on standard error if the screen cannot be
 * opened.
 */
int heddle__browse_screen(struct heddle_browse *browse);

#endif
