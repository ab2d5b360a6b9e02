/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers. */
#include "core/threads/control.h"

#include "core/base/process_info.h"
#include "core/base/task_file.h"
#include "core/threads/excluded.h"
#include "core/threads/listeners.h"
#include "core/threads/thread.h"

#include <string.h>

#define PAUSE_NS 20000u
#define STARVED_PAUSE_NS 1000000u
#define QUIET_WAIT_NS 100000000u
#define LAST_WAIT_NS 1000000000u
#define STARVED_WAITS 5u /* so many times longer for a thread that waits for a processor */

_Atomic uint8_t heddle__run_state = HEDDLE_OFF;
_Atomic uint64_t heddle__measured_clock;
_Atomic uint32_t heddle__pause_count = 1;
static _Atomic uint32_t freezers;
static _Atomic bool stopped_at_end; /* the clock was running until the end */

static bool is_off(void)
{
	return atomic_load(&heddle__run_state) == HEDDLE_OFF;
}

/*
 * The state follows from the clock and the number of freezers. Each change of one of them is followed by a call of this
 * function; the last call sees all changes, so the final state is correct in whatever order they happened.
 */
static void update_run_state(void)
{
	uint8_t state = atomic_load(&heddle__run_state), wanted;
	do {
		if (state == HEDDLE_OFF)
			return;
		wanted = atomic_load(&heddle__measured_clock) & 1 ? HEDDLE_PAUSED : HEDDLE_RUNNING;
		if (atomic_load(&freezers))
			wanted = HEDDLE_FROZEN;
	} while (!atomic_compare_exchange_strong(&heddle__run_state, &state, wanted) || state != wanted);
}

/* True if the clock was running until now. */
static bool stop_clock(void)
{
	uint64_t clock = atomic_load(&heddle__measured_clock);
	while (!is_off() && !(clock & 1)) {
		uint64_t stopped = (heddle__ticks() - (clock >> 1)) << 1 | 1;
		if (atomic_compare_exchange_weak(&heddle__measured_clock, &clock, stopped))
			return true;
	}
	return false;
}

void heddle__pause(void)
{
	heddle__listeners_switched();
	stop_clock();
	update_run_state();
	heddle__listeners_switched(); /* the thread may have lost its processor before the clock stopped */
}

void heddle__continue(void)
{
	uint64_t clock = atomic_load(&heddle__measured_clock);
	if (clock & 1)
		heddle__listeners_switched(); /* and may lose it after the clock starts */
	while (!is_off() && clock & 1) {
		uint64_t going = (heddle__ticks() - (clock >> 1)) << 1;
		if (atomic_compare_exchange_weak(&heddle__measured_clock, &clock, going))
			break;
	}
	atomic_fetch_add_explicit(&heddle__pause_count, 1, memory_order_release);
	update_run_state();
	heddle__listeners_switched();
}

/* True if a thread can run, but has had little of a processor since its CPU clock was read. */
static bool is_starved(const struct heddle_thread *thread, uint64_t most_ns)
{
	char text[64];
	heddle__read_task_file(thread->tid, "stat", text, sizeof(text));
	const char *name_end = strrchr(text, ')');
	if (!name_end || strncmp(name_end, ") R", 3) != 0)
		return false;
	return heddle__clock_ns(heddle__cpu_clock_of(thread->tid)) <
	       atomic_load(&thread->times.frozen_cpu_ns) + most_ns;
}

/*
 * Waits until no other thread is inside. Gives up on a thread that does not leave: it is stopped, or was killed by a
 * crash. Waits longer for one that has no processor, as it leaves when it has one.
 */
static void wait_until_quiet(uint64_t most_ns)
{
	uint64_t start = heddle__clock_ns(CLOCK_MONOTONIC);
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		if (thread == heddle__thread_self())
			continue;
		while (atomic_load(&thread->inside)) {
			uint64_t waited = heddle__clock_ns(CLOCK_MONOTONIC) - start;
			bool late = waited >= most_ns;
			if (late && (waited >= STARVED_WAITS * most_ns || !is_starved(thread, most_ns)))
				break;
			heddle__clock_nap(late ? STARVED_PAUSE_NS : PAUSE_NS);
		}
	}
}

/*
 * CPU clocks do not stop. They are read when samples stop: CPU time that a thread uses while the writer waits and
 * writes has no samples, and would be charged to the path of the thread's last sample.
 */
static void read_cpu_clocks(void)
{
	uint64_t excluded = heddle__excluded_cpu_ns(), all = heddle__clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		bool runs = atomic_load(&thread->life) == HEDDLE_LIFE_ACTIVE;
		atomic_store(
			&thread->times.frozen_cpu_ns, runs ? heddle__clock_ns(heddle__cpu_clock_of(thread->tid)) : 0);
	}
	heddle__process.frozen_cpu_ns = all > excluded ? all - excluded : 0;
}

void heddle__freeze(void)
{
	atomic_fetch_add(&freezers, 1);
	update_run_state();
	read_cpu_clocks();
	wait_until_quiet(QUIET_WAIT_NS);
}

void heddle__freeze_at_end(void)
{
	atomic_fetch_add(&freezers, 1);
	update_run_state();
	atomic_store(&stopped_at_end, stop_clock());
	read_cpu_clocks();
	wait_until_quiet(LAST_WAIT_NS);
}

void heddle__thaw(void)
{
	atomic_fetch_sub(&freezers, 1);
	update_run_state();
}

void heddle__control_after_fork(void)
{
	atomic_store(&freezers, 0);
	if (atomic_exchange(&stopped_at_end, false))
		heddle__continue();
	update_run_state();
}

void heddle__switch_off(void)
{
	atomic_store(&heddle__run_state, HEDDLE_OFF);
}
