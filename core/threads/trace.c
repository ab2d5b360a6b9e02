/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Encodes trace records. Must not allocate or take a lock. All is done by the owner thread, inside Heddle, so no signal
 * handler records at the same time.
 */
#include "core/threads/trace.h"
#include "core/threads/trace_encode.h"

#include <string.h>

#include "core/threads/control.h"
#include "core/threads/elapsed.h"
#include "core/tree/tree.h"

#define MOST_ENTRY 5 /* bytes of an entry in a STACK record */

bool heddle__tracing;
void (*heddle__trace_full)(struct heddle_thread *thread, struct heddle_trace *trace);
void (*heddle__trace_offset)(const struct heddle_trace_offset *offset);
void (*heddle__trace_group)(const struct heddle_trace_group *group);

/* ---- room ---- */

/* Returns the ticks since the last record that advanced the time, as this one does. */
static inline uint64_t advance_to(struct heddle_trace *trace, uint64_t ticks)
{
	uint64_t passed = ticks > trace->ticks ? ticks - trace->ticks : 0;
	trace->ticks += passed;
	return passed;
}

static inline uint64_t advance(const struct heddle_thread *thread, struct heddle_trace *trace)
{
	return advance_to(trace, thread->last_ticks);
}

static inline uint64_t entry_of(uint32_t node, const struct heddle_slot *slot)
{
	return (uint64_t)node << 1 | (slot ? 1 : 0);
}

static inline uint64_t entry(const struct heddle_region *region)
{
	return region->deferred ? 0 : entry_of(region->node, region->slot);
}

/* The number of entries that are recorded of a stack of that depth. */
static inline uint32_t recorded(const struct heddle_trace *trace, uint32_t depth)
{
	return depth < trace->most ? depth : trace->most;
}

static void put_mark(struct heddle_trace *trace, uint64_t passed, enum heddle_trace_mark mark, uint64_t value)
{
	heddle__trace_publish(trace,
		heddle__trace_put_leb(
			heddle__trace_timed(heddle__trace_position(trace), HEDDLE_TRACE_MARK, passed, mark), value));
}

/* There must be room for the entries. */
static void put_stack(struct heddle_thread *thread, struct heddle_trace *trace, uint32_t from)
{
	uint32_t depth = recorded(trace, thread->stack.depth);
	uint8_t *at =
		heddle__trace_timed(heddle__trace_position(trace), HEDDLE_TRACE_STACK, advance(thread, trace), from);
	at = heddle__trace_put_leb(at, depth - from);
	for (uint32_t i = from; i < depth; i++)
		at = heddle__trace_put_leb(at, entry(heddle__region_at(&thread->stack, i)));
	trace->depth = depth;
	heddle__trace_publish(trace, at);
}

static void put_idle(struct heddle_thread *thread, struct heddle_trace *trace)
{
	const struct heddle_slot *slot = thread->idle_slot;
	uint64_t value = slot ? entry_of(slot->node, slot) : 0;
	heddle__trace_publish(trace,
		heddle__trace_timed(heddle__trace_position(trace), HEDDLE_TRACE_IDLE, advance(thread, trace), value));
}

/* Puts the first records of a chunk, or those after a pause or a loss: the state that later ones build on. */
static void put_state(struct heddle_thread *thread, struct heddle_trace *trace)
{
	trace->fresh = atomic_load_explicit(&heddle__pause_count, memory_order_acquire);
	uint64_t clock = atomic_load_explicit(&heddle__measured_clock, memory_order_relaxed);
	if (trace->goes_off)
		put_mark(trace, advance_to(trace, trace->off_since), HEDDLE_TRACE_OFF, 0);
	put_stack(thread, trace, 0);
	put_idle(thread, trace);
	if (trace->goes_off || trace->off)
		put_mark(trace, 0, HEDDLE_TRACE_ON, 0);
	if (trace->waited)
		put_mark(trace, 0, HEDDLE_TRACE_WAITED, trace->waited);
	if (trace->dropped)
		put_mark(trace, 0, HEDDLE_TRACE_DROPPED, trace->dropped);
	if (!(clock & 1) && clock >> 1 != trace->paused) {
		trace->paused = clock >> 1;
		put_mark(trace, 0, HEDDLE_TRACE_PAUSED, trace->paused);
	}
	trace->waited = trace->dropped = 0;
	trace->off = trace->goes_off = false;
}

