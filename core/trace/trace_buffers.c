/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs in signal handlers: only the file is locked, for a bounded time. A measured thread writes a buffer only if the
 * trace writer does not run.
 */
#include "core/trace/trace_buffers.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/notes.h"
#include "core/base/patience.h"
#include "core/threads/control.h"
#include "core/trace/trace_file.h"
#include "core/trace/trace_writer.h"

#define RESERVE ((size_t)4096)  /* behind a buffer: for records of a thread that must not wait any longer */
#define PATIENCE_NS 2000000000u /* time-out for a buffer while nothing is written */
#define SLICE_NS 10000000
#define REST_TRIES 1000 /* attempts for a thread that is inside */
#define REST_NS 20000
#define KEPT_MOST ((size_t)1 << 30) /* bytes of buffers in memory, with --trace-last */
#define KEPT_SHARE 4                /* at most this part of the host's memory */

struct heddle_trace_policy heddle__trace_policy = {.size = (size_t)256 << 10};

static struct heddle_trace_thread *_Atomic threads;
static _Atomic size_t kept; /* bytes */
static size_t kept_most;

struct heddle_trace_thread *heddle__trace_threads(void)
{
	return atomic_load_explicit(&threads, memory_order_acquire);
}

/* ---- memory ---- */

static size_t mapped_size(void)
{
	return sizeof(struct heddle_trace_buffer) + heddle__trace_policy.size + RESERVE;
}

static struct heddle_trace_buffer *make_buffer(void)
{
	struct heddle_trace_buffer *buffer = heddle__map(mapped_size());
	if (buffer)
		atomic_fetch_add(&kept, mapped_size());
	return buffer;
}

static void free_buffer(struct heddle_trace_buffer *buffer)
{
	heddle__unmap(buffer, mapped_size());
	atomic_fetch_sub(&kept, mapped_size());
}

/* ---- the window ---- */

static uint64_t age_ns(void)
{
	return heddle__clock_ns(CLOCK_MONOTONIC) - heddle__trace_file_start_ns();
}

struct heddle_trace_window heddle__trace_window(void)
{
	const struct heddle_trace_policy *policy = &heddle__trace_policy;
	if (!policy->windowed)
		return (struct heddle_trace_window){1, UINT64_MAX};
	uint64_t age = age_ns();
	if (age < policy->from_ns)
		return (struct heddle_trace_window){0, policy->from_ns - age};
	if (age >= policy->to_ns)
		return (struct heddle_trace_window){2, UINT64_MAX};
	return (struct heddle_trace_window){1, policy->to_ns == UINT64_MAX ? UINT64_MAX : policy->to_ns - age};
}

static bool may_keep_more(void)
{
	return atomic_load(&kept) + mapped_size() <= kept_most;
}

/* ---- filling ---- */

static void begin(struct heddle_trace_thread *traced, struct heddle_trace_buffer *buffer)
{
	atomic_store(&buffer->wanted, false);
	atomic_store(&buffer->state, HEDDLE_TRACE_FILLING);
	traced->extended = traced->gave_up = false;
	heddle__trace_restart(&traced->trace, buffer->block.payload, heddle__trace_policy.size);
	atomic_store_explicit(&traced->current, buffer, memory_order_release);
}

/* Fills in the header of a chunk of the records so far. Samples do not advance `ticks`; none is later than now. */
static void describe(const struct heddle_trace_thread *traced, struct heddle_trace_chunk *header)
{
	const struct heddle_trace *trace = &traced->trace;
	const uint8_t *end = atomic_load_explicit(&trace->at, memory_order_acquire);
	*header = (struct heddle_trace_chunk){.kind = HEDDLE_TRACE_EVENTS,
		.thread = traced->thread->id,
		.length = (uint32_t)(end - trace->buffer),
		.first = trace->first,
		.last = heddle__measured_ticks(),
		.count = trace->count,
		.paused = trace->first_paused,
		.order = traced->order};
}

/*
 * Like describe(), for a thread that may add a record meanwhile, of an event that had begun when the clock stopped.
 * Returns the buffer.
 */
