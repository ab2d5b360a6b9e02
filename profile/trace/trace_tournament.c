/* SPDX-License-Identifier: BSD-3-Clause */
/* The begin and end of a tournament; what is done for each event is in the header. */
#include "profile/trace/trace_tournament.h"

#include <errno.h>
#include <stdlib.h>

int profile_trace_tournament_make(struct profile_trace_tournament *tournament, size_t count)
{
	*tournament = (struct profile_trace_tournament){.count = count};
	tournament->times = calloc(count + 1, sizeof(*tournament->times));
	tournament->losers = calloc(count + 1, sizeof(*tournament->losers));
	return tournament->times && tournament->losers ? 0 : -ENOMEM;
}

/* The leaves are the nodes from `count` on. */
int profile_trace_tournament_start(struct profile_trace_tournament *tournament)
{
	size_t count = tournament->count;
	uint32_t *winners = calloc(2 * count + 2, sizeof(*winners)); /* by node */
	if (!winners)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		winners[count + i] = (uint32_t)i;
	for (size_t node = count; node-- > 1;) {
		uint64_t time_ns = tournament->times[winners[2 * node]];
		tournament->losers[node] = winners[2 * node + 1];
		winners[node] = winners[2 * node];
		profile_trace_play(tournament->times, &tournament->losers[node], &winners[node], &time_ns);
	}
	tournament->winner = winners[1];
	if (!count)
		tournament->times[0] = PROFILE_TRACE_ENDED;
	free(winners);
	return 0;
}

void profile_trace_tournament_free(struct profile_trace_tournament *tournament)
{
	free(tournament->times);
	free(tournament->losers);
	*tournament = (struct profile_trace_tournament){0};
}
