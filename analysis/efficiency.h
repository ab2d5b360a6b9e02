/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parallel efficiency of a run as defined by POP, and its two factors. Useful time is time in the program's own code,
 * outside of runtimes, waits and the measurement.
 */
#ifndef HEDDLE_ANALYSIS_EFFICIENCY_H
#define HEDDLE_ANALYSIS_EFFICIENCY_H

#include "analysis/jobs.h"
#include "profile/file/measurement.h"

struct heddle_efficiency {
	size_t threads;          /* threads of teams, and ranks */
	uint64_t elapsed_ns;     /* heddle__efficiency_elapsed */
	uint64_t useful_ns;      /* of all these threads: CPU time if it was sampled, else elapsed time */
	uint64_t most_useful_ns; /* of the thread with most */
	/* 0 to 1; the first is the product of the other two. */
	double parallel;      /* useful time as a share of the threads' elapsed time */
	double load_balance;  /* average useful time divided by the largest */
	double communication; /* largest useful time divided by the elapsed time: what waiting and transfer leave */
};

/* Returns false if the efficiency is unknown because no thread has useful time. */
bool heddle__efficiency_make(struct heddle_efficiency *efficiency, const struct profile_measurement *measurement);

/*
 * Returns the time from the first start to the last end of processes with such threads (of all processes if there are
 * none), in ns, without the time that measurement was off in all of them.
 */
uint64_t heddle__efficiency_elapsed(const struct profile_measurement *measurement);

/* Like heddle__efficiency_elapsed, for one job. `everyone`: of all its processes. */
uint64_t heddle__efficiency_job_elapsed(
	const struct profile_measurement *measurement, bool everyone, const struct heddle_jobs *jobs, size_t job);

#endif
