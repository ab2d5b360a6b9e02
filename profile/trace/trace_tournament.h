/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which of many streams is first: a tournament of the times of their next events. Each inner node of the tree has who
 * lost there; the winner's next event plays again on its way to the top, without branches that depend on times.
 */
#ifndef HEDDLE_PROFILE_TRACE_TOURNAMENT_H
#define HEDDLE_PROFILE_TRACE_TOURNAMENT_H

#include <stddef.h>
#include <stdint.h>

#define PROFILE_TRACE_ENDED UINT64_MAX /* later than any event */

struct profile_trace_tournament {
	uint64_t *times;  /* of the streams' next events; set by the owner before the start */
	uint32_t *losers; /* streams, of inner nodes 1 to count - 1; the parent of node n is n / 2 */
	size_t count;
	uint32_t winner; /* without streams, its time is PROFILE_TRACE_ENDED */
};

/* 0 or -ENOMEM. */
int profile_trace_tournament_make(struct profile_trace_tournament *tournament, size_t count);
/* All play with their times. 0 or -ENOMEM. */
int profile_trace_tournament_start(struct profile_trace_tournament *tournament);
void profile_trace_tournament_free(struct profile_trace_tournament *tournament);

/* The time of an event, which is before the end. */
static inline uint64_t profile_trace_before_end(uint64_t time_ns)
{
	return time_ns < PROFILE_TRACE_ENDED ? time_ns : PROFILE_TRACE_ENDED - 1;
}

/*
 * The stream that is first goes on from a node, the other one stays there. Of ties the lower number is first. Compilers
 * would make branches of conditions, and half of them would be predicted wrong.
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

/* The winner's next event is at that time. What happens at the same time as its last one is first, too. */
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
