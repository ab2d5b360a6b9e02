/* SPDX-License-Identifier: BSD-3-Clause */
/* When the first UPC thread's clock is read: see the header. */
#include "models/upc/upc_clock.h"

#include <stdatomic.h>

#include "core/base/clock.h"
#include "core/threads/remote_clock.h"
#include "models/upc/upc_vocabulary.h"

#define AGAIN_NS 60000000000u /* between measurements, in a long run */
#define FIRST_NS 1000000000u  /* until the second one; then twice as long each time, as a program may end abruptly */

static _Atomic uint64_t first_ns, last_ns;

void heddle__upc_clock_measure(void)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	if (!bridge || !bridge->first_clock || !heddle__remote_clock_measure(bridge->first_clock))
		return;
	uint64_t none = 0, now = heddle__clock_ns(CLOCK_MONOTONIC);
	atomic_compare_exchange_strong(&first_ns, &none, now);
	atomic_store_explicit(&last_ns, now, memory_order_relaxed);
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
