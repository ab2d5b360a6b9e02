/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each entry of a task stores its number, so that the end need not name it. The events that follow from a record are
 * stored in the stream, the last one first.
 */
#include "profile/trace/trace_task.h"

#include "profile/base/errors.h"
#include "profile/trace/trace_record.h"

#define NO_TASK ((uint64_t)1 << 32) /* numbers of tasks are smaller */

/* The entry of the innermost task, or NULL. */
static struct profile_trace_entry *innermost_task(const struct profile_trace_stream *stream)
{
	size_t level = stream->depth;
	while (level > 0 && stream->stack[level - 1].region)
		level--;
	return level ? &stream->stack[level - 1] : NULL;
}

/* Adds an event before those that are already known to follow. */
static void append_event(struct profile_trace_stream *stream, enum heddle_trace_kind kind, uint32_t node,
	uint32_t attribute, uint64_t value)
{
	stream->more[stream->more_count++] = (struct profile_trace_event){.kind = kind,
		.ticks = stream->ticks,
		.time_ns = stream->time_ns,
		.node = node,
		.tree_node = profile_trace_file_of(stream)->map[node],
		.operand = attribute,
		.value = value,
		.charged = HEDDLE_NO_NODE};
}

void profile_trace_task_named(struct profile_trace_stream *stream, uint64_t task)
{
	struct profile_trace_entry *entry = innermost_task(stream);
	if (entry)
		entry->task = task;
}

void profile_trace_task_begun(struct profile_trace_stream *stream, uint32_t node, uint64_t task)
{
	profile_trace_task_named(stream, task);
	append_event(stream, HEDDLE_TRACE_ATTRIBUTE, 0, HEDDLE_TRACE_TASK, task);
	append_event(stream, HEDDLE_TRACE_VISIT, node, 0, 0);
}

void profile_trace_task_returned(struct profile_trace_stream *stream, uint64_t task)
{
	const struct profile_trace_entry *entry = innermost_task(stream);
	uint64_t thread = (uint64_t)(stream->thread - stream->trace->threads);
	append_event(stream, HEDDLE_TRACE_ATTRIBUTE, 0, HEDDLE_TRACE_TASK,
		entry && entry->task ? entry->task : NO_TASK + thread);
	if (task)
		append_event(stream, HEDDLE_TRACE_ATTRIBUTE, 0, HEDDLE_TRACE_TASK_END, task);
}
