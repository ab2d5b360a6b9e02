/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records a thread's events in its trace buffer (format/trace.h). Only a thread with HEDDLE_SPECIAL_TRACE records. The
 * functions below are called after a change of its shadow stack, or of its values, and record it as of
 * `thread->last_ticks`. core/trace registers `heddle__trace_full`, which writes full buffers.
 *
 * Context of all: owner thread, inside.
 */
#ifndef HEDDLE_CORE_TRACE_H
#define HEDDLE_CORE_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/likely.h"
#include "core/threads/control.h"
#include "core/threads/thread.h"
#include "format/trace.h"

/* Greatest size of a record of fixed size, in bytes. */
#define HEDDLE_TRACE_LONGEST 64

/* The least size of a buffer, in bytes. */
#define HEDDLE_TRACE_LEAST 4096

/*
 * The trace of a thread. Only the owner changes it, except when frozen at the end. If the stack is so deep that it
 * would fill much of a buffer, only its outermost entries are recorded.
 */
struct heddle_trace {
	uint8_t *_Atomic at; /* next byte; published, so that others may read up to it */
	uint8_t *limit;      /* no record begins here or later; HEDDLE_TRACE_LONGEST before the buffer's end */
	uint64_t ticks;      /* of the last record that advanced the time */
	uint64_t count;      /* records in this buffer */
	uint32_t depth;      /* entries of the stack, as recorded */
	uint32_t most;       /* entries that may be recorded */
	uint32_t node;       /* of the last record that named one */
	uint64_t lock;       /* the last one that a NUMBER named in this buffer; 0: none */
	uint8_t *visited;    /* end of the last record of a visit that may be repeated; not in this buffer: none */
	uint8_t *repeats;    /* end of the record that counts how often; not in this buffer: none */
	uint32_t fresh; /* heddle__pause_count at the last STACK record; 0: the stack has changed since: it is stale */
	bool off;       /* the recorded thread is off */
	bool goes_off;  /* it went off at `off_since`, which is not yet recorded */
	uint64_t off_since;
	uint64_t paused;       /* ticks of pauses, as recorded */
	uint64_t first_paused; /* `paused` where the buffer begins */
	uint64_t dropped;      /* records dropped since the last one */
	uint64_t waited;       /* ticks that the thread waited for a buffer; recorded next */
	uint8_t *buffer;       /* where the chunk's records begin */
	uint64_t first;        /* tick from which its times count */
	void *owner;           /* of core/trace */
};

/* True if this process records traces. Set once. Context: init. */
extern bool heddle__tracing;

/*
 * Called if there is no room for a record: hands the buffer over and provides another by heddle__trace_restart, or
 * waits for one, or else leaves `at` at `limit`: then the record is dropped, and counted in `dropped`. It records
 * nothing. Set by core/trace. Context: owner thread, inside.
 */
extern void (*heddle__trace_full)(struct heddle_thread *thread, struct heddle_trace *trace);

/*
 * Begins a chunk in an empty buffer of `size` bytes, at least HEDDLE_TRACE_LEAST. Its first record will be the whole
 * stack, as it is then.
 */
void heddle__trace_restart(struct heddle_trace *trace, uint8_t *buffer, size_t size);

/* Sets what a thread that has just begun, or ends, records into: a restarted trace, or NULL for nothing. */
void heddle__trace_attach(struct heddle_thread *thread, struct heddle_trace *trace);

/* Stores a measured offset of this host's clock. NULL: it is not stored. Set by core/trace. Context: any thread. */
extern void (*heddle__trace_offset)(const struct heddle_trace_offset *offset);

/* Stores a group. NULL: it is not stored. Set by core/trace. Context: any thread. */
extern void (*heddle__trace_group)(const struct heddle_trace_group *group);

static inline bool heddle__is_traced(const struct heddle_thread *thread)
{
	return HEDDLE_UNLIKELY(thread->special & HEDDLE_SPECIAL_TRACE);
}

/* Records what a pause or a loss left unrecorded, before a change of the stack that charges elapsed time. */
void heddle__trace_catch_up(struct heddle_thread *thread);

/* True if a STACK record is needed before any other: of the real stack, or since there was a pause. */
static inline bool heddle__trace_is_stale(const struct heddle_trace *trace)
{
	return trace->fresh != atomic_load_explicit(&heddle__pause_count, memory_order_relaxed);
}

static inline void heddle__record_before(struct heddle_thread *thread)
{
	if (heddle__is_traced(thread) && HEDDLE_UNLIKELY(heddle__trace_is_stale(thread->trace)))
		heddle__trace_catch_up(thread);
}