static struct heddle_trace_buffer *describe_at_rest(struct heddle_trace_thread *traced)
{
	const struct heddle_thread *thread = traced->thread;
	bool own = thread == heddle__thread_self();
	for (unsigned int tries = REST_TRIES;; tries--) {
		struct heddle_trace_chunk header;
		struct heddle_trace_buffer *buffer = atomic_load(&traced->current);
		bool rests = own || !atomic_load(&thread->inside);
		traced->written_ticks = __atomic_load_n(&traced->trace.ticks, __ATOMIC_RELAXED);
		describe(traced, &header);
		rests &= own || !atomic_load(&thread->inside);
		rests &= atomic_load(&traced->trace.at) == buffer->block.payload + header.length;
		if (rests || !tries) {
			buffer->block.header = header;
			return buffer;
		}
		heddle__clock_nap(REST_NS);
	}
}

struct heddle_trace_thread *heddle__trace_buffers_make(struct heddle_thread *thread)
{
	struct heddle_trace_thread *traced = heddle__alloc(sizeof(*traced));
	struct heddle_trace_buffer *first = make_buffer(), *second = first ? make_buffer() : NULL;
	if (!traced || !second) {
		if (first)
			free_buffer(first);
		return NULL;
	}
	atomic_store(&first->next, second);
	atomic_store(&second->next, first);
	traced->thread = thread;
	traced->trace.owner = traced;
	traced->entered = heddle__trace_window().phase > 0;
	begin(traced, first);
	traced->next = heddle__trace_threads();
	while (!atomic_compare_exchange_weak(&threads, &traced->next, traced))
		;
	return traced;
}

/* ---- writing ---- */

static bool claim(struct heddle_trace_buffer *buffer)
{
	uint32_t full = HEDDLE_TRACE_FULL;
	return atomic_compare_exchange_strong(&buffer->state, &full, HEDDLE_TRACE_WRITING);
}

