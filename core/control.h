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
	HEDDLE_FROZEN, /* the writer is reading: samples become pending, events wait for nothing and are not counted */
};

extern _Atomic uint8_t heddle__run_state;
extern _Atomic uint64_t heddle__paused_ticks; /* running: ticks spent paused; paused: measured ticks at the pause */

/* Context: any thread, signal. */
static inline bool heddle__running(void)
{
	return atomic_load_explicit(&heddle__run_state, memory_order_relaxed) == HEDDLE_RUNNING;
}

/* Ticks that went by while measuring. Context: any thread, signal. */
static inline uint64_t heddle__measured_ticks(void)
{
	uint64_t offset = atomic_load_explicit(&heddle__paused_ticks, memory_order_relaxed);
	if (__builtin_expect(atomic_load_explicit(&heddle__run_state, memory_order_relaxed) == HEDDLE_PAUSED, 0))
		return offset;
	return heddle__ticks() - offset;
}

/* Switch between RUNNING and PAUSED; no effect in other states. Context: any thread, signal. */
void heddle__pause(void);
void heddle__continue(void);

/* Stop the world for the writer and let it go on; freeze returns the state to go back to. Context: any thread, signal.
 */
uint8_t heddle__freeze(void);
void heddle__thaw(uint8_t state);

#endif
