/* SPDX-License-Identifier: BSD-3-Clause */
/* After a measured launcher of a parallel job has ended: which of the job's ranks left no profile. */
#ifndef HEDDLE_CLI_MISSING_RANKS_H
#define HEDDLE_CLI_MISSING_RANKS_H

#include "cli/run/run_profiles.h"

#include <stdbool.h>

/*
 * Prints one line on stderr if ranks have no profile, with the reason if a rank recorded it. Nothing is printed for
 * several worlds (spawned processes). True if a line was printed.
 */
bool heddle__missing_ranks_say(const struct heddle_run_profiles *profiles);

#endif
