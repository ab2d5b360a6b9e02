/* SPDX-License-Identifier: BSD-3-Clause */
/* What `heddle report` shows of accesses to shared memory. */
#ifndef HEDDLE_CLI_REPORT_ACCESSES_H
#define HEDDLE_CLI_REPORT_ACCESSES_H

#include "cli/report/report_parts.h"
#include "profile/view/accesses.h"

/* 0, or HEDDLE_EXIT_USAGE after one line on standard error. `part`: only a part of the run is shown. */
int heddle__accesses_check(const struct heddle_access_options *options, bool part);

/*
 * The accesses of all threads, or of the one asked for. 0, a negative error, or an exit status after a line on standard
 * error.
 */
int heddle__accesses_make(struct profile_accesses *accesses, const struct heddle_report *report,
	const struct heddle_access_options *options);

/* Says that no accesses were measured, and what measures them. */
void heddle__accesses_missing(const struct heddle_report *report);

/* How well software caches served the gets of all threads; nothing if there were none. 0 or -ENOMEM. */
int heddle__report_cached(const struct heddle_report *report);

/* The numbers of accesses between threads, as a grid; nothing for less than two threads. */
void heddle__report_pairs(const struct heddle_terminal *terminal, const struct profile_accesses *accesses);

#endif