/* ---- records; only if heddle__is_traced ---- */

/* The innermost entry was pushed. */
void heddle__trace_push(struct heddle_thread *thread);

/* All entries from `depth` on are popped, or will be. */
void heddle__trace_pop(struct heddle_thread *thread, uint32_t depth);

/* From the last record on, the thread is idle, though ended tasks' entries are open; the next record has them again. */
void heddle__trace_idles(struct heddle_thread *thread);

/* Entries from `index` on changed in another way, without visits. */
void heddle__trace_stack(struct heddle_thread *thread, uint32_t index);

/* The thread's control will be switched off, as of `last_ticks`; or was switched on. */
void heddle__trace_off(struct heddle_thread *thread);
void heddle__trace_on(struct heddle_thread *thread);

/* A visit without duration at the measured tick `when` (0: now). */
void heddle__trace_visit(struct heddle_thread *thread, uint32_t node, uint64_t when);

/*
 * Like heddle__trace_visit(), for an event that a thread may have many times in a row, such as in a loop that waits:
 * heddle__trace_repeat counts further ones, as long as there is no other record.
 */
void heddle__trace_visit_repeated(struct heddle_thread *thread, uint32_t node, uint64_t when);

/* A further visit of that kind. It has the time of the first one, so no clock is read. False: nothing was done. */
bool heddle__trace_repeat(struct heddle_thread *thread, uint32_t node);

/* A visit, and a number of the event. */
void heddle__trace_visit_numbered(
	struct heddle_thread *thread, uint32_t node, uint64_t when, enum heddle_trace_number which, uint32_t number);

/* The slot that is charged while nothing is open has changed. */
void heddle__trace_idle(struct heddle_thread *thread);

/* A sample at the measured tick `now`. */
void heddle__trace_sample(struct heddle_thread *thread, uint64_t now, uint32_t node, uint64_t periods, uint64_t cpu_ns,
	uint64_t wall_ticks);

void heddle__trace_add(struct heddle_thread *thread, uint32_t node, uint32_t metric, uint64_t amount);
void heddle__trace_distribute(
	struct heddle_thread *thread, uint32_t node, uint32_t argument, uint32_t text, double value);

/* `operand` as in format/trace.h, without HEDDLE_TRACE_ACCESS_EXPLICIT; partner -1: unknown. */
void heddle__trace_access(
	struct heddle_thread *thread, uint32_t node, uint32_t operand, int64_t partner, uint64_t bytes);
void heddle__trace_attribute(struct heddle_thread *thread, enum heddle_trace_attribute attribute, uint64_t value);
void heddle__trace_mark(struct heddle_thread *thread, enum heddle_trace_mark mark, uint64_t value);

/* A message at the measured tick `when`; numbers as in format/trace.h. */
struct heddle_trace_numbers {
	uint32_t group, partner, tag;
	uint64_t bytes, request;
};
void heddle__trace_message(struct heddle_thread *thread, enum heddle_trace_message message, uint64_t when,
	const struct heddle_trace_numbers *numbers);

/* Like heddle__trace_attribute(), for attributes that have a short record. */
void heddle__trace_number_slow(struct heddle_thread *thread, enum heddle_trace_number which, uint64_t number);
void heddle__trace_lock_slow(struct heddle_thread *thread, uint64_t lock);

/* A task was pushed, in the context of its creation; its begin is a visit of `node`, a child of that context. */
void heddle__trace_task_begin(struct heddle_thread *thread, const struct heddle_region *task, uint32_t node);

/* The task `ended` was popped, and the task `next`, in which it began, continues. Both are names. */
void heddle__trace_task_return(struct heddle_thread *thread, uint64_t ended, uint64_t next);

/* Maps an address to a number of 4 bytes that is probably unique among addresses of the same kind. */
static inline uint32_t heddle__trace_number_of(uint64_t address)
{
	return (uint32_t)(address >> 3 ^ address >> 35);
}

/* ---- records whose common case is inline ---- */

/*
 * Fetches the cache line of the records behind `at` early: otherwise the program would wait for it at the next atomic
 * instruction or fence (a lock, a flush). It may lie behind the buffer.
 */
static inline void heddle__trace_prefetch(const uint8_t *at)
{
#if defined(__x86_64__)
	__asm__ volatile("prefetchw 192(%0)" : : "r"(at)); /* the builtin has it only for newer processors */
#else
	__builtin_prefetch(at + 192, 1);
#endif
}

