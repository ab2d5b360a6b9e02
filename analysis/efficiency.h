/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How well a run used its threads: POP's parallel efficiency and its two factors. Useful is time in the program's own
 * code, outside of runtimes, waits and the measurement.
 */
#ifndef HEDDLE_ANALYSIS_EFFICIENCY_H
#define HEDDLE_ANALYSIS_EFFICIENCY_H

#include "analysis/jobs.h"
#include "profile/file/measurement.h"

struct heddle_efficiency {
	size_t threads;          /* of teams, and ranks */
	uint64_t elapsed_ns;     /* heddle__efficiency_elapsed */
	uint64_t useful_ns;      /* of all these threads: CPU time if it was sampled, else elapsed time */
	uint64_t most_useful_ns; /* of the one with most */
	/* 0 to 1; the first is the product of the others. */
	double parallel;      /* useful time as a share of the threads' elapsed time */
	double load_balance;  /* average useful time by the largest */
	double communication; /* largest useful time by the elapsed time: what waiting and transfer leave of it */
};

/* False: nothing is known of it, as no thread has useful time. */
bool heddle__efficiency_make(struct heddle_efficiency *efficiency, const struct profile_measurement *measurement);

/*
 * From the first start to the last end of a process with such threads (of any process if there are none), without the
 * time that measurement was off in all of them, ns.
 */
uint64_t heddle__efficiency_elapsed(const struct profile_measurement *measurement);

/* The same of one job; `everyone`: of all its processes. */
uint64_t heddle__efficiency_job_elapsed(
	const struct profile_measurement *measurement, bool everyone, const struct heddle_jobs *jobs, size_t job);

#endif
