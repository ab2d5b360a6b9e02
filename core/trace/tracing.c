/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether and what is traced, and which threads. Other files of core/trace do not depend on this one. */
#include "core/trace/tracing.h"

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/settings.h"
#include "core/threads/control.h"
#include "core/threads/thread.h"
#include "core/trace/trace_buffers.h"
#include "core/trace/trace_file.h"
#include "core/trace/trace_writer.h"
#include "format/quantity.h"

#define FLUSH_SECONDS 10 /* default with a trace, so that a killed process leaves names */

#define ANSWER_NS 2000000 /* time for running threads to answer a flush */

static _Atomic bool profile_asked;

/* Writes an offset as a chunk of its own, as they are measured seldom. */
static void keep_offset(const struct heddle_trace_offset *offset)
{
	struct {
		struct heddle_trace_chunk header;
		struct heddle_trace_offset offset;
	} chunk = {{.kind = HEDDLE_TRACE_OFFSET, .length = sizeof(*offset), .count = 1}, *offset};
	heddle__trace_file_append((struct heddle_trace_block *)&chunk);
}

/* Writes a group as a chunk of its own, once. */
static void keep_group(const struct heddle_trace_group *group)
{
	struct {
		struct heddle_trace_chunk header;
		struct heddle_trace_group group;
	} chunk = {{.kind = HEDDLE_TRACE_GROUP, .length = sizeof(*group), .count = 1}, *group};
	heddle__trace_file_append((struct heddle_trace_block *)&chunk);
}

void heddle__trace_init(void)
{
	const char *window = heddle__setting_text(HEDDLE_SETTING_TRACE_WINDOW);
	const char *last = heddle__setting_text(HEDDLE_SETTING_TRACE_LAST);
	uint64_t bytes;
	heddle__tracing = heddle__setting_number(HEDDLE_SETTING_TRACE) || *window || *last;
	if (!heddle__tracing)
		return;
	if (heddle__read_size(heddle__setting_text(HEDDLE_SETTING_TRACE_BUFFER), &bytes))
		heddle__trace_policy.size = bytes;
	heddle__trace_policy.drops = *heddle__setting_text(HEDDLE_SETTING_TRACE_FULL) == 'd';
	if (*last)
		heddle__read_time(last, &heddle__trace_policy.last_ns);
	heddle__trace_policy.windowed =
		heddle__read_window(window, &heddle__trace_policy.from_ns, &heddle__trace_policy.to_ns);
	heddle__trace_buffers_init();
	heddle__trace_offset = keep_offset;
	heddle__trace_group = keep_group;
	heddle__trace_file_begin();
}

long heddle__trace_flush_seconds(void)
{
	long seconds = heddle__setting_number(HEDDLE_SETTING_FLUSH_SECONDS);
	return seconds || !heddle__tracing || heddle__trace_policy.last_ns ? seconds : FLUSH_SECONDS;
}

bool heddle__trace_wants_profile(void)
{
	return heddle__tracing && heddle__trace_file_exists() && !atomic_exchange(&profile_asked, true);
}

/* ---- threads ---- */

/* True for threads of the program, unless the window has ended. */
static bool is_to_be_traced(const struct heddle_thread *thread)
{
	return heddle__tracing && thread->role != HEDDLE_THREAD_HEDDLE && heddle__trace_window().phase < 2;
}

void heddle__trace_thread_begin(struct heddle_thread *thread)
{
	if (!is_to_be_traced(thread))
		return;
	if (thread->trace) {
		thread->trace->fresh = 0; /* of its last owner */
	} else {
		struct heddle_trace_thread *traced = heddle__trace_buffers_make(thread);
		static _Atomic bool said;
		if (!traced)
			heddle__warn_once(&said, "no memory for the trace of a thread");
		else
			heddle__trace_attach(thread, &traced->trace);
	}
	if (heddle__is_traced(thread)) {
		heddle__trace_mark(thread, HEDDLE_TRACE_THREAD_BEGIN, (uint64_t)thread->tid);
		heddle__trace_idle(thread); /* after the mark, nothing is open */
	}
}

/*
 * Writes the records that are kept in memory. The buffers that other threads are filling are written with the next
 * flush or at the end: threads are requested to hand them over, but need not have an event now.
 */
void heddle__trace_flush(void)
{
	struct heddle_thread *self = heddle__thread_self();
	if (!heddle__tracing || !heddle__trace_policy.last_ns)
		return;
	heddle__trace_ask(true);
	if (self && heddle__is_traced(self))
		heddle__trace_full(self, self->trace);
	heddle__clock_nap(ANSWER_NS);
	heddle__trace_write_full(heddle__measured_ticks());
}

/* Records that nothing is open from here on, and nothing is charged. */
void heddle__trace_thread_end(struct heddle_thread *thread)
{
	if (!heddle__is_traced(thread))
		return;
	heddle__trace_pop(thread, 0);
	thread->idle_slot = NULL;
	heddle__trace_idle(thread);
	heddle__trace_mark(thread, HEDDLE_TRACE_THREAD_END, 0);
}

void heddle__trace_after_fork(void)
{
	if (!heddle__tracing)
		return;
	heddle__trace_writer_after_fork();
	heddle__trace_buffers_after_fork();
	heddle__trace_file_begin();
	atomic_store(&profile_asked, false);
	if (heddle__thread_self())
		heddle__record_before(heddle__thread_self()); /* time is charged from now on */
}
