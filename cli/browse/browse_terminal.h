/* SPDX-License-Identifier: BSD-3-Clause */
/* What a terminal can do, as far as it must be known before it is opened. */
#ifndef HEDDLE_CLI_BROWSE_TERMINAL_H
#define HEDDLE_CLI_BROWSE_TERMINAL_H

#include <stdbool.h>

/* Returns true if the cursor of a terminal of that name (TERM) can be moved; false also for an unknown name. */
bool heddle__browse_terminal_moves(const char *name);

#endif
