/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the common clock keeps causes before their effects, on pairs of events of different machines: no rank leaves
 * a barrier, or a collective that synchronizes, before the last one has arrived at it, one with a root before that has,
 * or as the root before all others have, no rank has a lock before another one has begun to release it, and no message
 * is received before it begins to be sent, nor the use of a window before its completion. Memory: streams of the ranks,
 * the locks, and the messages and collectives under way.
 */
#ifndef HEDDLE_PROFILE_TRACE_CAUSALITY_H
#define HEDDLE_PROFILE_TRACE_CAUSALITY_H

#include "profile/trace/trace.h"

struct profile_trace_violations {
	uint64_t checked;    /* barriers, collectives, or locks and messages that went from a machine to another one */
	uint64_t violated;   /* of them, at all */
	uint64_t beyond;     /* of these, by more than the error bounds of the two clocks */
	uint64_t largest_ns; /* by how much at most */
};

struct profile_trace_causality {
	struct profile_trace_violations barriers, collectives, locks, messages;
	bool partial; /* what comes after lost or unmeasured events of a rank has no number, and is not checked */
};

/* 0 or -ENOMEM. Processes of one machine have the same clock, which is not checked. */
int profile_trace_causality_check(struct profile_trace_causality *causality, const struct profile_trace *trace);

/*
 * The same, and finds by how much each machine's clock is to be moved forward at which time, so that nothing is
 * violated: shifts of each machine, empty before, and empty if nothing is. Locks are taken to be handed over in the
 * order of corrected times; where two threads seem to have one at the same time, in the order that needs less
 * correction.
 */
int profile_trace_causality_shifts(struct profile_trace_causality *causality, const struct profile_trace *trace,
	struct profile_trace_shifts *shifts);

#endif