/* Stores a record of at most 8 bytes as one word, of which `size` bytes count. */
static inline void heddle__trace_store(struct heddle_trace *trace, uint8_t *at, uint64_t word, unsigned int size)
{
	__builtin_memcpy(at, &word, sizeof(word));
	heddle__trace_prefetch(at);
	trace->count++;
	atomic_store_explicit(&trace->at, at + size, memory_order_release);
}

/* True if a record may be stored at once: there is room, and nothing to be recorded before it. Control is on. */
static inline bool heddle__trace_is_ready(const struct heddle_trace *trace, const uint8_t *at)
{
	return HEDDLE_LIKELY(at < trace->limit && !heddle__trace_is_stale(trace) && heddle__events_are_counted());
}

/* Returns a record with a time and a node of at most 2 bytes each. */
static inline uint64_t heddle__trace_word(uint32_t kind, uint64_t passed, uint32_t node, unsigned int *size)
{
	unsigned int wide_time = passed > UINT8_MAX, wide_node = node > UINT8_MAX;
	*size = 3 + wide_time + wide_node;
	return kind | wide_time << 4 | wide_node << 6 | passed << 8 | (uint64_t)node << (16 + 8 * wide_time);
}

/* A region that was counted (or a task) was pushed on the fast path. */
static inline void heddle__trace_push_entry(
	struct heddle_thread *thread, const struct heddle_region *region, bool is_task)
{
	struct heddle_trace *trace = thread->trace;
	uint8_t *at = atomic_load_explicit(&trace->at, memory_order_relaxed);
	uint64_t passed = thread->last_ticks - trace->ticks;
	uint32_t timed = region->slot ? 1 : 0, depth = thread->stack.depth;
	uint32_t node = is_task ? region->node << 1 | timed : region->node;
	bool small = (passed | node) <= UINT16_MAX && trace->depth + 1 == depth && depth <= trace->most;
	if (HEDDLE_UNLIKELY(!small || !heddle__trace_is_ready(trace, at))) {
		heddle__trace_push(thread);
		return;
	}
	unsigned int size;
	uint32_t counted = timed ? HEDDLE_TRACE_BEGIN : HEDDLE_TRACE_BEGIN_UNTIMED;
	uint32_t kind = is_task ? HEDDLE_TRACE_OPEN : counted;
	trace->ticks = thread->last_ticks;
	trace->depth = depth;
	if (!is_task)
		trace->node = node;
	uint64_t word = heddle__trace_word(kind, passed, node, &size);
	heddle__trace_store(trace, at, word, size);
}

/* One entry was popped on the fast path. */
static inline void heddle__trace_pop_one(struct heddle_thread *thread)
{
	struct heddle_trace *trace = thread->trace;
	uint8_t *at = atomic_load_explicit(&trace->at, memory_order_relaxed);
	uint64_t passed = thread->last_ticks - trace->ticks;
	uint32_t depth = thread->stack.depth;
	bool small = passed <= UINT16_MAX && trace->depth == depth + 1;
	if (HEDDLE_UNLIKELY(!small || !heddle__trace_is_ready(trace, at))) {
		heddle__trace_pop(thread, depth);
		return;
	}
	unsigned int wide = passed > UINT8_MAX;
	trace->ticks = thread->last_ticks;
	trace->depth = depth;
	heddle__trace_store(trace, at, HEDDLE_TRACE_END | wide << 4 | passed << 8, 2 + wide);
}

/* An access. Short if it belongs to the last node, and its partner and size take a byte each. */
static inline void heddle__record_access(
	struct heddle_thread *thread, uint32_t node, uint32_t operand, int64_t partner, uint64_t bytes)
{
	struct heddle_trace *trace = thread->trace;
	uint8_t *at = atomic_load_explicit(&trace->at, memory_order_relaxed);
	uint64_t number = (uint64_t)(partner + 1);
	if (HEDDLE_LIKELY(node == trace->node && (number | bytes) < 0x80 && heddle__trace_is_ready(trace, at)))
		heddle__trace_store(trace, at, HEDDLE_TRACE_ACCESS | operand << 8 | number << 16 | bytes << 24, 4);
	else
		heddle__trace_access(thread, node, operand, partner, bytes);
}

