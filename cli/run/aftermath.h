/* SPDX-License-Identifier: BSD-3-Clause */
/* After a measured program has ended: which of its processes left no profile, or an incomplete one. */
#ifndef HEDDLE_CLI_AFTERMATH_H
#define HEDDLE_CLI_AFTERMATH_H

#include "cli/run/run_profiles.h"

#include <stdbool.h>

/*
 * Returns the errno of a process that could not write its profile to the directory, from the mark that the process
 * left; 0: none. Removes the marks.
 */
int heddle__aftermath_failure(const char *directory);

/* Returns why nothing can be written to the directory now, which explains a missing profile: an errno, or 0. */
int heddle__aftermath_unwritable(const char *directory);

/*
 * Prints one line on stderr if ended processes have incomplete profiles, or none because of `failure`; and one if
 * OpenMP was not measured because another tool was active. True if profiles are incomplete or missing.
 */
bool heddle__aftermath_say_missing(const struct heddle_run_profiles *profiles, int failure);

#endif
