/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measurement control: whether anything is measured now, and the clock that stands still while it is not.
 */
#ifndef HEDDLE_CORE_CONTROL_H
#define HEDDLE_CORE_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/clock.h"

enum heddle_run_state {
	HEDDLE_OFF, /* not started, ended, or impossible */
	HEDDLE_RUNNING,
	HEDDLE_PAUSED, /* by heddle_stop, HEDDLE_START_PAUSED */
	HEDDLE_FROZEN, /* the writer is reading: samples become pending, events are counted as ever */
};

extern _Atomic uint8_t heddle__run_state;

/*
 * The measured clock in one word, so that no reader meets half a switch: going, twice the ticks to take off (those
 * spent paused); standing still, twice the measured ticks plus one.
 */
extern _Atomic uint64_t heddle__measured_clock;

/* Context: any thread, signal. */
static inline bool heddle__running(void)
{
	return atomic_load_explicit(&heddle__run_state, memory_order_relaxed) == HEDDLE_RUNNING;
}

/*
 * Whether events count: while running, and under the eyes of the writer, who sees each counter before or after.
 * Context: any thread, signal.
 */
static inline bool heddle__events_count(void)
{
	uint8_t state = atomic_load_explicit(&heddle__run_state, memory_order_relaxed);
	if (__builtin_expect(state == HEDDLE_RUNNING, 1))
		return true;
	return state == HEDDLE_FROZEN && !(atomic_load_explicit(&heddle__measured_clock, memory_order_relaxed) & 1);
}

/* Ticks that went by while measuring. Context: any thread, signal. */
static inline uint64_t heddle__measured_ticks(void)
{
	uint64_t clock = atomic_load_explicit(&heddle__measured_clock, memory_order_relaxed);
	if (__builtin_expect((clock & 1) != 0, 0))
		return clock >> 1;
	return heddle__ticks() - (clock >> 1);
}

/*
 * The same on a thread whose regions are plain, as core/region_inline.h has it: that implies which clock it is, and so
 * there is no call in the fast ways.
 */
static inline uint64_t heddle__plain_ticks(void)
{
#if defined(__x86_64__)
	uint64_t clock = atomic_load_explicit(&heddle__measured_clock, memory_order_relaxed);
	return __builtin_expect((clock & 1) != 0, 0) ? clock >> 1 : __rdtsc() - (clock >> 1);
#else
	return heddle__measured_ticks();
#endif
}

/*
 * Switch between RUNNING and PAUSED; while FROZEN, what it will be afterwards. No effect when OFF.
 * Context: any thread, signal.
 */
void heddle__pause(void);
void heddle__continue(void);

/*
 * Stop the world for the writer and let it go on when the last who froze it thaws. Context: any thread, signal.
 */
void heddle__freeze(void);
void heddle__thaw(void);

/*
 * The same for the last time: the clock stands still, and events that come later count no more, so that all threads'
 * books end at one tick. Context: any thread, signal.
 */
void heddle__freeze_at_end(void);

/* Whoever had frozen the parent is not here. Context: the child's only thread. */
void heddle__control_after_fork(void);

/* Nothing is measured from now on. Context: any thread, signal. */
void heddle__switch_off(void);

#endif
