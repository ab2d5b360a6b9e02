/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several `heddle run` that a launcher started, for one measurement: the one of rank 0 prints the summary for all of
 * them, when all have ended. They notify each other by files in the measurement's directory.
 */
#ifndef HEDDLE_CLI_COMPANIONS_H
#define HEDDLE_CLI_COMPANIONS_H

#include "cli/output.h"
#include "cli/run/ranks.h"

/*
 * The program of this rank has ended. Returns whether this is the one that prints the summary: then the others have
 * ended as well, or do not see this directory. One that `failed` gives it the time, because launchers kill the others
 * then.
 */
bool heddle__companions_end(const struct heddle_output *output, const struct heddle_ranks *ranks, bool failed);

/* What rank 0 had to say is said. */
void heddle__companions_leave(const struct heddle_output *output);

#endif