/* The innermost region was replaced by another one, which was counted, at the same tick: an END and a BEGIN. */
static inline void heddle__trace_replace_region(struct heddle_thread *thread, const struct heddle_region *region)
{
	struct heddle_trace *trace = thread->trace;
	uint8_t *at = atomic_load_explicit(&trace->at, memory_order_relaxed);
	uint64_t passed = thread->last_ticks - trace->ticks;
	uint32_t node = region->node, depth = thread->stack.depth;
	bool small = (passed | node) <= UINT16_MAX && trace->depth == depth && depth <= trace->most;
	if (HEDDLE_UNLIKELY(!small || !heddle__trace_is_ready(trace, at))) {
		heddle__trace_pop(thread, depth - 1);
		heddle__trace_push(thread);
		return;
	}
	unsigned int size, wide = passed > UINT8_MAX;
	uint32_t kind = region->slot ? HEDDLE_TRACE_BEGIN : HEDDLE_TRACE_BEGIN_UNTIMED;
	uint64_t begins = heddle__trace_word(kind, 0, node, &size);
	trace->ticks = thread->last_ticks;
	trace->node = node;
	trace->count++;
	heddle__trace_store(
		trace, at, HEDDLE_TRACE_END | wide << 4 | passed << 8 | begins << (16 + 8 * wide), 2 + wide + size);
}

/* Returns a NUMBER record with one byte, or else 4. */
static inline uint64_t heddle__trace_number_word(enum heddle_trace_number which, uint32_t number, unsigned int *size)
{
	unsigned int wide = number > UINT8_MAX ? 2 : 0;
	*size = wide ? 5 : 2;
	return HEDDLE_TRACE_NUMBER | (unsigned int)which << 4 | wide << 6 | (uint64_t)number << 8;
}

/* An attribute of the record before. */
static inline void heddle__record_number(struct heddle_thread *thread, enum heddle_trace_number which, uint32_t number)
{
	if (!heddle__is_traced(thread))
		return;
	struct heddle_trace *trace = thread->trace;
	uint8_t *at = atomic_load_explicit(&trace->at, memory_order_relaxed);
	unsigned int size;
	uint64_t word = heddle__trace_number_word(which, number, &size);
	if (HEDDLE_LIKELY(heddle__trace_is_ready(trace, at) && !thread->off))
		heddle__trace_store(trace, at, word, size);
	else
		heddle__trace_number_slow(thread, which, number);
}

/* The lock of the record before, by its number. */
static inline void heddle__record_lock(struct heddle_thread *thread, uint64_t lock)
{
	if (!heddle__is_traced(thread))
		return;
	struct heddle_trace *trace = thread->trace;
	uint8_t *at = atomic_load_explicit(&trace->at, memory_order_relaxed);
	uint64_t shown = lock == trace->lock ? 0 : lock;
	unsigned int size;
	uint64_t word = heddle__trace_number_word(HEDDLE_TRACE_NUMBER_LOCK, (uint32_t)shown, &size);
	bool ready = lock && shown <= UINT32_MAX && heddle__trace_is_ready(trace, at) && !thread->off;
	if (HEDDLE_UNLIKELY(!ready)) {
		heddle__trace_lock_slow(thread, lock);
		return;
	}
	trace->lock = lock;
	heddle__trace_store(trace, at, word, size);
}

/* ---- values of the calling thread, counted and recorded ---- */

/* Like heddle__slot_add(). */
static inline void heddle__add(struct heddle_slot *slot, uint32_t metric, uint64_t amount)
{
	struct heddle_thread *thread;
	heddle__slot_add(slot, metric, amount);
	if (HEDDLE_UNLIKELY(heddle__tracing) && (thread = heddle__thread_self()) && heddle__is_traced(thread))
		heddle__trace_add(thread, slot->node, metric, amount);
}

/* Records what heddle__slot_distribute, or heddle__distribution_add, counts. */
static inline void heddle__record_value(struct heddle_slot *slot, uint32_t argument, uint32_t text, double value)
{
	struct heddle_thread *thread;
	if (HEDDLE_UNLIKELY(heddle__tracing) && (thread = heddle__thread_self()) && heddle__is_traced(thread))
		heddle__trace_distribute(thread, slot->node, argument, text, value);
}

/* Like heddle__slot_distribute(). */
static inline void heddle__distribute(struct heddle_slot *slot, uint32_t argument, uint32_t text, double value)
{
	heddle__slot_distribute(slot, argument, text, value);
	heddle__record_value(slot, argument, text, value);
}

/* Like heddle__slot_distribute_size(). */
static inline void heddle__distribute_size(struct heddle_slot *slot, uint64_t size)
{
	heddle__slot_distribute_size(slot, size);
	heddle__record_value(slot, 0, 0, (double)size);
}

#endif
