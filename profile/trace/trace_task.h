/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of tasks on a stream's stack. Records that begin or end a task stand for several events. */
#ifndef HEDDLE_PROFILE_TRACE_TASK_H
#define HEDDLE_PROFILE_TRACE_TASK_H

#include "profile/trace/trace.h"

/* The attribute TASK of the innermost task. */
void profile_trace_task_named(struct profile_trace_stream *stream, uint64_t task);

/* The innermost entry is a task that just began: what follows is a visit of `node`, and the task's number. */
void profile_trace_task_begun(struct profile_trace_stream *stream, uint32_t node, uint64_t task);

/*
 * A task ended (0: its number is not known), and its entry is popped: what follows are its number, and that of the task
 * that continues. That is not a task's number for an implicit task, or if it is not known, but one for each thread.
 */
void profile_trace_task_returned(struct profile_trace_stream *stream, uint64_t task);

#endif
