/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the measurements that `heddle scale --run` compares, by `heddle run`. */
#ifndef HEDDLE_CLI_SCALE_RUNS_H
#define HEDDLE_CLI_SCALE_RUNS_H

#include "cli/base/words.h"
#include "cli/scale/run_plan.h"

struct heddle_scale_runs {
	struct heddle_plan plan;
	const char *launcher;    /* "mpirun -np %n"; NULL: the default for an MPI program, or none */
	const char *run_options; /* for `heddle run`, or NULL */
	const char *output;      /* the new directory for all runs; NULL: scale-PROGRAM-PID */
	const char *const *arguments;
	struct heddle_words made; /* directories of complete runs */
	unsigned failed;          /* runs that failed or took too long */
	int signal;               /* signal that ended the runs; 0: none. Earlier runs are complete */
};

/*
 * Runs the plan, one run after the other, with a line on standard error for each; their output goes to files beside the
 * measurements. Returns 0 if there is at least one run to compare, or an exit status after a line. Free `made` in any
 * case. The caller owns the plan's configurations, repeat, and arguments.
 */
int heddle__scale_runs_make(struct heddle_scale_runs *runs);

#endif
