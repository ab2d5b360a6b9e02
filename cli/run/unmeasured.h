/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CPU time of processes that ran without Heddle: the system's account of waited-for processes, compared with the
 * profiles.
 */
#ifndef HEDDLE_CLI_RUN_UNMEASURED_H
#define HEDDLE_CLI_RUN_UNMEASURED_H

#include "cli/run/run_profiles.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns the CPU time of all children that were waited for, and of their children. */
uint64_t heddle__waited_ns(void);

struct heddle_unmeasured {
	uint64_t missing_ns; /* 0: too little to report */
	uint64_t waited_ns;
	char programs[400]; /* some of the unmeasured programs, and why; "": not known */
};

/* Compares `waited_ns` with the profiles. */
struct heddle_unmeasured heddle__unmeasured(const struct heddle_run_profiles *profiles, uint64_t waited_ns);

/* Prints the result in one line. */
void heddle__unmeasured_say(const struct heddle_unmeasured *unmeasured);

#endif
