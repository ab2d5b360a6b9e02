/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tournament of the times of the streams' next events, which are only peeked at: the stack of a stream must be as it
 * was after the event that was returned last. Each inner node of the tree has who lost there; the winner's next event
 * plays again on its way to the top, without branches that depend on times.
 */
#include "profile/trace/trace_order.h"

#include "profile/trace/trace_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#define ENDED UINT64_MAX /* later than any event */

struct profile_trace_order {
	struct profile_trace_stream *streams;
	size_t stream_count;
	uint8_t *bytes; /* of all streams; NULL: each has its own */
	size_t byte_count;
	size_t first, stride; /* positions */
	uint64_t *times;      /* of the streams' next events */
	uint32_t *losers;     /* streams, of inner nodes 1 to stream_count - 1; the parent of node n is n / 2 */
	uint32_t winner;
	bool stale; /* the winner's event was returned, its next one is not known yet */
};

static uint64_t peek(struct profile_trace_order *order, size_t stream)
{
	uint64_t time_ns;
	if (stream >= order->stream_count || !profile_trace_peek(&order->streams[stream], &time_ns))
		return ENDED;
	return time_ns < ENDED ? time_ns : ENDED - 1;
}

/*
 * The stream that is first goes on from a node, the other one stays there. Of ties the lower number is first. Compilers
 * would make branches of conditions, and half of them would be predicted wrong.
 */
static inline void play(const uint64_t *times, uint32_t *loser, uint32_t *winner, uint64_t *time_ns)
{
	uint32_t other = *loser, mine = *winner;
	uint64_t theirs = times[other], ours = *time_ns;
	uint64_t lost = 0 - (uint64_t)((theirs < ours) | ((theirs == ours) & (other < mine)));
	uint32_t swap = (other ^ mine) & (uint32_t)lost;
	*loser = other ^ swap;
	*winner = mine ^ swap;
	*time_ns = ours ^ ((theirs ^ ours) & lost);
}

/* The leaves are nodes stream_count and on; winners: room for all nodes. */
static void play_all(struct profile_trace_order *order, uint32_t *winners)
{
	size_t count = order->stream_count;
	for (size_t i = 0; i < count; i++) {
		order->times[i] = peek(order, i);
		winners[count + i] = (uint32_t)i;
	}
	for (size_t node = count; node-- > 1;) {
		uint64_t time_ns = order->times[winners[2 * node]];
		order->losers[node] = winners[2 * node + 1];
		winners[node] = winners[2 * node];
		play(order->times, &order->losers[node], &winners[node], &time_ns);
	}
	order->winner = winners[1];
	if (!count)
		order->times[0] = ENDED;
}

static size_t room_of(const struct profile_trace_stream *stream)
{
	return (profile_trace_chunk_room(stream->thread) + PROFILE_TRACE_LINE - 1) / PROFILE_TRACE_LINE *
	       PROFILE_TRACE_LINE;
}

/*
 * Memory for the chunks of all streams at once: in large pages, if the kernel has them, as streams take turns, and each
 * would need an entry of the processor's table of pages. Without, each makes its own.
 */
static void lend_bytes(struct profile_trace_order *order)
{
	size_t sum = 0;
	for (size_t i = 0; i < order->stream_count; i++)
		sum += room_of(&order->streams[i]);
	void *bytes = sum ? mmap(NULL, sum, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
			  : MAP_FAILED;
	if (bytes == MAP_FAILED)
		return;
	madvise(bytes, sum, MADV_HUGEPAGE);
	order->bytes = bytes;
	order->byte_count = sum;
	for (size_t i = 0, at = 0; i < order->stream_count; i++) {
		size_t room = room_of(&order->streams[i]);
		order->streams[i].bytes = (struct profile_trace_bytes){order->bytes + at, room, true};
		at += room;
	}
}

static int start(struct profile_trace_order *order, const struct profile_trace_selection *selection)
{
	for (size_t at = selection->first; at < selection->count; at += selection->stride, order->stream_count++) {
		struct profile_trace_stream *stream = &order->streams[order->stream_count];
		int error = profile_trace_stream_open(stream, selection->trace, profile_trace_selected(selection, at));
		if (!error && selection->from_ns)
			error = profile_trace_stream_seek(stream, selection->from_ns);
		if (error)
			return error;
	}
	lend_bytes(order);
	uint32_t *winners = calloc(2 * order->stream_count + 2, sizeof(*winners));
	if (!winners)
		return -ENOMEM;
	play_all(order, winners);
	free(winners);
	return 0;
}

struct profile_trace_order *profile_trace_order_open(const struct profile_trace_selection *selection)
{
	struct profile_trace_order *order = calloc(1, sizeof(*order));
	size_t room = selection->count / selection->stride + 2;
	if (!order)
		return NULL;
	order->first = selection->first;
	order->stride = selection->stride;
	order->streams = calloc(room, sizeof(*order->streams));
	order->times = calloc(room, sizeof(*order->times));
	order->losers = calloc(room, sizeof(*order->losers));
	if (order->streams && order->times && order->losers && start(order, selection) == 0)
		return order;
	profile_trace_order_close(order);
	return NULL;
}

/* The winner's stream plays with its next event. What happens at the same time as its last one is first, too. */
static inline void refresh(struct profile_trace_order *order)
{
	uint32_t winner = order->winner;
	uint64_t time_ns = peek(order, winner);
	order->stale = false;
	if (time_ns == order->times[winner])
		return;
	order->times[winner] = time_ns;
	for (size_t node = (winner + order->stream_count) / 2; node > 0; node /= 2)
		play(order->times, &order->losers[node], &winner, &time_ns);
	order->winner = winner;
}

int profile_trace_order_next(struct profile_trace_order *order, const struct profile_trace_stream **stream,
	size_t *position, struct profile_trace_event *event)
{
	for (;;) {
		if (order->stale)
			refresh(order);
		uint32_t index = order->winner;
		if (order->times[index] == ENDED)
			return 0;
		order->stale = true;
		*stream = &order->streams[index];
		*position = order->first + index * order->stride;
		if (profile_trace_next(&order->streams[index], event))
			return 1;
	}
}

size_t profile_trace_order_broken(const struct profile_trace_order *order)
{
	size_t broken = 0;
	for (size_t i = 0; i < order->stream_count; i++)
		broken += order->streams[i].error != 0;
	return broken;
}

int profile_trace_order_error(const struct profile_trace_order *order)
{
	for (size_t i = 0; i < order->stream_count; i++)
		if (order->streams[i].error == -ENOMEM)
			return -ENOMEM;
	return 0;
}

void profile_trace_order_close(struct profile_trace_order *order)
{
	if (!order)
		return;
	for (size_t i = 0; order->streams && i < order->stream_count; i++)
		profile_trace_stream_close(&order->streams[i]);
	if (order->bytes)
		munmap(order->bytes, order->byte_count);
	free(order->streams);
	free(order->times);
	free(order->losers);
	free(order);
}