/* True if the buffer has room for a record, or for the whole stack. */
static bool fits(const struct heddle_trace *trace, bool whole)
{
	size_t size = whole ? (size_t)trace->most * MOST_ENTRY + HEDDLE_TRACE_LONGEST : 0;
	return heddle__trace_position(trace) + size < trace->limit;
}

/* True if the clock is stopped, by a pause or at the end. A sample or event that had begun by then is still counted. */
static inline bool is_stopped(void)
{
	uint8_t state = atomic_load_explicit(&heddle__run_state, memory_order_relaxed);
	if (HEDDLE_LIKELY(state == HEDDLE_RUNNING))
		return false;
	return state != HEDDLE_OFF && atomic_load_explicit(&heddle__measured_clock, memory_order_relaxed) & 1;
}

static bool is_counted_now(const struct heddle_thread *thread)
{
	return !thread->off && heddle__events_are_counted();
}

/* Makes room for a record, and brings the recorded stack up to date. False: there is no room. */
static bool make_room(struct heddle_thread *thread, struct heddle_trace *trace)
{
	if (!fits(trace, heddle__trace_is_stale(trace)))
		heddle__trace_full(thread, trace);
	if (!fits(trace, heddle__trace_is_stale(trace)))
		return false;
	if (heddle__trace_is_stale(trace))
		put_state(thread, trace);
	return true;
}

static bool is_paused(const struct heddle_thread *thread)
{
	return is_stopped() && !thread->off;
}

__attribute__((noinline, cold)) bool heddle__trace_prepare(struct heddle_thread *thread, struct heddle_trace *trace)
{
	bool counts = is_counted_now(thread), fit = counts && make_room(thread, trace);
	if (!fit)
		trace->fresh = 0;
	trace->dropped += counts && !fit;
	return fit;
}

bool heddle__trace_make_ready_for_visit(struct heddle_thread *thread, struct heddle_trace *trace)
{
	bool overtaken = thread->counted && is_paused(thread);
	return overtaken ? make_room(thread, trace) : heddle__trace_make_ready(thread, trace);
}

static bool is_measuring(void)
{
	return atomic_load_explicit(&heddle__run_state, memory_order_relaxed) != HEDDLE_OFF;
}

/* During a pause, changes are not recorded, but the time before it may still have to be charged. */
void heddle__trace_catch_up(struct heddle_thread *thread)
{
	if (is_counted_now(thread) || (is_paused(thread) && heddle__measured_ticks() > thread->last_ticks))
		make_room(thread, thread->trace);
}

/* Like heddle__trace_make_ready(), for a change of the stack, which may charge time from before a pause only now. */
static inline bool is_ready_for_change(struct heddle_thread *thread, struct heddle_trace *trace)
{
	if (HEDDLE_UNLIKELY(is_paused(thread) && thread->last_ticks > trace->ticks))
		return make_room(thread, trace);
	return heddle__trace_make_ready(thread, trace);
}

/*
 * Like heddle__trace_make_ready(), for a value. Values are also counted while measurement is paused or the thread is
 * off: they belong to what was measured before. Then the stack is not recorded, except as the first record of a chunk,
 * which must be complete.
 */
static inline bool is_ready_for_value(struct heddle_thread *thread, struct heddle_trace *trace)
{
	if (HEDDLE_LIKELY(!is_paused(thread) && !thread->off))
		return heddle__trace_make_ready(thread, trace);
	if (thread->off)
		return trace->count && heddle__trace_position(trace) < trace->limit && is_measuring();
	return make_room(thread, trace);
}

void heddle__trace_restart(struct heddle_trace *trace, uint8_t *buffer, size_t size)
{
	trace->buffer = buffer;
	trace->limit = buffer + size - HEDDLE_TRACE_LONGEST;
	trace->most = (uint32_t)(size / 4 / MOST_ENTRY);
	trace->count = 0;
	trace->first = trace->ticks;
	trace->first_paused = trace->paused;
	trace->node = 0;
	trace->lock = 0;
	trace->visited = trace->repeats = NULL;
	trace->fresh = 0;
	atomic_store_explicit(&trace->at, buffer, memory_order_release);
}

