/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams: a thread's records, one chunk at a time, and their times. The first damaged record ends the stream. */
#include "profile/trace/trace_stream.h"

#include "profile/base/errors.h"
#include "profile/trace/trace_clock.h"
#include "profile/trace/trace_file.h"
#include "profile/trace/trace_record.h"

#include <stdlib.h>

/* ---- chunks ---- */

void profile_trace_bytes_free(struct profile_trace_bytes *bytes)
{
	if (!bytes->lent)
		free(bytes->at);
	*bytes = (struct profile_trace_bytes){0};
}

size_t profile_trace_chunk_room(const struct profile_trace_thread *thread)
{
	size_t most = 0;
	for (size_t i = 0; i < thread->chunk_count; i++)
		if (thread->chunks[i].length > most)
			most = thread->chunks[i].length;
	return most + PROFILE_TRACE_HEAD_SIZE;
}

static int make_byte_room(struct profile_trace_bytes *bytes, size_t size)
{
	if (bytes->room >= size)
		return 0;
	profile_trace_bytes_free(bytes);
	bytes->at = malloc(size);
	bytes->room = bytes->at ? size : 0;
	return bytes->at ? 0 : -ENOMEM;
}

/* The bytes after the last one are zeros, so that the head of a record can be read at once. */
static int load(struct profile_trace_stream *stream, const struct profile_trace_chunk *chunk)
{
	int error = make_byte_room(&stream->bytes, (size_t)chunk->length + PROFILE_TRACE_HEAD_SIZE);
	if (error)
		return error;
	memset(stream->bytes.at + chunk->length, 0, PROFILE_TRACE_HEAD_SIZE);
	error = profile_trace_read(profile_trace_file_of(stream)->fd, stream->bytes.at, chunk->length, chunk->offset);
	if (error)
		return error == -HEDDLE_TRUNCATED ? -HEDDLE_CORRUPTED : error;
	return heddle_trace_sum(stream->bytes.at, chunk->length) == chunk->sum ? 0 : -HEDDLE_CORRUPTED;
}

bool profile_trace_follows_gap(const struct profile_trace_thread *thread, size_t chunk)
{
	return chunk == 0 || thread->chunks[chunk].order != thread->chunks[chunk - 1].order + 1;
}

/* Without a gap, nothing changes between chunks. */
void profile_trace_forget(struct profile_trace_stream *stream)
{
	stream->unknown = true;
	stream->off = false;
	stream->idle = (struct profile_trace_entry){0};
}

static void report_step(const struct profile_trace *trace)
{
	struct profile_trace_steps *steps = trace->steps;
	if (steps && steps->progress && steps->count)
		profile_progress_step(steps->progress, "reading parts of the trace",
			atomic_fetch_add(&steps->done, 1) % steps->count + 1, steps->count);
}

static bool begin_chunk(struct profile_trace_stream *stream)
{
	const struct profile_trace_chunk *chunk = &stream->thread->chunks[stream->chunk];
	report_step(stream->trace);
	int error = load(stream, chunk);
	if (error)
		return profile_trace_fail(stream, error);
	if (profile_trace_follows_gap(stream->thread, stream->chunk))
		profile_trace_forget(stream);
	stream->loaded = true;
	stream->size = chunk->length;
	stream->at = 0;
	stream->ticks = chunk->first;
	stream->paused = chunk->paused;
	stream->last_node = 0;
	stream->last_lock = 0;
	return true;
}

/* Loads the next record. Returns false if there is none. */
static inline bool has_record(struct profile_trace_stream *stream)
{
	while (!stream->error && (!stream->loaded || stream->at == stream->size)) {
		size_t next = stream->chunk + (stream->loaded ? 1 : 0);
		if (next >= stream->thread->chunk_count)
			return false;
		stream->chunk = next;
		stream->loaded = false;
		begin_chunk(stream);
	}
	return !stream->error;
}

/* ---- time ---- */

uint32_t profile_trace_charged(const struct profile_trace_stream *stream)
{
	const struct profile_trace_entry *top = stream->depth ? &stream->stack[stream->depth - 1] : &stream->idle;
	return stream->off || stream->unknown || !top->timed ? HEDDLE_NO_NODE : top->node;
}

/* Converted clocks may seem to go back for a moment; a thread's events must not. */
static inline uint64_t time_of(const struct profile_trace_stream *stream, uint64_t ticks)
{
	uint64_t at = profile_trace_ns(stream->trace, profile_trace_file_of(stream), ticks, stream->paused);
	return at > stream->time_ns ? at : stream->time_ns;
}

