/* SPDX-License-Identifier: BSD-3-Clause */
/* Capabilities of a terminal that must be known before it is opened. */
#ifndef HEDDLE_CLI_BROWSE_TERMINAL_H
#define HEDDLE_CLI_BROWSE_TERMINAL_H

#include <stdbool.h>

/* True if the cursor of a terminal of that name (TERM) can be moved; false for an unknown name. */
bool heddle__browse_terminal_moves(const char *name);

#endif