void heddle__trace_attach(struct heddle_thread *thread, struct heddle_trace *trace)
{
	uint64_t clock = atomic_load_explicit(&heddle__measured_clock, memory_order_relaxed);
	if (trace && heddle__trace_position(trace) == trace->buffer) {
		trace->ticks = trace->first = thread->last_ticks;
		trace->paused = trace->first_paused = clock & 1 ? trace->paused : clock >> 1;
	}
	thread->trace = trace;
	heddle__update_special(thread);
}

/* ---- records ---- */

/* True if the entry was counted when it was pushed: not for a task, a deferred entry, or a pause. */
static inline bool is_visit(const struct heddle_thread *thread, const struct heddle_region *region)
{
	return region->kind != HEDDLE_KIND_TASK && !region->deferred && thread->counted;
}

void heddle__trace_push(struct heddle_thread *thread)
{
	struct heddle_trace *trace = thread->trace;
	uint32_t depth = thread->stack.depth;
	const struct heddle_region *region = heddle__region_at(&thread->stack, depth - 1);
	if (!(is_visit(thread, region) ? heddle__trace_make_ready_for_visit(thread, trace)
				       : is_ready_for_change(thread, trace)))
		return;
	if (HEDDLE_UNLIKELY(trace->depth + 1 != depth ||
			    depth > trace->most)) { /* too deep, or in the stack that was just recorded */
		if (trace->depth < recorded(trace, depth))
			put_stack(thread, trace, trace->depth);
		if (is_visit(thread, region))
			heddle__trace_put_visit(trace, heddle__trace_since(trace, thread->last_ticks), region->node);
		return;
	}
	uint64_t passed = advance(thread, trace);
	trace->depth = depth;
	if (HEDDLE_LIKELY(is_visit(thread, region))) {
		enum heddle_trace_kind kind = region->slot ? HEDDLE_TRACE_BEGIN : HEDDLE_TRACE_BEGIN_UNTIMED;
		trace->node = region->node;
		heddle__trace_publish(
			trace, heddle__trace_timed(heddle__trace_position(trace), kind, passed, region->node));
	} else {
		heddle__trace_publish(trace,
			heddle__trace_timed(heddle__trace_position(trace), HEDDLE_TRACE_OPEN, passed, entry(region)));
	}
}

void heddle__trace_pop(struct heddle_thread *thread, uint32_t depth)
{
	struct heddle_trace *trace = thread->trace;
	if (!is_ready_for_change(thread, trace) || trace->depth <= depth)
		return;
	uint64_t passed = advance(thread, trace);
	bool one = trace->depth == depth + 1;
	trace->depth = depth;
	if (HEDDLE_LIKELY(one)) {
		uint8_t *at = heddle__trace_position(trace);
		unsigned int wide = heddle__trace_width(passed);
		*at = (uint8_t)(HEDDLE_TRACE_END | wide << 4);
		heddle__trace_publish(trace, heddle__trace_put_word(at + 1, passed) + ((size_t)1 << wide));
	} else {
		heddle__trace_publish(trace, heddle__trace_put_leb(heddle__trace_timed(heddle__trace_position(trace),
									   HEDDLE_TRACE_STACK, passed, depth),
						     0));
	}
}

void heddle__trace_idles(struct heddle_thread *thread)
{
	heddle__trace_pop(thread, 0);
	thread->trace->fresh = 0;
}

void heddle__trace_stack(struct heddle_thread *thread, uint32_t index)
{
	struct heddle_trace *trace = thread->trace;
	uint32_t from = trace->depth < index ? trace->depth : index;
	if (!fits(trace, true))
		trace->fresh = 0;
	bool whole = heddle__trace_is_stale(trace);
	if (is_ready_for_change(thread, trace) && !whole)
		put_stack(thread, trace, from);
}

void heddle__trace_off(struct heddle_thread *thread)
{
	struct heddle_trace *trace = thread->trace;
	if (heddle__trace_make_ready(thread, trace)) {
		put_mark(trace, advance(thread, trace), HEDDLE_TRACE_OFF, 0);
		trace->off = true;
	} else if (!trace->goes_off) {
		trace->goes_off = true;
		trace->off_since = thread->last_ticks;
	}
}

void heddle__trace_on(struct heddle_thread *thread)
{
	thread->trace->fresh = 0;
	heddle__trace_catch_up(thread);
}

void heddle__trace_idle(struct heddle_thread *thread)
{
	struct heddle_trace *trace = thread->trace;
	if (is_ready_for_change(thread, trace))
		put_idle(thread, trace);
}

