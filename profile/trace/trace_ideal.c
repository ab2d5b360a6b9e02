/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A forward pass. Each rank has a lag: how much earlier it would have reached its current event. Time in exchanges
 * increases the lag, waits limit it: a token is the time at which an event would have happened, and a rank that depends
 * on it continues no earlier. Threads that work for a rank have its lag.
 */
#include "profile/trace/trace_ideal.h"

#include "profile/trace/trace_roles.h"
#include "profile/trace/trace_sync.h"

#include <errno.h>
#include <stdlib.h>

#define NOBODY SIZE_MAX

/* The clock of a rank. */
struct clock {
	uint64_t at_ns;  /* of its last event */
	bool exchanging; /* since that event */
};

struct replay {
	struct profile_trace_ideal *ideal;
	const bool *exchanges;
	struct clock *clocks; /* by thread */
	size_t *rank_of;      /* by thread: the thread of its rank; NOBODY: none */
};

static uint64_t lag_at(const struct replay *replay, size_t thread, uint64_t ns)
{
	size_t rank = replay->rank_of[thread];
	if (rank == NOBODY)
		return 0;
	const struct clock *clock = &replay->clocks[rank];
	uint64_t more = clock->exchanging && ns > clock->at_ns ? ns - clock->at_ns : 0;
	return replay->ideal->saved_ns[rank] + more;
}

/* Returns when an event at `ns` would happen. */
static uint64_t ideal_ns(const struct replay *replay, size_t thread, uint64_t ns)
{
	uint64_t lag = lag_at(replay, thread, ns);
	return ns > lag ? ns - lag : 0;
}

static void *mark(void *context, size_t thread, uint64_t ns)
{
	uint64_t *token = malloc(sizeof(*token));
	if (token)
		*token = ideal_ns(context, thread, ns);
	return token;
}

static void join(void *context, void *token, size_t thread, uint64_t ns)
{
	uint64_t *latest = token, own = ideal_ns(context, thread, ns);
	*latest = own > *latest ? own : *latest;
}

static void drop(void *context, void *token)
{
	(void)context;
	free(token);
}

static void depend(void *context, size_t thread, const void *token)
{
	struct replay *replay = context;
	const uint64_t *earliest = token;
	if (replay->rank_of[thread] != thread)
		return;
	uint64_t now = replay->clocks[thread].at_ns;
	if (ideal_ns(replay, thread, now) < *earliest)
		replay->ideal->saved_ns[thread] = now > *earliest ? now - *earliest : 0;
}

static void enter(void *context, size_t thread, uint64_t ns)
{
	struct replay *replay = context;
	if (replay->rank_of[thread] != thread)
		return;
	replay->ideal->saved_ns[thread] = lag_at(replay, thread, ns);
	replay->clocks[thread].at_ns = ns;
}

static void leave(void *context, size_t thread, uint32_t node)
{
	struct replay *replay = context;
	replay->clocks[thread].exchanging = replay->exchanges[node];
}

/* Returns the first thread with the same rank, or the only rank of the process. Threads are ordered by process. */
static size_t find_rank(const struct profile_trace *trace, size_t thread, size_t first)
{
	const struct profile_thread *row = trace->threads[thread].row;
	size_t only = NOBODY, ranks = 0;
	for (size_t t = first; t < trace->thread_count && trace->threads[t].file == trace->threads[thread].file; t++) {
		if (!profile_trace_is_rank(&trace->threads[t]))
			continue;
		if (row && row->rank == trace->threads[t].row->rank)
			return t;
		only = ranks++ ? NOBODY : t;
	}
	return only;
}

static int make_room(struct replay *replay, const struct profile_trace *trace)
{
	struct profile_trace_ideal *ideal = replay->ideal;
	size_t count = trace->thread_count;
	ideal->is_rank = calloc(count + 1, sizeof(*ideal->is_rank));
	ideal->saved_ns = calloc(count + 1, sizeof(*ideal->saved_ns));
	replay->clocks = calloc(count + 1, sizeof(*replay->clocks));
	replay->rank_of = calloc(count + 1, sizeof(*replay->rank_of));
	if (!ideal->is_rank || !ideal->saved_ns || !replay->clocks || !replay->rank_of)
		return -ENOMEM;
	for (size_t t = 0, first = 0; t < count; t++) {
		first = trace->threads[t].file == trace->threads[first].file ? first : t;
		replay->rank_of[t] = find_rank(trace, t, first);
		ideal->is_rank[t] = replay->rank_of[t] == t;
	}
	return 0;
}

int profile_trace_ideal_make(
	struct profile_trace_ideal *ideal, const struct profile_trace *trace, const bool *exchanges)
{
	static const struct profile_trace_sync_hooks hooks = {
		.mark = mark, .join = join, .drop = drop, .depend = depend, .enter = enter, .leave = leave};
	struct replay replay = {.ideal = ideal, .exchanges = exchanges};
	*ideal = (struct profile_trace_ideal){.thread_count = trace->thread_count};
	int error = make_room(&replay, trace);
	if (!error)
		error = profile_trace_sync(trace, &hooks, &replay);
	free(replay.clocks);
	free(replay.rank_of);
	return error;
}

void profile_trace_ideal_free(struct profile_trace_ideal *ideal)
{
	free(ideal->is_rank);
	free(ideal->saved_ns);
	*ideal = (struct profile_trace_ideal){0};
}
