/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the common clock keeps causes before their effects, on pairs of events of different machines: no rank leaves
 * a barrier before the last one has arrived at it, and no rank has a lock before another one has begun to release it.
 * Pairs are found without the clock where that is possible. Memory: streams of the threads, and the locks.
 */
#ifndef HEDDLE_PROFILE_TRACE_CAUSALITY_H
#define HEDDLE_PROFILE_TRACE_CAUSALITY_H

#include "profile/trace.h"

struct profile_trace_violations {
	uint64_t checked;    /* barriers, or locks that went from a machine to another one */
	uint64_t violated;   /* of them, at all */
	uint64_t beyond;     /* of these, by more than the error bounds of the two clocks */
	uint64_t largest_ns; /* by how much at most */
};

struct profile_trace_causality {
	struct profile_trace_violations barriers, locks;
	bool partial; /* barriers after lost or unmeasured events of a rank have no number, and are not checked */
};

/* 0 or -ENOMEM. Processes of one machine have the same clock, which is not checked. */
int profile_trace_causality_check(struct profile_trace_causality *causality, const struct profile_trace *trace);

#endif
