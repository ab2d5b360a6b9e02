/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elapsed time of a thread. It is charged to the innermost region if that has a slot, whenever the shadow stack
 * changes; otherwise samples account for it. Listeners (core/threads/listeners.h) are notified before. This code must
 * not depend on which listeners there are.
 */
#ifndef HEDDLE_CORE_ELAPSED_H
#define HEDDLE_CORE_ELAPSED_H

#include "core/base/likely.h"
#include "core/threads/control.h"
#include "core/threads/shadow_stack.h"
#include "core/threads/thread.h"
#include "core/threads/trace.h"

/* True: all times come from events; false: from samples, except times of waits. Set once. Context: init. */
extern bool heddle__events_give_time;

/*
 * Returns the number of visits to count for an event that begins now, 1 or 0. Call it once for each event: measurement
 * may stop meanwhile, and what is counted must agree with what is recorded. Context: owner thread, inside.
 */
static inline uint64_t heddle__count_event(struct heddle_thread *thread)
{
	return thread->counted = heddle__events_are_counted();
}

/* The slot charged with elapsed time while `depth` entries are open and control is on; NULL: samples account for it. */
static inline struct heddle_slot *heddle__slot_at_depth(const struct heddle_thread *thread, uint32_t depth)
{
	return depth ? heddle__region_at(&thread->stack, depth - 1)->slot : thread->idle_slot;
}

static inline struct heddle_slot *heddle__innermost_slot(const struct heddle_thread *thread)
{
	return heddle__slot_at_depth(thread, thread->stack.depth);
}

/* Like heddle__innermost_slot(), for the writer. Context: any thread, signal, when frozen. */
static inline const struct heddle_slot *heddle__seen_slot(const struct heddle_thread *thread)
{
	const struct heddle_region *top = heddle__seen_innermost(&thread->stack);
	return top ? top->slot : thread->idle_slot;
}

/* Charge elapsed time up to `now` to `slot`; NULL: samples account for it. */
static inline void heddle__charge(struct heddle_thread *thread, struct heddle_slot *slot, uint64_t now)
{
	if (HEDDLE_UNLIKELY(now <= thread->last_ticks))
		return;
	if (slot)
		slot->value[HEDDLE_METRIC_WALL_TIME] += now - thread->last_ticks;
	thread->last_ticks = now;
}

/* Charge elapsed time up to `now`. Context: owner thread, inside; any thread when frozen. */
void heddle__charge_elapsed(struct heddle_thread *thread, uint64_t now);

/*
 * Returns the elapsed time to charge to a sample of `periods` periods and `cpu_ns` of CPU time, in ticks; 0 if an open
 * region is charged instead. Context: owner thread, inside.
 */
uint64_t heddle__elapsed_of_sample(struct heddle_thread *thread, uint64_t periods, uint64_t cpu_ns, uint64_t now);

/*
 * Called if the thread's tasks, which are still on its stack, ended at the tick `since`: charges elapsed time up to
 * `since`, and from then up to `now` as idle. Context: owner thread, inside.
 */
void heddle__charge_idle(struct heddle_thread *thread, uint64_t since, uint64_t now);

/* Record that the innermost entry was pushed (region: on the fast path), or entries (one: only one) were popped. */
static inline void heddle__record_region(struct heddle_thread *thread, const struct heddle_region *region)
{
	if (heddle__is_traced(thread))
		heddle__trace_push_entry(thread, region, false);
}

static inline void heddle__record_pop_one(struct heddle_thread *thread)
{
	if (heddle__is_traced(thread))
		heddle__trace_pop_one(thread);
}

static inline void heddle__record_push(struct heddle_thread *thread)
{
	if (heddle__is_traced(thread))
		heddle__trace_push(thread);
}

static inline void heddle__record_pop(struct heddle_thread *thread)
{
	if (heddle__is_traced(thread))
		heddle__trace_pop(thread, thread->stack.depth);
}

static inline void heddle__record_task(struct heddle_thread *thread, const struct heddle_region *task)
{
	if (heddle__is_traced(thread))
		heddle__trace_push_entry(thread, task, true);
}

/* Record that the innermost region was replaced by another, at the same tick. */
static inline void heddle__record_replaced(struct heddle_thread *thread, const struct heddle_region *region)
{
	if (heddle__is_traced(thread))
		heddle__trace_replace_region(thread, region);
}

/* ---- the fast path: only visits and elapsed time are charged ---- */

/* True if the fast path may be taken: control is on, there are no listeners, and reading the clock needs no call. */
static inline bool heddle__takes_fast_path(const struct heddle_thread *thread)
{
	return thread->special <= HEDDLE_SPECIAL_TRACE;
}

/*
 * From the measured tick `when` (0: now) on, elapsed time is charged to `after` instead of `before`. If both are NULL,
 * no time is charged, but a trace needs the tick.
 */
