/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers. */
#include "core/control.h"

#include <time.h>

#include "core/thread.h"

#define QUIET_WAIT_NS 100000000u

_Atomic uint8_t heddle__run_state = HEDDLE_OFF;
_Atomic uint64_t heddle__paused_ticks;

static bool change_state(uint8_t from, uint8_t to)
{
	return atomic_compare_exchange_strong(&heddle__run_state, &from, to);
}

/*
 * Readers take the two words one after the other; one that meets a switch in between misjudges by the length of this
 * function, once.
 */
void heddle__pause(void)
{
	uint64_t now = heddle__measured_ticks();
	if (change_state(HEDDLE_RUNNING, HEDDLE_PAUSED))
		atomic_store(&heddle__paused_ticks, now);
}

void heddle__continue(void)
{
	uint64_t measured = atomic_load(&heddle__paused_ticks);
	if (atomic_load(&heddle__run_state) != HEDDLE_PAUSED)
		return;
	atomic_store(&heddle__paused_ticks, heddle__ticks() - measured);
	if (!change_state(HEDDLE_PAUSED, HEDDLE_RUNNING))
		atomic_store(&heddle__paused_ticks, measured);
}

/* Wait until no other thread is inside; a thread that never leaves (stopped, dead in a crash) is given up on. */
static void wait_until_quiet(void)
{
	uint64_t give_up = heddle__clock_ns(CLOCK_MONOTONIC) + QUIET_WAIT_NS;
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		if (thread == heddle__thread_self())
			continue;
		while (atomic_load(&thread->inside) && heddle__clock_ns(CLOCK_MONOTONIC) < give_up) {
			struct timespec pause = {0, 20000};
			nanosleep(&pause, NULL);
		}
	}
}

uint8_t heddle__freeze(void)
{
	uint8_t before = atomic_exchange(&heddle__run_state, HEDDLE_FROZEN);
	wait_until_quiet();
	return before;
}

void heddle__thaw(uint8_t state)
{
	atomic_store(&heddle__run_state, state);
}
