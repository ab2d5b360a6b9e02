/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle run --live`: a line at the bottom of the terminal, refreshed each second, that says how long the program has
 * run, its CPU time, its samples, and the function with most of them lately. What the program prints, its signals and
 * its end stay as they are without it.
 */
#ifndef HEDDLE_CLI_LIVE_H
#define HEDDLE_CLI_LIVE_H

#include "cli/run/ranks.h"

#include <sys/types.h>

struct heddle_live;

/* Before the program starts. NULL, after a line on stderr that says why: there is nothing to draw on. */
struct heddle_live *heddle__live_open(const struct heddle_ranks *ranks);
void heddle__live_close(struct heddle_live *live);

/* As waitpid, which it stands for; the line is shown meanwhile. */
void heddle__live_wait(struct heddle_live *live, pid_t pid, int *status);

#endif
