/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that causes come before their effects on the common clock, for events of different machines: no rank leaves a
 * barrier, or a collective that synchronizes all, before the last rank has arrived; in a collective with a root, no
 * rank leaves before the root has arrived, or the root not before all others have; no rank acquires a lock before
 * another one has begun to release it; no message is received before its send begins, and no accesses to a window are
 * known to be complete before their completion began. Memory: streams of the ranks, the locks, and the messages and
 * collectives under way.
 */
#ifndef HEDDLE_PROFILE_TRACE_CAUSALITY_H
#define HEDDLE_PROFILE_TRACE_CAUSALITY_H

#include "profile/trace/trace.h"

struct profile_trace_violations {
	uint64_t checked;    /* barriers, collectives, and locks and messages that went from one machine to another */
	uint64_t violated;   /* of them: violated */
	uint64_t beyond;     /* of these: by more than the error bounds of the two clocks */
	uint64_t largest_ns; /* largest violation */
};

struct profile_trace_causality {
	struct profile_trace_violations barriers, collectives, locks, messages;
	bool partial; /* events after lost or unmeasured ones of a rank have no numbers, and are not checked */
};

/* Returns 0 or -ENOMEM. Processes of one machine have one clock, which is not checked. */
int profile_trace_causality_check(struct profile_trace_causality *causality, const struct profile_trace *trace);

/*
 * Like profile_trace_causality_check, but also finds how far to move each machine's clock forward at which time, so
 * that nothing is violated. `shifts` has an element for each machine, initially empty, and stays empty without
 * violations. Locks are taken to be handed over in the order of corrected times; if two threads seem to have a lock at
 * the same time, in the order that needs less correction.
 */
int profile_trace_causality_shifts(struct profile_trace_causality *causality, const struct profile_trace *trace,
	struct profile_trace_shifts *shifts);

#endif
