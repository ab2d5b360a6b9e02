/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a thread did, without gaps: its trace as spans of time, each with the node of the innermost open region or,
 * where no region is timed, of the samples taken there. Reads one thread's stream; memory does not grow with its
 * events.
 */
#ifndef HEDDLE_PROFILE_TRACE_SPANS_H
#define HEDDLE_PROFILE_TRACE_SPANS_H

#include "profile/trace/trace.h"

struct profile_trace_span {
	uint64_t from_ns, to_ns;
	uint32_t node; /* as in the thread's file; HEDDLE_NO_NODE: nothing is open */
	bool off;      /* measurement was off or paused */
};

/*
 * Calls `each` for all spans of a thread within a part of the run, in order. Spans in which the thread does not exist
 * are left out. `each` returns 0 to go on. 0, what `each` returned, or a negative error. Context: any thread.
 */
int profile_trace_spans(const struct profile_trace *trace, size_t thread, const struct profile_trace_part *part,
	int (*each)(void *context, const struct profile_trace_span *span), void *context);

/*
 * The same, and calls `take` for each event as it is read, which begin before the part's end or at it: both in one
 * reading. It returns 0 to go on.
 */
int profile_trace_spans_and_events(const struct profile_trace *trace, size_t thread,
	const struct profile_trace_part *part, int (*each)(void *context, const struct profile_trace_span *span),
	int (*take)(void *context, const struct profile_trace_event *event), void *context);

/*
 * The node, as in the file, of time that a sampled thread was not on a processor; HEDDLE_NO_NODE: there is none. Such
 * time has no record: it is what samples leave of the time before them.
 */
uint32_t profile_trace_off_cpu_node(const struct profile_trace_file *file, const struct profile_call_tree *tree);

/* The node of the measurement's tree that has the values of a file's node: itself or the nearest above in the profile.
 */
uint32_t profile_trace_tree_node(const struct profile_trace_file *file, uint32_t node);

#endif
