/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of tasks on a stream's stack. Records that begin or end a task represent several events. */
#ifndef HEDDLE_PROFILE_TRACE_TASK_H
#define HEDDLE_PROFILE_TRACE_TASK_H

#include "profile/trace/trace.h"

/* Sets the number of the innermost task, from the attribute TASK. */
void profile_trace_task_named(struct profile_trace_stream *stream, uint64_t task);

/* The innermost entry is a task that just began: adds a visit of `node`, and the task's number, as the next events. */
void profile_trace_task_begun(struct profile_trace_stream *stream, uint32_t node, uint64_t task);

/*
 * A task ended (0: its number is unknown), and its entry was popped: adds its number, and that of the task that
 * continues, as the next events. For an implicit task, or if it is unknown, the latter is a number of the thread
 * instead.
 */
void profile_trace_task_returned(struct profile_trace_stream *stream, uint64_t task);

#endif
