/* SPDX-License-Identifier: BSD-3-Clause */
/* A second copy of a stream's stack, for the thread that takes events which another one decoded ahead. */
#include "profile/trace_ahead.h"

#include "profile/intern.h"
#include "profile/trace_record.h"
#include "profile/trace_stream.h"

#include <string.h>

static int push(struct profile_trace_stream *stream, const struct profile_trace_entry *entries, size_t count)
{
	int error = profile_reserve(&stream->stack, &stream->room, stream->depth + count, sizeof(*stream->stack));
	if (error)
		return error;
	if (count)
		memcpy(stream->stack + stream->depth, entries, count * sizeof(*entries));
	stream->depth += count;
	return 0;
}

/* Chunks without events are passed as well: one of them may be missing. */
static void go_to_chunk(struct profile_trace_stream *stream, size_t chunk)
{
	if (!stream->loaded)
		stream->chunk = chunk;
	stream->loaded = true;
	while (stream->chunk < chunk) {
		stream->chunk++;
		if (profile_trace_follows_gap(stream->thread, stream->chunk))
			profile_trace_forget(stream);
	}
}

static int take_entries(
	struct profile_trace_stream *stream, struct profile_trace_taken *taken, const struct profile_trace_event *event)
{
	const struct profile_trace_entry *entries = taken->block->entries + taken->entries;
	taken->entries += event->pushed;
	stream->depth = event->operand;
	stream->unknown = false;
	return push(stream, entries, event->pushed);
}

static int apply(
	struct profile_trace_stream *stream, struct profile_trace_taken *taken, const struct profile_trace_event *event)
{
	struct profile_trace_entry entry = {.node = event->node, .timed = event->timed};
	switch (event->kind) {
	case HEDDLE_TRACE_END:
		stream->depth--;
		return 0;
	case HEDDLE_TRACE_BEGIN:
	case HEDDLE_TRACE_BEGIN_UNTIMED:
		entry.region = true;
		return push(stream, &entry, 1);
	case HEDDLE_TRACE_OPEN:
		return push(stream, &entry, 1);
	case HEDDLE_TRACE_IDLE:
		stream->idle = entry;
		return 0;
	case HEDDLE_TRACE_STACK:
		return take_entries(stream, taken, event);
	case HEDDLE_TRACE_MARK:
		profile_trace_apply_mark(stream, event);
		return 0;
	default:
		return 0;
	}
}

static void expand(struct profile_trace_taken *taken, struct profile_trace_event *event)
{
	const struct profile_trace_step *step = &taken->block->steps[taken->steps++];
	*event = (struct profile_trace_event){.kind = (enum heddle_trace_kind)step->kind,
		.ticks = step->ticks,
		.time_ns = step->time_ns,
		.node = step->node,
		.timed = step->timed,
		.operand = step->operand,
		.value = step->value,
		.elapsed = step->elapsed,
		.charged = step->charged};
	if (!step->rare)
		return;
	const struct profile_trace_rare *rare = &taken->block->rare[taken->rare++];
	event->pushed = rare->pushed;
	event->cpu_ns = rare->cpu_ns;
	event->wall_ticks = rare->wall_ticks;
	event->partner = rare->partner;
	event->text = rare->text;
	event->real = rare->real;
}

int profile_trace_replay(
	struct profile_trace_stream *stream, struct profile_trace_taken *taken, struct profile_trace_event *event)
{
	go_to_chunk(stream, taken->block->steps[taken->steps].chunk);
	expand(taken, event);
	stream->ticks = event->ticks;
	stream->time_ns = event->time_ns;
	return apply(stream, taken, event);
}
