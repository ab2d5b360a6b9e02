/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The other clock is read between two readings of this host's clock. Taking the middle of these as the time of the
 * reading is wrong by at most half of the round trip.
 */
#include "core/threads/remote_clock.h"

#include "core/base/clock.h"
#include "core/threads/trace.h"

#define EXCHANGES 20

/* Reads the clock once; the result replaces `best` if its error is smaller. Returns false if it cannot be read. */
static bool exchange(heddle__remote_clock *read, struct heddle_trace_offset *best)
{
	uint64_t other = 0, before = heddle__clock_ns(CLOCK_MONOTONIC);
	if (!read(&other))
		return false;
	uint64_t after = heddle__clock_ns(CLOCK_MONOTONIC);
	uint64_t error = (after - before + 1) / 2, middle = before + (after - before) / 2;
	if (error < best->error_ns)
		*best = (struct heddle_trace_offset){middle, (int64_t)(other - middle), error};
	return true;
}

bool heddle__remote_clock_measure(heddle__remote_clock *read)
{
	struct heddle_trace_offset best = {.error_ns = UINT64_MAX};
	if (!heddle__tracing || !heddle__trace_offset)
		return false;
	for (int i = 0; i < EXCHANGES; i++)
		if (!exchange(read, &best))
			return false;
	heddle__trace_offset(&best);
	return true;
}
