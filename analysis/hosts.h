/* SPDX-License-Identifier: BSD-3-Clause */
/* The machines that a measurement's processes ran on, by their host names. */
#ifndef HEDDLE_ANALYSIS_HOSTS_H
#define HEDDLE_ANALYSIS_HOSTS_H

#include <stddef.h>

#include "profile/base/intern.h"
#include "profile/file/measurement.h"

/* Adds each name once, in the order of the processes. Unknown ones (empty) are left out. Returns 0 or -ENOMEM. */
int heddle__hosts_collect(struct profile_intern *hosts, const struct profile_measurement *measurement);

/* How many there are; 0 also if there is no memory. */
size_t heddle__hosts_count(const struct profile_measurement *measurement);

#endif
