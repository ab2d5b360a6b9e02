/* SPDX-License-Identifier: BSD-3-Clause */
/* The streams' next events are only peeked at: the stack of a stream must be the one after the last returned event. */
#include "profile/trace/trace_order.h"

#include "profile/trace/trace_stream.h"
#include "profile/trace/trace_tournament.h"

#include <errno.h>
#include <stdlib.h>

struct profile_trace_order {
	struct profile_trace_streams streams;
	struct profile_trace_tournament tournament;
	bool stale; /* the winner's event was returned; its next one is unknown so far */
};

static uint64_t peek(struct profile_trace_order *order, size_t stream)
{
	uint64_t time_ns;
	if (stream >= order->streams.count || !profile_trace_peek(&order->streams.items[stream], &time_ns))
		return PROFILE_TRACE_ENDED;
	return profile_trace_before_end(time_ns);
}

static int start(struct profile_trace_order *order, const struct profile_trace_selection *selection)
{
	int error = profile_trace_streams_open(&order->streams, selection);
	if (!error)
		error = profile_trace_tournament_make(&order->tournament, order->streams.count);
	if (error)
		return error;
	for (size_t i = 0; i < order->streams.count; i++)
		order->tournament.times[i] = peek(order, i);
	return profile_trace_tournament_start(&order->tournament);
}

struct profile_trace_order *profile_trace_order_open(const struct profile_trace_selection *selection)
{
	struct profile_trace_order *order = calloc(1, sizeof(*order));
	if (!order || start(order, selection) == 0)
		return order;
	profile_trace_order_close(order);
	return NULL;
}

int profile_trace_order_next(struct profile_trace_order *order, const struct profile_trace_stream **stream,
	struct profile_trace_event *event)
{
	struct profile_trace_tournament *tournament = &order->tournament;
	for (;;) {
		if (order->stale)
			profile_trace_tournament_replace(tournament, peek(order, tournament->winner));
		order->stale = false;
		uint32_t index = tournament->winner;
		if (tournament->times[index] == PROFILE_TRACE_ENDED)
			return 0;
		order->stale = true;
		*stream = &order->streams.items[index];
		if (profile_trace_next(&order->streams.items[index], event))
			return 1;
	}
}

size_t profile_trace_order_broken(const struct profile_trace_order *order)
{
	return profile_trace_streams_broken(&order->streams);
}

int profile_trace_order_error(const struct profile_trace_order *order)
{
	return profile_trace_streams_error(&order->streams);
}

void profile_trace_order_close(struct profile_trace_order *order)
{
	if (!order)
		return;
	profile_trace_streams_close(&order->streams);
	profile_trace_tournament_free(&order->tournament);
	free(order);
}
