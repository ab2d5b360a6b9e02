/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers. The ratio of nanoseconds to ticks is one atomic word, in 2^-32 ns. */
#include "core/base/clock.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "format/kernel_clock.h"

#define FIRST_SPAN_NS 50000u
#define ATTEMPTS 5

bool heddle__clock_is_tsc;
heddle__clock_function *heddle__clock_read = heddle__kernel_gettime;

static uint64_t first_ticks, first_ns;
static _Atomic uint64_t ns_per_tick = (uint64_t)1 << 32;
static _Atomic bool held;

void heddle__clock_nap(uint32_t ns)
{
	struct timespec rest = {0, ns};
	syscall(SYS_nanosleep, &rest, NULL);
}

/* Reads both clocks at the same time: takes the fastest of some attempts, as the thread may be preempted in between. */
static void read_both(uint64_t *ns, uint64_t *ticks)
{
	uint64_t least = UINT64_MAX;
	for (int i = 0; i < ATTEMPTS; i++) {
		uint64_t before = heddle__ticks(), now = heddle__clock_ns(CLOCK_MONOTONIC);
		uint64_t took = heddle__ticks() - before;
		if (took >= least)
			continue;
		least = took;
		*ns = now;
		*ticks = before + took / 2;
	}
}

static uint64_t measure_rate(uint64_t rate)
{
	uint64_t ns = first_ns, ticks = first_ticks;
	if (!heddle__clock_is_tsc)
		return rate;
	read_both(&ns, &ticks);
	return ticks == first_ticks ? rate
				    : (uint64_t)(((unsigned __int128)(ns - first_ns) << 32) / (ticks - first_ticks));
}

/* If the rate was held while this thread was preempted here, the exchange fails and the held rate stays. */
void heddle__clock_calibrate(void)
{
	uint64_t rate = atomic_load(&ns_per_tick);
	if (!atomic_load(&held))
		atomic_compare_exchange_strong(&ns_per_tick, &rate, measure_rate(rate));
}

void heddle__clock_hold(void)
{
	atomic_store(&held, true);
	atomic_store(&ns_per_tick, measure_rate(atomic_load(&ns_per_tick)));
}

void heddle__clock_release(void)
{
	atomic_store(&held, false);
}

void heddle__clock_init(void)
{
	heddle__clock_choose();
	read_both(&first_ns, &first_ticks);
	if (!heddle__clock_is_tsc)
		return;
	while (heddle__clock_ns(CLOCK_MONOTONIC) - first_ns < FIRST_SPAN_NS)
		;
	heddle__clock_calibrate();
}

uint64_t heddle__clock_rate(void)
{
	return atomic_load_explicit(&ns_per_tick, memory_order_relaxed);
}

uint64_t heddle__ticks_to_ns(uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * atomic_load_explicit(&ns_per_tick, memory_order_relaxed) >> 32);
}

uint64_t heddle__ns_to_ticks(uint64_t ns)
{
	return (uint64_t)(((unsigned __int128)ns << 32) / atomic_load_explicit(&ns_per_tick, memory_order_relaxed));
}
