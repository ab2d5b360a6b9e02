/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of some threads in the order of time, on the calling thread. */
#ifndef HEDDLE_PROFILE_TRACE_ORDER_H
#define HEDDLE_PROFILE_TRACE_ORDER_H

#include "profile/trace/trace.h"

/* What is merged: a list of threads, and which of its positions: first, first + stride, ... */
struct profile_trace_selection {
	const struct profile_trace *trace;
	const size_t *threads; /* NULL: position p is thread p */
	size_t count;          /* of the whole list */
	size_t first, stride;  /* stride > 0 */
	uint64_t from_ns;
};

struct profile_trace_order;

/* NULL: for want of memory. `threads` is not needed afterwards. */
struct profile_trace_order *profile_trace_order_open(const struct profile_trace_selection *selection);

/*
 * 1: *event is the next one; 0: there is none. Of events at the same time, that of the lower position comes first.
 * *stream is as after the event, *position its place in the list.
 */
int profile_trace_order_next(struct profile_trace_order *order, const struct profile_trace_stream **stream,
	size_t *position, struct profile_trace_event *event);

/* Streams that ended early so far. */
size_t profile_trace_order_broken(const struct profile_trace_order *order);
/* -ENOMEM: one ended for want of memory. */
int profile_trace_order_error(const struct profile_trace_order *order);
/* NULL is allowed. */
void profile_trace_order_close(struct profile_trace_order *order);

/* The thread at a position. */
static inline size_t profile_trace_selected(const struct profile_trace_selection *selection, size_t position)
{
	return selection->threads ? selection->threads[position] : position;
}

#endif
