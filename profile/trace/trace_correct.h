/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A controlled logical clock: if the common clock shows an effect before its cause, the clock of the effect's machine
 * is moved forward from there on (profile/trace/trace_shift.h), so that the effect comes after the cause. All events of
 * a machine are moved together, so they keep their order, and intervals change by at most a thousandth where possible.
 * Memory: two points per violation.
 */
#ifndef HEDDLE_PROFILE_TRACE_CORRECT_H
#define HEDDLE_PROFILE_TRACE_CORRECT_H

#include "profile/trace/trace_causality.h"

struct profile_trace_correction {
	struct profile_trace_causality before,
		after;          /* remaining violations: locks taken in another order than it seems */
	uint64_t events, moved; /* number of events of all threads, and of those moved */
	uint64_t largest_ns;    /* largest correction */
};

/* Corrects the times of all streams that are opened later. Changes nothing without violations. Returns 0 or -ENOMEM. */
int profile_trace_correct(struct profile_trace *trace, struct profile_trace_correction *correction);

/* Returns the violations of barriers, collectives, locks and messages together. */
struct profile_trace_violations profile_trace_all_violations(const struct profile_trace_causality *causality);

#endif
