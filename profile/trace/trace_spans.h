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
 * Calls `each` for all spans of a thread within a part of the run, in order, without spans in which the thread does not
 * exist. Returns the first nonzero result of `each`, 0, or a negative error. Context: any thread.
 */
int profile_trace_spans(const struct profile_trace *trace, size_t thread, const struct profile_trace_part *part,
	int (*each)(void *context, const struct profile_trace_span *span), void *context);

/*
 * Like profile_trace_spans, but also calls `take` for each event up to the part's end as it is read, so that one pass
 * is enough. A nonzero result of `take` ends it, too.
 */
int profile_trace_spans_and_events(const struct profile_trace *trace, size_t thread,
	const struct profile_trace_part *part, int (*each)(void *context, const struct profile_trace_span *span),
	int (*take)(void *context, const struct profile_trace_event *event), void *context);

/*
 * Returns the node, as in the file, for time that a sampled thread was off the processor; HEDDLE_NO_NODE: none. Such
 * time has no record: it is the time before a sample that its CPU time does not cover.
 */
uint32_t profile_trace_off_cpu_node(const struct profile_trace_file *file, const struct profile_call_tree *tree);

/*
 * Returns the node of the measurement's tree with the values of a file's node: its own, or the nearest in the profile.
 */
uint32_t profile_trace_tree_node(const struct profile_trace_file *file, uint32_t node);

#endif
