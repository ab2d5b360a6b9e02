/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads work on each host at the same time, and how busy its processors are. */
#ifndef HEDDLE_ANALYSIS_HOST_LOAD_H
#define HEDDLE_ANALYSIS_HOST_LOAD_H

#include "profile/file/measurement.h"

struct heddle_host_load {
	const char *name;  /* belongs to the measurement */
	size_t threads;    /* largest number of threads, of teams or with ranks, that were alive at the same time */
	size_t processors; /* that at least one of its processes may use; 0: unknown */
	double busy;       /* share of the processors' time, from the first start to the last end, 0 to 1 */
};

struct heddle_host_loads {
	struct heddle_host_load *items;
	size_t count;
};

/*
 * Makes an item for each host name. Leaves out processes of which only a part of the run is known. Returns 0 or
 * -ENOMEM, after which there is nothing to free.
 */
int heddle__host_loads_make(struct heddle_host_loads *loads, const struct profile_measurement *measurement);
void heddle__host_loads_free(struct heddle_host_loads *loads);

#endif
