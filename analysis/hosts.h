/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts that a measurement's processes ran on, by their names. */
#ifndef HEDDLE_ANALYSIS_HOSTS_H
#define HEDDLE_ANALYSIS_HOSTS_H

#include <stddef.h>

#include "profile/base/intern.h"
#include "profile/file/measurement.h"

/* Adds each name once, in the order of the processes, without empty ones (unknown). Returns 0 or -ENOMEM. */
int heddle__hosts_collect(struct profile_intern *hosts, const struct profile_measurement *measurement);

/* Returns the number of hosts; 0 also if there is no memory. */
size_t heddle__hosts_count(const struct profile_measurement *measurement);

#endif
