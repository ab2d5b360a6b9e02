/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each thread did over time: a part of the run in columns of equal length, with the time that each thread spent in
 * each state; and in slices, with the time of each node over all threads, without the time that helpers sleep. Memory:
 * threads times columns, nodes times slices; events are streamed, several threads at a time.
 */
#ifndef HEDDLE_PROFILE_TRACE_ACTIVITY_H
#define HEDDLE_PROFILE_TRACE_ACTIVITY_H

#include "profile/trace/trace.h"

/* An additional state: measurement was off. */
#define HEDDLE_ACTIVITY_OFF HEDDLE_STATE_COUNT
#define HEDDLE_ACTIVITY_KINDS (HEDDLE_STATE_COUNT + 1)

struct profile_trace_activity {
	struct profile_trace_part part;
	size_t thread_count, columns, slices, node_count; /* node_count: of the measurement's tree */
	size_t helpers;                                   /* number of threads with profile_thread_is_helper */
	uint64_t *states;                                 /* ns, by thread, column, kind */
	uint64_t *nodes;                                  /* ns, by slice, node of the measurement's tree */
};

/*
 * `activity` has the part (to_ns at most the trace's end), columns and slices; fills in the rest. Returns 0 or a
 * negative error, after which there is nothing to free.
 */
int profile_trace_activity_make(
	struct profile_trace_activity *activity, const struct profile_trace *trace, size_t workers);
void profile_trace_activity_free(struct profile_trace_activity *activity);

/* Returns the values of a thread in a column: HEDDLE_ACTIVITY_KINDS elements. */
static inline uint64_t *profile_trace_activity_of(
	const struct profile_trace_activity *activity, size_t thread, size_t column)
{
	return &activity->states[(thread * activity->columns + column) * HEDDLE_ACTIVITY_KINDS];
}

/* Returns the time at which a column or slice begins; for number `count`, the end of the part. */
uint64_t profile_trace_boundary(const struct profile_trace_part *part, size_t number, size_t count);

#endif
