/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports once, while the program runs, if its events take most of the time. Runs in signal handlers. */
#include <stdatomic.h>
#include <string.h>

#include "core/base/likely.h"
#include "core/base/log.h"
#include "core/base/process_info.h"
#include "sampling/sampler.h"

/*
 * Percent of samples inside Heddle from which on the message is written. The program then takes about ten times as
 * long: an event also takes time outside, for its call.
 */
#define MUCH 75u

/* Inserts the number by hand, since a handler must not call functions that format text. */
static void say(uint64_t percent)
{
	char text[] = "in its first second, the program spent .. % of its CPU time in events of the measurement; the "
		      "report shows in which; `heddle run --events` leaves some out";
	char *number = strstr(text, "..");
	percent = percent > 99 ? 99 : percent;
	number[0] = (char)('0' + percent / 10);
	number[1] = (char)('0' + percent % 10);
	heddle__warn_in_handler(text);
}

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
		say(100 * part / sum);
}
