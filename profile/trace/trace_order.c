/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A heap of the times of the streams' next events, which are only peeked at: the stack of a stream must be as it was
 * after the event that was returned last.
 */
#include "profile/trace/trace_order.h"

#include "profile/trace/trace_stream.h"

#include <errno.h>
#include <stdlib.h>

struct next {
	uint64_t time_ns;
	size_t stream; /* ties: the one that comes first */
};

struct profile_trace_order {
	struct profile_trace_stream *streams;
	size_t stream_count;
	size_t first, stride; /* positions */
	struct next *heap;
	size_t count;
	bool stale; /* the first one's event was returned, its next one is not known yet */
};

static inline bool is_before(const struct next *one, const struct next *other)
{
	return one->time_ns < other->time_ns || (one->time_ns == other->time_ns && one->stream < other->stream);
}

static void sift_down(struct profile_trace_order *order, size_t at)
{
	struct next moved = order->heap[at];
	for (size_t child; (child = 2 * at + 1) < order->count; at = child) {
		if (child + 1 < order->count && is_before(&order->heap[child + 1], &order->heap[child]))
			child++;
		if (!is_before(&order->heap[child], &moved))
			break;
		order->heap[at] = order->heap[child];
	}
	order->heap[at] = moved;
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
		struct next *next = &order->heap[order->count];
		next->stream = order->stream_count;
		if (profile_trace_peek(stream, &next->time_ns))
			order->count++;
	}
	for (size_t i = order->count / 2; i-- > 0;)
		sift_down(order, i);
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
	order->heap = calloc(room, sizeof(*order->heap));
	if (order->streams && order->heap && start(order, selection) == 0)
		return order;
	profile_trace_order_close(order);
	return NULL;
}

/* Re-sorts the first stream by its next event. */
static void refresh(struct profile_trace_order *order)
{
	struct next *first = &order->heap[0];
	if (!profile_trace_peek(&order->streams[first->stream], &first->time_ns))
		*first = order->heap[--order->count];
	if (order->count)
		sift_down(order, 0);
	order->stale = false;
}

int profile_trace_order_next(struct profile_trace_order *order, const struct profile_trace_stream **stream,
	size_t *position, struct profile_trace_event *event)
{
	for (;;) {
		if (order->stale)
			refresh(order);
		if (order->count == 0)
			return 0;
		size_t index = order->heap[0].stream;
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
	free(order->streams);
	free(order->heap);
	free(order);
}
