/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups the processes of a measurement into jobs: ranks of one parallel program, running at the same time. A process
 * without ranks is a job by itself. A script may run several, one after the other, whose threads never wait for each
 * other.
 */
#ifndef HEDDLE_ANALYSIS_JOBS_H
#define HEDDLE_ANALYSIS_JOBS_H

#include "profile/file/measurement.h"

struct heddle_jobs {
	uint32_t *of_process; /* by index of the process; 0 if its file could not be read */
	size_t count;
};

/* Returns 0 or -ENOMEM. Free `jobs` in any case. */
int heddle__jobs_make(struct heddle_jobs *jobs, const struct profile_measurement *measurement);
void heddle__jobs_free(struct heddle_jobs *jobs);

#endif
