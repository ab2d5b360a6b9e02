/* SPDX-License-Identifier: BSD-3-Clause */
/* Elapsed and CPU time of all threads by state: work, overhead, each kind of waiting. */
#ifndef HEDDLE_ANALYSIS_STATE_TIMES_H
#define HEDDLE_ANALYSIS_STATE_TIMES_H

#include "profile/file/measurement.h"

struct heddle_state_times {
	uint64_t wall[HEDDLE_STATE_COUNT]; /* ns; only of paths with events, so the sum may be less than `elapsed` */
	uint64_t cpu[HEDDLE_STATE_COUNT];  /* ns */
	uint64_t elapsed;                  /* of the program's threads, from start to end, ns */
};

/* Sums the values of a measurement. Returns 0 or -ENOMEM. */
int heddle__state_times_make(struct heddle_state_times *times, const struct profile_measurement *measurement);

/* Like heddle__state_times_make, with given states of the tree's nodes (profile_call_tree_states). */
void heddle__state_times_sum(
	struct heddle_state_times *times, const struct profile_measurement *measurement, const uint8_t *states);

#endif
