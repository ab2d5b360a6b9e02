/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A controlled logical clock: where the common clock shows an effect before its cause, the clock of the effect's
 * machine is moved forward from there on (profile/trace/trace_shift.h), so that it comes after it. All events of a
 * machine are moved together: their order stays, and so do intervals, but for a thousandth where that is possible.
 * Memory: two points for each violation.
 */
#ifndef HEDDLE_PROFILE_TRACE_CORRECT_H
#define HEDDLE_PROFILE_TRACE_CORRECT_H

#include "profile/trace/trace_causality.h"

struct profile_trace_correction {
	struct profile_trace_causality before,
		after;          /* what is left: locks taken in another order than they seem to be */
	uint64_t events, moved; /* of all threads */
	uint64_t largest_ns;    /* by how much at most */
};

/*
 * Corrects the times of all streams that are opened from now on. Nothing changes if there is no violation. 0 or
 * -ENOMEM.
 */
int profile_trace_correct(struct profile_trace *trace, struct profile_trace_correction *correction);

/* The violations of barriers, collectives, locks and messages together. */
struct profile_trace_violations profile_trace_all_violations(const struct profile_trace_causality *causality);

#endif
