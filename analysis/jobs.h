/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which processes of a measurement are one parallel program: ranks that run at the same time. A process without ranks
 * is a job by itself. A script may run several, one after the other, whose threads never wait for each other.
 */
#ifndef HEDDLE_ANALYSIS_JOBS_H
#define HEDDLE_ANALYSIS_JOBS_H

#include "profile/file/measurement.h"

struct heddle_jobs {
	uint32_t *of_process; /* by index; of a file that could not be read: 0 */
	size_t count;
};

/* 0 or -ENOMEM. To be freed in any case. */
int heddle__jobs_make(struct heddle_jobs *jobs, const struct profile_measurement *measurement);
void heddle__jobs_free(struct heddle_jobs *jobs);

#endif
