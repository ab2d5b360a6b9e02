/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of a measurement: the last lines of `heddle run`. */
#ifndef HEDDLE_CLI_RUN_OUTCOME_H
#define HEDDLE_CLI_RUN_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/output.h"
#include "cli/run/companions.h"

struct heddle_outcome {
	const char *program; /* as the user typed it */
	pid_t pid;
	int status;         /* of waitpid */
	uint64_t waited_ns; /* CPU time of the processes that were waited for; 0: not known */
	int survivors;      /* processes that still run after the program has ended, and write profiles */
	struct heddle_output *directory;
	struct heddle_companions companions;
	bool may_miss_mpi; /* no option chose the models, and MPI's library was not preloaded */
};

/*
 * Prints where the measurement is, or why there is none, and what is missing; removes leftover files in its directory.
 */
void heddle__outcome_say(const struct heddle_outcome *outcome);

#endif
