/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Merges the streams of all threads by a heap of the times of their next events, which are only peeked at: the stack of
 * a stream must be as it was after the event that was returned last.
 */
#include "profile/trace_stream.h"

#include "profile/errors.h"

#include <stdlib.h>

struct next {
	uint64_t time_ns;
	size_t stream; /* ties: the thread that comes first */
};

struct profile_trace_merge {
	struct profile_trace_stream *streams;
	size_t stream_count;
	struct next *heap;
	size_t count;
	bool stale; /* the first one's event was returned, its next one is not known yet */
};

static inline bool is_before(const struct next *one, const struct next *other)
{
	return one->time_ns < other->time_ns || (one->time_ns == other->time_ns && one->stream < other->stream);
}

static void sift_down(struct profile_trace_merge *merge, size_t at)
{
	struct next moved = merge->heap[at];
	for (size_t child; (child = 2 * at + 1) < merge->count; at = child) {
		if (child + 1 < merge->count && is_before(&merge->heap[child + 1], &merge->heap[child]))
			child++;
		if (!is_before(&merge->heap[child], &moved))
			break;
		merge->heap[at] = merge->heap[child];
	}
	merge->heap[at] = moved;
}

/* What is merged. */
struct choice {
	const struct profile_trace *trace;
	const size_t *threads; /* NULL: all */
	size_t count;
	uint64_t from_ns;
};

static int start(struct profile_trace_merge *merge, const struct choice *choice)
{
	uint64_t from_ns = choice->from_ns;
	for (; merge->stream_count < choice->count; merge->stream_count++) {
		struct profile_trace_stream *stream = &merge->streams[merge->stream_count];
		size_t thread = choice->threads ? choice->threads[merge->stream_count] : merge->stream_count;
		int error = profile_trace_stream_open(stream, choice->trace, thread);
		if (!error && from_ns)
			error = profile_trace_stream_seek(stream, from_ns);
		if (error)
			return error;
		struct next *next = &merge->heap[merge->count];
		next->stream = merge->stream_count;
		if (profile_trace_peek(stream, &next->time_ns))
			merge->count++;
	}
	for (size_t i = merge->count / 2; i-- > 0;)
		sift_down(merge, i);
	return 0;
}

static struct profile_trace_merge *open_choice(const struct choice *choice)
{
	struct profile_trace_merge *merge = calloc(1, sizeof(*merge));
	if (!merge)
		return NULL;
	merge->streams = calloc(choice->count + 1, sizeof(*merge->streams));
	merge->heap = calloc(choice->count + 1, sizeof(*merge->heap));
	if (merge->streams && merge->heap && start(merge, choice) == 0)
		return merge;
	profile_trace_merge_close(merge);
	return NULL;
}

struct profile_trace_merge *profile_trace_merge_open(const struct profile_trace *trace, uint64_t from_ns)
{
	return open_choice(&(struct choice){.trace = trace, .count = trace->thread_count, .from_ns = from_ns});
}

struct profile_trace_merge *profile_trace_merge_open_some(
	const struct profile_trace *trace, const size_t *threads, size_t count)
{
	return open_choice(&(struct choice){.trace = trace, .threads = threads, .count = count});
}

/* Where the first stream goes on decides its new place. */
static void refresh(struct profile_trace_merge *merge)
{
	struct next *first = &merge->heap[0];
	if (!profile_trace_peek(&merge->streams[first->stream], &first->time_ns))
		*first = merge->heap[--merge->count];
	if (merge->count)
		sift_down(merge, 0);
	merge->stale = false;
}

int profile_trace_merge_next(struct profile_trace_merge *merge, const struct profile_trace_stream **stream,
	struct profile_trace_event *event)
{
	for (;;) {
		if (merge->stale)
			refresh(merge);
		if (merge->count == 0)
			return 0;
		struct profile_trace_stream *first = &merge->streams[merge->heap[0].stream];
		merge->stale = true;
		*stream = first;
		if (profile_trace_next(first, event))
			return 1;
	}
}

size_t profile_trace_merge_broken(const struct profile_trace_merge *merge)
{
	size_t broken = 0;
	for (size_t i = 0; i < merge->stream_count; i++)
		broken += merge->streams[i].error != 0;
	return broken;
}

int profile_trace_merge_error(const struct profile_trace_merge *merge)
{
	for (size_t i = 0; i < merge->stream_count; i++)
		if (merge->streams[i].error == -ENOMEM)
			return -ENOMEM;
	return 0;
}

void profile_trace_merge_close(struct profile_trace_merge *merge)
{
	if (!merge)
		return;
	for (size_t i = 0; merge->streams && i < merge->stream_count; i++)
		profile_trace_stream_close(&merge->streams[i]);
	free(merge->streams);
	free(merge->heap);
	free(merge);
}
