/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle run --live`: a line at the bottom of the terminal, refreshed each second, with the program's elapsed time,
 * CPU time and samples, and the function with most recent samples. The program's output, signals and end are as without
 * it.
 */
#ifndef HEDDLE_CLI_LIVE_H
#define HEDDLE_CLI_LIVE_H

#include "cli/run/ranks.h"

#include <sys/types.h>

struct heddle_live;

/* Call before the program starts. Returns NULL, after a line on stderr with the reason, if the line cannot be shown. */
struct heddle_live *heddle__live_open(const struct heddle_ranks *ranks);
void heddle__live_close(struct heddle_live *live);

/* Replaces waitpid; the line is shown meanwhile. */
void heddle__live_wait(struct heddle_live *live, pid_t pid, int *status);

#endif
