/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long the run would take on an ideal network, on which nothing but another rank is waited for: the trace again,
 * with as much time for a rank's own code as it took, and none for what is exchanged. A receive ends when the message
 * is sent, a barrier or collective when those have come to it that it waits for, a lock is acquired when it is
 * released. Messages are buffered: no send waits for its receiver.
 */
#ifndef HEDDLE_PROFILE_TRACE_IDEAL_H
#define HEDDLE_PROFILE_TRACE_IDEAL_H

#include "profile/trace/trace.h"

struct profile_trace_ideal {
	size_t thread_count;
	bool *is_rank;      /* by thread of the trace: a rank, the first thread of those that work for it */
	uint64_t *saved_ns; /* by thread: how much earlier a rank ends; 0 of others */
};

/*
 * `exchanges`, by node of the measurement's tree: its time is spent for exchanges between ranks. 0 or a negative error;
 * to be freed in any case. Memory beside the result: what may still be waited for.
 */
int profile_trace_ideal_make(
	struct profile_trace_ideal *ideal, const struct profile_trace *trace, const bool *exchanges);
void profile_trace_ideal_free(struct profile_trace_ideal *ideal);

#endif
