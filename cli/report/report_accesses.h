/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `heddle report` about accesses to shared memory. */
#ifndef HEDDLE_CLI_REPORT_ACCESSES_H
#define HEDDLE_CLI_REPORT_ACCESSES_H

#include "cli/report/report_parts.h"
#include "profile/view/accesses.h"

/* Returns 0, or HEDDLE_EXIT_USAGE after one line on standard error. `part`: only a part of the run is shown. */
int heddle__accesses_check(const struct heddle_access_options *options, bool part);

/*
 * Collects the accesses of all threads, or of the requested one. Returns 0, a negative error, or an exit status after a
 * line on standard error.
 */
int heddle__accesses_make(struct profile_accesses *accesses, const struct heddle_report *report,
	const struct heddle_access_options *options);

/* Prints that no accesses were measured, and how to measure them. */
void heddle__accesses_missing(const struct heddle_report *report);

/* Prints how many gets of all threads software caches served; nothing if there were none. Returns 0 or -ENOMEM. */
int heddle__report_cached(const struct heddle_report *report);

/* Prints the numbers of accesses between threads, as a grid; nothing for fewer than two threads. */
void heddle__report_pairs(const struct heddle_terminal *terminal, const struct profile_accesses *accesses);

#endif