/* Writes a claimed buffer to the file. */
static void write_out(struct heddle_trace_buffer *buffer)
{
	uint64_t count = buffer->block.header.count;
	if (!heddle__trace_file_append(&buffer->block))
		atomic_fetch_add(&heddle__trace_counts.lost, count);
	atomic_store(&buffer->state, HEDDLE_TRACE_EMPTY);
	syscall(SYS_futex, &buffer->state, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static bool is_recent(const struct heddle_trace_buffer *buffer, uint64_t now)
{
	uint64_t span = heddle__ns_to_ticks(heddle__trace_policy.last_ns), last = buffer->block.header.last;
	return !heddle__trace_policy.last_ns || atomic_load(&buffer->wanted) || last >= now || now - last <= span;
}

void heddle__trace_write_full(uint64_t now)
{
	for (struct heddle_trace_thread *traced = heddle__trace_threads(); traced; traced = traced->next) {
		struct heddle_trace_buffer *first = atomic_load(&traced->current), *buffer = first;
		do {
			if (atomic_load(&buffer->state) == HEDDLE_TRACE_FULL && is_recent(buffer, now) && claim(buffer))
				write_out(buffer);
			buffer = atomic_load(&buffer->next);
		} while (buffer != first);
	}
}

void heddle__trace_write_partial(struct heddle_trace_thread *traced)
{
	if (!traced->entered || traced->left)
		return;
	struct heddle_trace_buffer *buffer = describe_at_rest(traced);
	if (buffer->block.header.count && !heddle__trace_file_append(&buffer->block))
		atomic_fetch_add(&heddle__trace_counts.lost, buffer->block.header.count);
}

void heddle__trace_wait_written(void)
{
	struct heddle_patience patience;
	uint64_t seen = heddle__trace_file_size();
	heddle__patience_renew(&patience);
	for (struct heddle_trace_thread *traced = heddle__trace_threads(); traced; traced = traced->next) {
		struct heddle_trace_buffer *first = atomic_load(&traced->current), *buffer = first;
		do {
			while (atomic_load(&buffer->state) == HEDDLE_TRACE_WRITING &&
				heddle__patience_lasts(&patience, PATIENCE_NS)) {
				struct timespec slice = {0, SLICE_NS};
				syscall(SYS_futex, &buffer->state, FUTEX_WAIT_PRIVATE, HEDDLE_TRACE_WRITING, &slice,
					NULL, 0);
				if (heddle__trace_file_size() != seen) {
					seen = heddle__trace_file_size();
					heddle__patience_renew(&patience);
				}
			}
			buffer = atomic_load(&buffer->next);
		} while (buffer != first);
	}
}

/* ---- a full buffer ---- */

/* Writes the buffer on this thread, unless the trace writer runs or another thread has claimed it. */
static void write_here(struct heddle_trace_buffer *buffer)
{
	if (!heddle__trace_writer_runs() && claim(buffer))
		write_out(buffer);
}

/* Waits until the buffer is empty. False: the thread must not wait longer, or nothing is written any more. */
static bool wait_for(struct heddle_trace_thread *traced, struct heddle_trace_buffer *buffer)
{
	struct heddle_patience patience;
	uint64_t seen = heddle__trace_file_size(), before = heddle__ticks();
	uint32_t state;
	bool may = true;
	heddle__patience_renew(&patience);
	while (may && (state = atomic_load(&buffer->state)) != HEDDLE_TRACE_EMPTY) {
		struct timespec slice = {0, SLICE_NS};
		heddle__trace_writer_wake();
		syscall(SYS_futex, &buffer->state, FUTEX_WAIT_PRIVATE, state, &slice, NULL, 0);
		write_here(buffer);
		if (heddle__trace_file_size() != seen) {
			seen = heddle__trace_file_size();
			heddle__patience_renew(&patience);
		}
		traced->gave_up = !heddle__patience_lasts(&patience, PATIENCE_NS);
		may = !traced->gave_up && !heddle__trace_file_failed() && heddle__events_are_counted();
	}
	uint64_t waited = heddle__ticks() - before;
	traced->trace.waited += waited;
	atomic_fetch_add(&heddle__trace_counts.waits, 1);
	atomic_fetch_add(&heddle__trace_counts.wait_ticks, waited);
	return may;
}

/* Lets the record before the end of measurement, or before a pause, find room without waiting. */
static void use_reserve(struct heddle_trace_thread *traced)
{
	if (!traced->extended && !heddle__events_are_counted())
		traced->trace.limit += RESERVE;
	traced->extended = true;
}

static void insert(struct heddle_trace_buffer *after, struct heddle_trace_buffer *buffer)
{
	atomic_store(&buffer->next, atomic_load(&after->next));
	atomic_store(&after->next, buffer);
}

/* Recycles the oldest kept buffer if it is old enough, or if there is no memory. */
static struct heddle_trace_buffer *recycle(struct heddle_trace_thread *traced)
{
	struct heddle_trace_buffer *current = atomic_load(&traced->current), *oldest = atomic_load(&current->next);
	uint32_t full = HEDDLE_TRACE_FULL;
	bool dated = !is_recent(oldest, traced->trace.ticks);
	struct heddle_trace_buffer *more = NULL;
	if (atomic_load(&oldest->state) == HEDDLE_TRACE_EMPTY)
		return oldest;
	if (!dated && may_keep_more())
		more = make_buffer();
	if (more) {
		insert(current, more);
		return more;
	}
	if (!dated)
		heddle__note("the trace is shorter than --trace-last requests: its buffers have no more memory");
	return atomic_compare_exchange_strong(&oldest->state, &full, HEDDLE_TRACE_EMPTY) ? oldest : NULL;
}

/* Returns an empty buffer, or NULL. */
static struct heddle_trace_buffer *next_buffer(struct heddle_trace_thread *traced)
{
	struct heddle_trace_buffer *next = atomic_load(&atomic_load(&traced->current)->next);
	if (heddle__trace_policy.last_ns)
		return recycle(traced);
	write_here(next);
	if (atomic_load(&next->state) == HEDDLE_TRACE_EMPTY)
		return next;
	return !heddle__trace_policy.drops && !traced->gave_up && wait_for(traced, next) ? next : NULL;
}

/* Makes a complete buffer available for writing. */
static void hand_over(struct heddle_trace_buffer *buffer)
{
	atomic_store(&buffer->state, HEDDLE_TRACE_FULL);
	if (heddle__trace_policy.last_ns)
		return;
	heddle__trace_writer_wake();
	write_here(buffer);
}

static void go_on(struct heddle_trace_thread *traced, struct heddle_trace_buffer *next)
{
	struct heddle_trace_buffer *buffer = atomic_load(&traced->current);
	describe(traced, &buffer->block.header);
	traced->order++;
	atomic_fetch_add(&heddle__trace_counts.dropped, traced->trace.dropped);
	begin(traced, next);
	hand_over(buffer);
}

/* Stops recording. Callers may still use thread->trace. */
static void stop(struct heddle_thread *thread, struct heddle_trace *trace)
{
	thread->special &= (uint8_t)~HEDDLE_SPECIAL_TRACE;
	trace->limit = trace->buffer;
}

/* Handles a thread outside of the window. True: nothing else is to be done. */
static bool is_outside(struct heddle_trace_thread *traced)
{
	unsigned int phase = heddle__trace_window().phase;
	struct heddle_trace_buffer *buffer = atomic_load(&traced->current);
	if (phase == 2) {
		if (!traced->left && traced->entered && traced->trace.count) {
			describe(traced, &buffer->block.header);
			hand_over(buffer);
		}
		traced->left = true;
		stop(traced->thread, &traced->trace);
		return true;
	}
	if (traced->entered)
		return false;
	traced->entered = phase == 1;
	if (traced->trace.ticks < traced->thread->last_ticks)
		traced->trace.ticks = traced->thread->last_ticks;
	begin(traced, buffer); /* discards records from before the window */
	return true;
}

/* Counts records that cannot be written; from here on no record finds room. */
static void lose(struct heddle_trace_thread *traced)
{
	struct heddle_trace *trace = &traced->trace;
	if (!traced->lost) {
		atomic_fetch_add(&heddle__trace_counts.dropped, trace->dropped);
		atomic_fetch_add(&heddle__trace_counts.lost, trace->count);
		trace->dropped = 0;
		begin(traced, atomic_load(&traced->current));
	}
	traced->lost = true;
	trace->limit = trace->buffer;
}

static void full(struct heddle_thread *unused, struct heddle_trace *trace)
{
	struct heddle_trace_thread *traced = trace->owner;
	bool outside = heddle__trace_policy.windowed && is_outside(traced);
	struct heddle_trace_buffer *next = NULL;
	int saved = errno;
	(void)unused;
	if (!outside && !heddle__trace_file_failed())
		next = next_buffer(traced);
	if (next)
		go_on(traced, next);
	else if (!outside && heddle__trace_file_failed()) /* it may have failed while this thread waited */
		lose(traced);
	else if (!outside)
		use_reserve(traced);
	errno = saved;
}

void heddle__trace_ask(bool wanted)
{
	for (struct heddle_trace_thread *traced = heddle__trace_threads(); traced; traced = traced->next) {
		if (wanted)
			atomic_store(&atomic_load(&traced->current)->wanted, true);
		__atomic_store_n(&traced->trace.limit, traced->trace.buffer, __ATOMIC_RELEASE);
	}
}

void heddle__trace_buffers_init(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	size_t part = pages > 0 && page > 0 ? (size_t)pages * (size_t)page / KEPT_SHARE : KEPT_MOST;
	kept_most = part < KEPT_MOST ? part : KEPT_MOST;
	heddle__trace_full = full;
}

/* ---- fork ---- */

static void keep_only_current(struct heddle_trace_thread *traced)
{
	struct heddle_trace_buffer *current = atomic_load(&traced->current), *second = atomic_load(&current->next);
	struct heddle_trace_buffer *buffer = atomic_load(&second->next);
	while (buffer != current) {
		struct heddle_trace_buffer *next = atomic_load(&buffer->next);
		free_buffer(buffer);
		buffer = next;
	}
	atomic_store(&second->next, current);
	atomic_store(&second->state, HEDDLE_TRACE_EMPTY);
	traced->order = 0;
	traced->lost = false;
	traced->trace.dropped = traced->trace.waited = 0;
	traced->trace.ticks = traced->thread->last_ticks;
	begin(traced, current);
}

static void free_all(struct heddle_trace_thread *traced)
{
	struct heddle_trace_buffer *current = atomic_load(&traced->current), *buffer = atomic_load(&current->next);
	while (buffer != current) {
		struct heddle_trace_buffer *next = atomic_load(&buffer->next);
		free_buffer(buffer);
		buffer = next;
	}
	free_buffer(current);
	traced->thread->trace = NULL;
}

void heddle__trace_buffers_after_fork(void)
{
	struct heddle_trace_thread *traced = heddle__trace_threads(), *mine = NULL, *next;
	for (; traced; traced = next) {
		next = traced->next;
		if (traced->thread == heddle__thread_self())
			mine = traced;
		else
			free_all(traced);
	}
	atomic_store(&threads, mine);
	if (!mine)
		return;
	mine->next = NULL;
	keep_only_current(mine);
}
