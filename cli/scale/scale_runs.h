/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the measurements that `heddle scale --run` compares, by `heddle run`. */
#ifndef HEDDLE_CLI_SCALE_RUNS_H
#define HEDDLE_CLI_SCALE_RUNS_H

#include "cli/base/words.h"
#include "cli/scale/run_plan.h"

struct heddle_scale_runs {
	struct heddle_plan plan;
	const char *launcher;    /* "mpirun -np %n", or NULL: that of an MPI program, or none */
	const char *run_options; /* of `heddle run`, or NULL */
	const char *output;      /* the new directory that has all of them; NULL: scale-PROGRAM-PID */
	const char *const *arguments;
	struct heddle_words made; /* directories of complete runs */
	unsigned failed;          /* runs that failed or took too long */
	int signal;               /* that ended it; 0: none. What was made until then is complete */
};

/*
 * Runs are one after the other, with a line on standard error for each; what they print goes to files beside the
 * measurements. Returns 0 if there is at least one to compare, or an exit status after a line. `made` is to be freed in
 * any case. The plan's configurations, repeat, and arguments are the caller's.
 */
int heddle__scale_runs_make(struct heddle_scale_runs *runs);

#endif
