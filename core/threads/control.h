/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measurement control: whether measurement is on, and the clock that stops while it is paused.
 */
#ifndef HEDDLE_CORE_CONTROL_H
#define HEDDLE_CORE_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/clock.h"
#include "core/base/likely.h"

enum heddle_run_state {
	HEDDLE_OFF, /* not started, ended, or impossible */
	HEDDLE_RUNNING,
	HEDDLE_PAUSED, /* by heddle_stop or HEDDLE_START_PAUSED */
	HEDDLE_FROZEN, /* the writer is reading: samples become pending, events are still counted */
};

extern _Atomic uint8_t heddle__run_state;

/*
 * The measured clock in one word, so that readers never see a switch half done. While it runs: twice the ticks to
 * subtract (those spent paused); while it is stopped: twice the measured ticks, plus one.
 */
extern _Atomic uint64_t heddle__measured_clock;

/* Pauses that have ended, and 1. Changes before events are counted again. */
extern _Atomic uint32_t heddle__pause_count;

/* Context: any thread, signal. */
static inline bool heddle__running(void)
{
	return atomic_load_explicit(&heddle__run_state, memory_order_relaxed) == HEDDLE_RUNNING;
}

/*
 * True if events are counted: while running, and while frozen, since the writer reads each value either before or after
 * an event. Context: any thread, signal.
 */
static inline bool heddle__events_are_counted(void)
{
	uint8_t state = atomic_load_explicit(&heddle__run_state, memory_order_relaxed);
	if (HEDDLE_LIKELY(state == HEDDLE_RUNNING))
		return true;
	return state == HEDDLE_FROZEN && !(atomic_load_explicit(&heddle__measured_clock, memory_order_relaxed) & 1);
}

/* True if the writer reads with the clock stopped: at the end, the values that threads have then are the last ones. */
static inline bool heddle__is_read_at_rest(void)
{
	return atomic_load_explicit(&heddle__run_state, memory_order_relaxed) == HEDDLE_FROZEN &&
	       atomic_load_explicit(&heddle__measured_clock, memory_order_relaxed) & 1;
}

/* Measured ticks since the start. Context: any thread, signal. */
static inline uint64_t heddle__measured_ticks(void)
{
	uint64_t clock = atomic_load_explicit(&heddle__measured_clock, memory_order_relaxed);
	if (HEDDLE_UNLIKELY(clock & 1))
		return clock >> 1;
	return heddle__ticks() - (clock >> 1);
}

/*
 * Like heddle__measured_ticks(), on the fast path (heddle__takes_fast_path in core/threads/elapsed.h), on which reading
 * the clock needs no call.
 */
static inline uint64_t heddle__fast_path_ticks(void)
{
#if HEDDLE_MAY_HAVE_TSC
	uint64_t clock = atomic_load_explicit(&heddle__measured_clock, memory_order_relaxed);
	return HEDDLE_UNLIKELY(clock & 1) ? clock >> 1 : heddle__tsc() - (clock >> 1);
#else
	return heddle__measured_ticks();
#endif
}

/*
 * Switch between RUNNING and PAUSED; if FROZEN, with effect after the thaw. No effect if OFF. Context: any thread,
 * signal.
 */
void heddle__pause(void);
void heddle__continue(void);

/*
 * Freezes measurement for the writer; it continues when each call has been undone by heddle__thaw. Context: any thread,
 * signal.
 */
void heddle__freeze(void);
void heddle__thaw(void);

/*
 * Freezes measurement at the end of the process: the clock stops and later events are not counted, so the totals of all
 * threads end at the same tick. Context: any thread, signal.
 */
void heddle__freeze_at_end(void);

/* Resets the state: threads that had frozen the parent do not exist in the child. Context: the child's only thread. */
void heddle__control_after_fork(void);

/* Switches measurement off for good. Context: any thread, signal. */
void heddle__switch_off(void);

#endif
