/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads work on each machine at the same time, and how busy its processors are. */
#ifndef HEDDLE_ANALYSIS_HOST_LOAD_H
#define HEDDLE_ANALYSIS_HOST_LOAD_H

#include "profile/file/measurement.h"

struct heddle_host_load {
	const char *name;  /* belongs to the measurement */
	size_t threads;    /* most threads of teams and with ranks that were alive at the same time */
	size_t processors; /* that one of its processes or more may use; 0: not known */
	double busy;       /* share of the processors' time, from the first start to the last end, 0 to 1 */
};

struct heddle_host_loads {
	struct heddle_host_load *items;
	size_t count;
};

/*
 * A machine for each host name. Of a part of the run nothing is known: its processes are left out. 0 or -ENOMEM, and
 * then there is nothing to free.
 */
int heddle__host_loads_make(struct heddle_host_loads *loads, const struct profile_measurement *measurement);
void heddle__host_loads_free(struct heddle_host_loads *loads);

#endif
