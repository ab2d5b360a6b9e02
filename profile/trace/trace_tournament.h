/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the first of many streams: a tournament of the times of their next events. Each inner node of the tree has the
 * loser of its match; the winner's next event is compared on its way to the top, without branches that depend on times.
 */
#ifndef HEDDLE_PROFILE_TRACE_TOURNAMENT_H
#define HEDDLE_PROFILE_TRACE_TOURNAMENT_H

#include <stddef.h>
#include <stdint.h>

#define PROFILE_TRACE_ENDED UINT64_MAX /* later than any event */

struct profile_trace_tournament {
	uint64_t *times;  /* of the streams' next events; set by the owner before the start */
	uint32_t *losers; /* by inner node 1 to count - 1: stream; the parent of node n is n / 2 */
	size_t count;
	uint32_t winner; /* if there are no streams, its time is PROFILE_TRACE_ENDED */
};

/* Returns 0 or -ENOMEM. */
int profile_trace_tournament_make(struct profile_trace_tournament *tournament, size_t count);
/* Compares all streams. Returns 0 or -ENOMEM. */
int profile_trace_tournament_start(struct profile_trace_tournament *tournament);
void profile_trace_tournament_free(struct profile_trace_tournament *tournament);

/* Limits the time of an event, so that it is before the end. */
static inline uint64_t profile_trace_before_end(uint64_t time_ns)
{
	return time_ns < PROFILE_TRACE_ENDED ? time_ns : PROFILE_TRACE_ENDED - 1;
}

/*
 * Compares two streams at a node: the earlier one continues, the other one stays there. Of equal times the lower number
 * is first. Written without conditions, because compilers would make branches, and half of them would be mispredicted.
 */
static inline void profile_trace_play(const uint64_t *times, uint32_t *loser, uint32_t *winner, uint64_t *time_ns)
{
	uint32_t other = *loser, mine = *winner;
	uint64_t theirs = times[other], ours = *time_ns;
	uint64_t lost = 0 - (uint64_t)((theirs < ours) | ((theirs == ours) & (other < mine)));
	uint32_t swap = (other ^ mine) & (uint32_t)lost;
	*loser = other ^ swap;
	*winner = mine ^ swap;
	*time_ns = ours ^ ((theirs ^ ours) & lost);
}

/* Sets the time of the winner's next event. If it is equal to that of its last one, the same stream is first again. */
static inline void profile_trace_tournament_replace(struct profile_trace_tournament *tournament, uint64_t time_ns)
{
	uint32_t winner = tournament->winner;
	if (time_ns == tournament->times[winner])
		return;
	tournament->times[winner] = time_ns;
	for (size_t node = (winner + tournament->count) / 2; node > 0; node /= 2)
		profile_trace_play(tournament->times, &tournament->losers[node], &winner, &time_ns);
	tournament->winner = winner;
}

#endif
