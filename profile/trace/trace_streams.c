/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for the chunks of all streams is mapped at once, in large pages if the kernel has them: streams are read in
 * turn, and each would need a TLB entry of its own.
 */
#include "profile/trace/trace_streams.h"

#include "profile/base/pages.h"
#include "profile/trace/trace_stream.h"

#include <errno.h>
#include <stdlib.h>

static size_t room_of(const struct profile_trace_stream *stream)
{
	return (profile_trace_chunk_room(stream->thread) + PROFILE_TRACE_LINE - 1) / PROFILE_TRACE_LINE *
	       PROFILE_TRACE_LINE;
}

/* Without this memory, each stream allocates its own. */
static void lend_bytes(struct profile_trace_streams *streams)
{
	size_t sum = 0;
	for (size_t i = 0; i < streams->count; i++)
		sum += room_of(&streams->items[i]);
	streams->bytes = profile_pages_map(sum);
	if (!streams->bytes)
		return;
	streams->byte_count = sum;
	for (size_t i = 0, at = 0; i < streams->count; i++) {
		size_t room = room_of(&streams->items[i]);
		streams->items[i].bytes = (struct profile_trace_bytes){streams->bytes + at, room, true};
		at += room;
	}
}

int profile_trace_streams_open(struct profile_trace_streams *streams, const struct profile_trace_selection *selection)
{
	*streams = (struct profile_trace_streams){0};
	streams->items = calloc(selection->count / selection->stride + 2, sizeof(*streams->items));
	if (!streams->items)
		return -ENOMEM;
	for (size_t at = selection->first; at < selection->count; at += selection->stride, streams->count++) {
		struct profile_trace_stream *stream = &streams->items[streams->count];
		int error = profile_trace_stream_open(stream, selection->trace, profile_trace_selected(selection, at));
		if (!error && selection->from_ns)
			error = profile_trace_stream_seek(stream, selection->from_ns);
		if (error)
			return error;
	}
	lend_bytes(streams);
	return 0;
}

size_t profile_trace_streams_broken(const struct profile_trace_streams *streams)
{
	size_t broken = 0;
	for (size_t i = 0; i < streams->count; i++)
		broken += streams->items[i].error != 0;
	return broken;
}

int profile_trace_streams_error(const struct profile_trace_streams *streams)
{
	for (size_t i = 0; i < streams->count; i++)
		if (streams->items[i].error == -ENOMEM)
			return -ENOMEM;
	return 0;
}

void profile_trace_streams_close(struct profile_trace_streams *streams)
{
	for (size_t i = 0; i < streams->count; i++)
		profile_trace_stream_close(&streams->items[i]);
	profile_pages_unmap(streams->bytes, streams->byte_count);
	free(streams->items);
	*streams = (struct profile_trace_streams){0};
}
