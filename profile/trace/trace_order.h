/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of some threads in the order of time, on the calling thread. */
#ifndef HEDDLE_PROFILE_TRACE_ORDER_H
#define HEDDLE_PROFILE_TRACE_ORDER_H

#include "profile/trace/trace_streams.h"

struct profile_trace_order;

/* Returns NULL if there is no memory. `threads` is not needed afterwards. */
struct profile_trace_order *profile_trace_order_open(const struct profile_trace_selection *selection);

/*
 * Returns 1 with the next event in *event, or 0 if there is none. Of events at the same time, that of the lower
 * position comes first. *stream has the state after the event.
 */
int profile_trace_order_next(struct profile_trace_order *order, const struct profile_trace_stream **stream,
	struct profile_trace_event *event);

/* Returns the number of streams that have ended early. */
size_t profile_trace_order_broken(const struct profile_trace_order *order);
/* Returns -ENOMEM if a stream ended for lack of memory; else 0. */
int profile_trace_order_error(const struct profile_trace_order *order);
/* NULL is allowed. */
void profile_trace_order_close(struct profile_trace_order *order);

#endif