void heddle__trace_sample(struct heddle_thread *thread, uint64_t now, uint32_t node, uint64_t periods, uint64_t cpu_ns,
	uint64_t wall_ticks)
{
	struct heddle_trace *trace = thread->trace;
	if (!is_ready_for_value(thread, trace))
		return;
	uint8_t *at = heddle__trace_timed(
		heddle__trace_position(trace), HEDDLE_TRACE_SAMPLE, heddle__trace_since(trace, now), node);
	trace->node = node;
	heddle__trace_publish(trace,
		heddle__trace_put_leb(heddle__trace_put_leb(heddle__trace_put_leb(at, periods), cpu_ns), wall_ticks));
}

/* Puts a record without time that belongs to `node`; its operand gets the bit `explicit` if the node must be named. */
static uint8_t *of_node(
	struct heddle_trace *trace, enum heddle_trace_kind kind, uint64_t operand, uint64_t explicit, uint32_t node)
{
	bool same = node == trace->node;
	uint8_t *at = heddle__trace_untimed(heddle__trace_position(trace), kind, operand | (same ? 0 : explicit));
	trace->node = node;
	return same ? at : heddle__trace_put_leb(at, node);
}

void heddle__trace_add(struct heddle_thread *thread, uint32_t node, uint32_t metric, uint64_t amount)
{
	struct heddle_trace *trace = thread->trace;
	if (is_ready_for_value(thread, trace))
		heddle__trace_publish(
			trace, heddle__trace_put_leb(
				       of_node(trace, HEDDLE_TRACE_ADD, (uint64_t)metric << 1, 1, node), amount));
}

__attribute__((noinline)) static void distribute_slow(
	struct heddle_thread *thread, uint32_t node, uint32_t argument, uint32_t text, double value)
{
	struct heddle_trace *trace = thread->trace;
	if (!is_ready_for_value(thread, trace))
		return;
	uint8_t *at =
		heddle__trace_put_leb(of_node(trace, HEDDLE_TRACE_DISTRIBUTE, (uint64_t)argument << 1, 1, node), text);
	memcpy(at, &value, sizeof(value));
	heddle__trace_publish(trace, at + sizeof(value));
}

/* Records a value. Short if it belongs to the last node, and its argument and text take a byte each. */
void heddle__trace_distribute(
	struct heddle_thread *thread, uint32_t node, uint32_t argument, uint32_t text, double value)
{
	struct heddle_trace *trace = thread->trace;
	uint8_t *at = heddle__trace_position(trace);
	bool small = node == trace->node && (argument | text) < 0x80;
	if (HEDDLE_UNLIKELY(!small || thread->off || !heddle__trace_is_ready(trace, at))) {
		distribute_slow(thread, node, argument, text, value);
		return;
	}
	uint32_t head = HEDDLE_TRACE_DISTRIBUTE | argument << 9 | text << 16;
	memcpy(at, &head, sizeof(head));
	memcpy(at + 3, &value, sizeof(value));
	heddle__trace_prefetch(at);
	heddle__trace_publish(trace, at + 3 + sizeof(value));
}

void heddle__trace_access(
	struct heddle_thread *thread, uint32_t node, uint32_t operand, int64_t partner, uint64_t bytes)
{
	struct heddle_trace *trace = thread->trace;
	if (!is_ready_for_value(thread, trace))
		return;
	uint8_t *at = of_node(trace, HEDDLE_TRACE_ACCESS, operand, HEDDLE_TRACE_ACCESS_EXPLICIT, node);
	heddle__trace_publish(trace, heddle__trace_put_leb(heddle__trace_put_leb(at, (uint64_t)(partner + 1)), bytes));
}

void heddle__trace_attribute(struct heddle_thread *thread, enum heddle_trace_attribute attribute, uint64_t value)
{
	struct heddle_trace *trace = thread->trace;
	if (heddle__trace_make_ready(thread, trace))
		heddle__trace_publish(trace, heddle__trace_put_leb(heddle__trace_untimed(heddle__trace_position(trace),
									   HEDDLE_TRACE_ATTRIBUTE, attribute),
						     value));
}

void heddle__trace_mark(struct heddle_thread *thread, enum heddle_trace_mark mark, uint64_t value)
{
	struct heddle_trace *trace = thread->trace;
	if (heddle__trace_make_ready(thread, trace))
		put_mark(trace, advance(thread, trace), mark, value);
}
