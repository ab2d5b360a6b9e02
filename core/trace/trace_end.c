/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs in signal handlers. Writes the end of a trace: the remaining records, the values that the writer of the profile
 * adds to what threads counted, and the clock's final rate.
 */
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/threads/control.h"
#include "core/trace/trace_buffers.h"
#include "core/trace/trace_file.h"
#include "core/trace/trace_place.h"
#include "core/trace/tracing.h"
#include "core/writer/writer_threads.h"

#define VALUES_AT_ONCE 1024

static struct {
	struct heddle_trace_chunk header;
	struct heddle_trace_value values[VALUES_AT_ONCE];
} chunk;

static void append_values(const struct heddle_thread *thread, const struct heddle_entry *entries, size_t count)
{
	for (size_t i = 0; i < count; i++)
		chunk.values[i] = (struct heddle_trace_value){entries[i].node, entries[i].metric, entries[i].value};
	chunk.header = (struct heddle_trace_chunk){.kind = HEDDLE_TRACE_REST,
		.thread = thread->id,
		.length = (uint32_t)(count * sizeof(*chunk.values)),
		.count = count};
	heddle__trace_file_append((struct heddle_trace_block *)&chunk);
}

/* Writes the records of the buffer that the thread fills. */
static void write_last(struct heddle_trace_thread *traced)
{
	if (!traced->closed)
		heddle__trace_write_partial(traced);
	traced->closed = true;
}

/*
 * Appends elapsed time that the thread has charged since its last record: a change that left the stack as it was has no
 * record, and the next record would have had the time.
 */
static void append_unrecorded(const struct heddle_thread *thread, const struct heddle_thread_rest *rest)
{
	const struct heddle_trace_thread *traced = thread->trace->owner;
	if (thread->off || traced->left || !rest->charges || rest->charged <= traced->written_ticks)
		return;
	append_values(thread,
		&(struct heddle_entry){
			rest->charges->node, HEDDLE_METRIC_WALL_TIME, rest->charged - traced->written_ticks},
		1);
}

/*
 * Appends values that no record has; for a thread without a trace (one of Heddle's), all its values. The thread's last
 * chunk has the time at which the writer read its values: an event may have changed both since the clock stopped.
 */
static void take_rest(const struct heddle_thread *thread, const struct heddle_thread_columns *columns,
	const struct heddle_thread_rest *rest)
{
	if (thread->trace)
		write_last(thread->trace->owner);
	if (heddle__trace_policy.windowed || heddle__trace_policy.last_ns) /* most values have no record */
		return;
	if (thread->trace)
		append_unrecorded(thread, rest);
	for (size_t i = thread->trace ? rest->first : 0; i < columns->count; i += VALUES_AT_ONCE) {
		size_t count = columns->count - i;
		append_values(thread, columns->entries + i, count < VALUES_AT_ONCE ? count : VALUES_AT_ONCE);
	}
}

/* Writes the full buffers, and adds up dropped records. */
static void write_buffers(void)
{
	heddle__trace_write_full(heddle__measured_ticks());
	heddle__trace_wait_written();
	for (struct heddle_trace_thread *traced = heddle__trace_threads(); traced; traced = traced->next) {
		if (!traced->left)
			atomic_fetch_add(traced->lost ? &heddle__trace_counts.lost : &heddle__trace_counts.dropped,
				traced->trace.dropped);
		traced->trace.dropped = 0;
		traced->closed = false;
	}
}

void heddle__trace_end_begin(bool tried)
{
	if (!heddle__tracing)
		return;
	heddle__trace_write_full(heddle__measured_ticks());
	if (tried)
		heddle__trace_file_try_end();
	write_buffers();
	heddle__take_rest = take_rest;
}

void heddle__trace_end_finish(uint64_t now, bool tried)
{
	if (!heddle__tracing)
		return;
	heddle__take_rest = NULL;
	for (struct heddle_trace_thread *traced = heddle__trace_threads(); traced; traced = traced->next)
		write_last(traced); /* if the profile could not be written */
	/* Records that are written while an end is tried may be removed. */
	if (!tried) {
		heddle__trace_write_full(now);
		heddle__trace_wait_written();
	}
	heddle__trace_file_append_info(now);
	if (!tried)
		heddle__trace_move();
}

void heddle__trace_end_return(void)
{
	if (heddle__tracing)
		heddle__trace_file_return();
}
