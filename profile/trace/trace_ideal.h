/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes how long the run would take on an ideal network, on which ranks only wait for other ranks: replays the
 * trace, with the time that a rank's own code took, and none for exchanges. A receive ends when the message is sent, a
 * barrier or collective when all that it waits for have arrived, and a lock is acquired when it is released. Messages
 * are buffered: no send waits for its receiver.
 */
#ifndef HEDDLE_PROFILE_TRACE_IDEAL_H
#define HEDDLE_PROFILE_TRACE_IDEAL_H

#include "profile/trace/trace.h"

struct profile_trace_ideal {
	size_t thread_count;
	bool *is_rank;      /* by thread of the trace: it is a rank, or the first of the threads that work for one */
	uint64_t *saved_ns; /* by thread: how much earlier a rank ends; 0 for others */
};

/*
 * `exchanges`, by node of the measurement's tree: time at the node is spent on exchanges between ranks. Memory, besides
 * the result: what may still be waited for. Returns 0 or a negative error. Free `ideal` in any case.
 */
int profile_trace_ideal_make(
	struct profile_trace_ideal *ideal, const struct profile_trace *trace, const bool *exchanges);
void profile_trace_ideal_free(struct profile_trace_ideal *ideal);

#endif