static inline bool pass_time(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event)
{
	event->charged = HEDDLE_NO_NODE;
	if (__builtin_add_overflow(stream->ticks, record->time, &event->ticks))
		return profile_trace_fail(stream, -HEDDLE_CORRUPTED);
	if (profile_trace_has_time(record->kind))
		stream->time_ns = stream->peeked ? stream->peeked_ns : time_of(stream, event->ticks);
	stream->peeked = false;
	event->time_ns = stream->time_ns;
	if (!profile_trace_advances(record->kind))
		return true;
	event->elapsed = record->time;
	event->charged = profile_trace_charged(stream);
	stream->ticks = event->ticks;
	return true;
}

/* A thread that reuses a context did not exist before. */
static inline void correct(struct profile_trace_event *event)
{
	if (event->kind == HEDDLE_TRACE_MARK && event->operand == HEDDLE_TRACE_THREAD_BEGIN)
		event->charged = HEDDLE_NO_NODE;
}

/* ---- streams ---- */

/* Marks may come before the stack. */
static bool may_be_first(const struct profile_trace_record *record)
{
	return (record->kind == HEDDLE_TRACE_STACK && record->operand == 0) || record->kind == HEDDLE_TRACE_MARK;
}

int profile_trace_next(struct profile_trace_stream *stream, struct profile_trace_event *event)
{
	struct profile_trace_record record;
	if (stream->more_count) {
		*event = stream->more[--stream->more_count];
		return 1;
	}
	if (!has_record(stream))
		return 0;
	bool first = stream->at == 0;
	size_t size = profile_trace_read_head(stream, &record);
	if (size > stream->size - stream->at || (first && !may_be_first(&record)))
		return profile_trace_fail(stream, -HEDDLE_CORRUPTED);
	stream->at += size;
	*event = (struct profile_trace_event){.kind = (enum heddle_trace_kind)record.kind};
	if (!pass_time(stream, &record, event) || !profile_trace_apply(stream, &record, event))
		return 0;
	correct(event);
	return 1;
}

bool profile_trace_peek(struct profile_trace_stream *stream, uint64_t *time_ns)
{
	struct profile_trace_record record;
	uint64_t ticks;
	*time_ns = stream->time_ns;
	if (stream->more_count)
		return true;
	if (!has_record(stream))
		return false;
	profile_trace_read_head(stream, &record);
	if (profile_trace_has_time(record.kind) && !__builtin_add_overflow(stream->ticks, record.time, &ticks)) {
		*time_ns = stream->peeked_ns = time_of(stream, ticks);
		stream->peeked = true;
	}
	/* If many streams are read in turn, the next line has left the caches by then, or never was in them. */
	__builtin_prefetch(stream->bytes.at + stream->at + PROFILE_TRACE_LINE);
	return true;
}

int profile_trace_stream_open(struct profile_trace_stream *stream, const struct profile_trace *trace, size_t thread)
{
	*stream = (struct profile_trace_stream){.trace = trace};
	if (thread >= trace->thread_count)
		return -EINVAL;
	stream->thread = &trace->threads[thread];
	profile_trace_forget(stream);
	return 0;
}

void profile_trace_stream_go(struct profile_trace_stream *stream, size_t chunk)
{
	profile_trace_forget(stream);
	stream->chunk = chunk;
	stream->loaded = stream->peeked = false;
	stream->more_count = 0;
	stream->at = stream->size = stream->depth = 0;
	stream->time_ns = 0;
	stream->error = 0;
}

size_t profile_trace_chunk_at(const struct profile_trace_stream *stream, uint64_t time_ns)
{
	const struct profile_trace_thread *thread = stream->thread;
	size_t low = 0, high = thread->chunk_count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		const struct profile_trace_chunk *chunk = &thread->chunks[middle];
		if (profile_trace_ns(stream->trace, profile_trace_file_of(stream), chunk->first, chunk->paused) <=
			time_ns)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int profile_trace_stream_seek(struct profile_trace_stream *stream, uint64_t time_ns)
{
	profile_trace_stream_go(stream, profile_trace_chunk_at(stream, time_ns));
	return 0;
}

void profile_trace_stream_close(struct profile_trace_stream *stream)
{
	profile_trace_bytes_free(&stream->bytes);
	free(stream->stack);
	*stream = (struct profile_trace_stream){0};
}
