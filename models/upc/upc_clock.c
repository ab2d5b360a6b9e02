/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Remote reading of a clock: of several exchanges, the one with the least round trip counts. The other clock was read
 * somewhere between the two own readings: taken as their middle, it is wrong by at most half of the round trip.
 */
#include "models/upc/upc_clock.h"

#include <stdatomic.h>

#include "core/base/clock.h"
#include "core/threads/trace.h"
#include "models/upc/upc_vocabulary.h"

#define EXCHANGES 20
#define AGAIN_NS 60000000000u /* between measurements, in a long run */
#define FIRST_NS 1000000000u  /* until the second one; then twice as long each time: a program may end abruptly */

static _Atomic uint64_t first_ns, last_ns;

/* Whether the exchange took place; a better one replaces `best`. */
static bool exchange(int (*read_first)(uint64_t *ns), struct heddle_trace_offset *best)
{
	uint64_t first = 0, before = heddle__clock_ns(CLOCK_MONOTONIC);
	if (!read_first(&first))
		return false;
	uint64_t after = heddle__clock_ns(CLOCK_MONOTONIC);
	uint64_t error = (after - before + 1) / 2, middle = before + (after - before) / 2;
	if (error < best->error_ns)
		*best = (struct heddle_trace_offset){middle, (int64_t)(first - middle), error};
	return true;
}

void heddle__upc_clock_measure(void)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	if (!heddle__tracing || !heddle__trace_offset || !bridge || !bridge->first_clock)
		return;
	struct heddle_trace_offset best = {.error_ns = UINT64_MAX};
	for (int i = 0; i < EXCHANGES; i++) {
		if (!exchange(bridge->first_clock, &best))
			return;
	}
	uint64_t none = 0, now = heddle__clock_ns(CLOCK_MONOTONIC);
	atomic_compare_exchange_strong(&first_ns, &none, now);
	atomic_store_explicit(&last_ns, now, memory_order_relaxed);
	heddle__trace_offset(&best);
}

void heddle__upc_clock_measure_again(void)
{
	uint64_t last = atomic_load_explicit(&last_ns, memory_order_relaxed);
	if (!last)
		return;
	uint64_t past = last - atomic_load_explicit(&first_ns, memory_order_relaxed) + FIRST_NS;
	if (heddle__clock_ns(CLOCK_MONOTONIC) - last > (past < AGAIN_NS ? past : AGAIN_NS))
		heddle__upc_clock_measure();
}
