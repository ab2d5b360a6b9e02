/* SPDX-License-Identifier: BSD-3-Clause */
/* The streams of some threads, which are read in turn. */
#ifndef HEDDLE_PROFILE_TRACE_STREAMS_H
#define HEDDLE_PROFILE_TRACE_STREAMS_H

#include "profile/trace/trace.h"

/* The threads at the positions first, first + stride, ... of a list. */
struct profile_trace_selection {
	const struct profile_trace *trace;
	const size_t *threads; /* NULL: position p is thread p */
	size_t count;          /* of the whole list */
	size_t first, stride;  /* stride > 0 */
	uint64_t from_ns;
};

/* Returns the thread at a position. */
static inline size_t profile_trace_selected(const struct profile_trace_selection *selection, size_t position)
{
	return selection->threads ? selection->threads[position] : position;
}

struct profile_trace_streams {
	struct profile_trace_stream *items;
	size_t count;
	uint8_t *bytes; /* buffer for all of them; NULL: each has its own */
	size_t byte_count;
};

/* Returns 0 or a negative error; close the streams in both cases. `threads` is not needed afterwards. */
int profile_trace_streams_open(struct profile_trace_streams *streams, const struct profile_trace_selection *selection);
/* Returns the number of streams that have ended early. */
size_t profile_trace_streams_broken(const struct profile_trace_streams *streams);
/* Returns -ENOMEM if a stream ended for lack of memory; else 0. */
int profile_trace_streams_error(const struct profile_trace_streams *streams);
void profile_trace_streams_close(struct profile_trace_streams *streams);

#endif