static inline void heddle__hand_over_at(
	struct heddle_thread *thread, struct heddle_slot *before, const struct heddle_slot *after, uint64_t when)
{
	heddle__record_before(thread);
	if (before || after || heddle__is_traced(thread))
		heddle__charge(thread, before, when ? when : heddle__fast_path_ticks());
}

static inline void heddle__hand_over(
	struct heddle_thread *thread, struct heddle_slot *before, const struct heddle_slot *after)
{
	heddle__hand_over_at(thread, before, after, 0);
}

/* ---- the slow path ---- */

static inline bool heddle__has_listeners(const struct heddle_thread *thread)
{
	return HEDDLE_UNLIKELY(thread->special & HEDDLE_SPECIAL_VALUES);
}

/* Notifies the listeners that `opened` is pushed next, or (NULL) that the innermost region changes otherwise. */
void heddle__notify_listeners(struct heddle_thread *thread, const struct heddle_region *opened);

static inline void heddle__notify_change(struct heddle_thread *thread, const struct heddle_region *opened)
{
	if (heddle__has_listeners(thread))
		heddle__notify_listeners(thread, opened);
}

/* Returns the measured tick of the change as a listener determines it, else `when` (0: now). */
uint64_t heddle__ask_listeners(
	struct heddle_thread *thread, uint32_t depth, const struct heddle_region *opened, uint64_t when);

static inline uint64_t heddle__tick_of_change(
	struct heddle_thread *thread, uint32_t depth, const struct heddle_region *opened, uint64_t when)
{
	uint64_t tick = heddle__has_listeners(thread) ? heddle__ask_listeners(thread, depth, opened, when) : when;
	return tick ? tick : heddle__measured_ticks();
}

/* The slow path of heddle__push. */
void heddle__charge_before_push(struct heddle_thread *thread, const struct heddle_region *opened, uint64_t when);

/* Returns the entry to be filled in and pushed next. */
static inline struct heddle_region *heddle__next_entry(struct heddle_thread *thread)
{
	if (HEDDLE_UNLIKELY(!heddle__stack_has_room(&thread->stack)))
		heddle__stack_grow(&thread->stack);
	return heddle__stack_next(&thread->stack);
}

/* Pushes the next entry, which is complete and is charged elapsed time from `when` on (0: now). False: no room. */
static inline bool heddle__push(struct heddle_thread *thread, const struct heddle_region *opened, uint64_t when)
{
	if (HEDDLE_UNLIKELY(!heddle__stack_has_room(&thread->stack))) {
		thread->stack.lost_depth++;
		return false;
	}
	if (HEDDLE_LIKELY(heddle__takes_fast_path(thread)))
		heddle__hand_over_at(thread, heddle__innermost_slot(thread), opened->slot, when);
	else
		heddle__charge_before_push(thread, opened, when);
	heddle__stack_push(&thread->stack);
	if (HEDDLE_LIKELY(opened->kind != HEDDLE_KIND_TASK && !thread->off))
		heddle__record_region(thread, opened);
	else
		heddle__record_push(thread);
	return true;
}

/* Pops all entries from `depth` on. From `when` on (0: now), elapsed time is charged to the new innermost entry. */
void heddle__pop_to(struct heddle_thread *thread, uint32_t depth, uint64_t when);

/* Pops the innermost entry, not a task's, on the fast path. False: nothing was done; heddle__pop_to must be called. */
static inline bool heddle__pop_fast(struct heddle_thread *thread)
{
	struct heddle_shadow_stack *stack = &thread->stack;
	if (HEDDLE_UNLIKELY(!heddle__takes_fast_path(thread) || stack->lost_depth))
		return false;
	heddle__hand_over(thread, heddle__innermost(stack)->slot, heddle__slot_at_depth(thread, stack->depth - 1));
	heddle__stack_pop(stack);
	heddle__record_pop_one(thread);
	return true;
}

/* Charges elapsed time up to now to the innermost region, before the stack changes below it. */
void heddle__charge_before_change(struct heddle_thread *thread);

/*
 * Sets the slot that is charged elapsed time while nothing is open; NULL: samples account for it. Context: owner
 * thread, inside.
 */
void heddle__set_idle(struct heddle_thread *thread, struct heddle_slot *slot);

/* Measured ticks of the calling thread, without those while its control was off. Context: owner thread, signal. */
uint64_t heddle__thread_ticks(void);

/* Like heddle__thread_ticks(), at an earlier tick `when`; inexact if control was switched since. Context: as above. */
uint64_t heddle__thread_ticks_at(uint64_t when);

/*
 * Switch the thread's control: the first returns the measured tick of the switch, as listeners determine it; the others
 * stop or resume elapsed time then. No open region may be deferred when it is resumed. Context: owner thread, inside.
 */
uint64_t heddle__tick_of_switch(struct heddle_thread *thread, bool on);
void heddle__stop_elapsed(struct heddle_thread *thread, uint64_t now);
void heddle__resume_elapsed(struct heddle_thread *thread, uint64_t now);

#endif
