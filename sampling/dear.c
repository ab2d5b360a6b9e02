/* SPDX-License-Identifier: BSD-3-Clause */
/* Says while the program runs, once, that its events take most of the time. Runs in signal handlers. */
#include <stdatomic.h>

#include "core/base/likely.h"
#include "core/base/log.h"
#include "core/base/process_info.h"
#include "sampling/sampler.h"

/*
 * Percent of the samples that are inside of Heddle when a program takes about ten times as long: an event also takes
 * time outside, to be called.
 */
#define MUCH 75u

void heddle__watch_own_cost(uint64_t periods, bool own)
{
	static _Atomic bool over;
	static _Atomic uint64_t all, ours;
	if (HEDDLE_LIKELY(atomic_load_explicit(&over, memory_order_relaxed)))
		return;
	uint64_t sum = atomic_fetch_add(&all, periods) + periods;
	uint64_t part = atomic_fetch_add(&ours, own ? periods : 0) + (own ? periods : 0);
	if (sum < heddle__process.sample_hz || !heddle__process.sample_hz || atomic_exchange(&over, true))
		return;
	if (100 * part >= MUCH * sum)
		heddle__warn(
			"in its first second, the program spent %u %% of its CPU time in events of the measurement; "
			"the report says in which, `heddle run --events FILE` leaves some out",
			(unsigned int)(100 * part / sum));
}
