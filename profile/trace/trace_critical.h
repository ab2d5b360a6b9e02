/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The critical path: from the last event back along its thread, and at each wait to the thread that ended it. What is
 * on the path determined the length of the run; other code had slack.
 */
#ifndef HEDDLE_PROFILE_TRACE_CRITICAL_H
#define HEDDLE_PROFILE_TRACE_CRITICAL_H

#include "profile/trace/trace_late.h"

/* A part of the path on one thread. */
struct profile_trace_stretch {
	size_t thread;
	uint64_t from_ns, to_ns;
};

struct profile_trace_critical {
	struct profile_trace_stretch
		*path;         /* each begins where the previous one ends, from the part's begin to its end */
	size_t count, changes; /* changes: number of changes of thread */
	size_t node_count, thread_count;
	uint64_t *of_node;   /* ns, by node of the measurement's tree; the sum is the part's length */
	uint64_t *of_thread; /* ns, by thread of the trace */
	uint64_t *of_state;  /* ns, by thread and enum heddle_state */
};

/*
 * Finds the path of the whole run, within a part of it. Memory, besides the result: what may still become part of the
 * path. Returns 0 or a negative error. Free `critical` in any case.
 */
int profile_trace_critical_make(struct profile_trace_critical *critical, const struct profile_trace *trace,
	const struct profile_trace_part *part);

/* Like profile_trace_critical_make, but also finds who waited for whom, in one pass. Free both in any case. */
int profile_trace_critical_late_make(struct profile_trace_critical *critical, struct profile_trace_late *late,
	const struct profile_trace *trace, const struct profile_trace_part *part);
void profile_trace_critical_free(struct profile_trace_critical *critical);

#endif
