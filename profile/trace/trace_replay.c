/* SPDX-License-Identifier: BSD-3-Clause */
/* A second copy of a stream's stack, for the thread that receives events which another thread decoded. */
#include "profile/trace/trace_block.h"

#include "profile/base/intern.h"
#include "profile/trace/trace_record.h"
#include "profile/trace/trace_stream.h"

#include <errno.h>
#include <string.h>

#define AHEAD 32 /* steps until one that is prefetched: another processor has written it */

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

/* Stores members directly: a copy of bytes that were just written would be stalled. */
static int push_one(struct profile_trace_stream *stream, const struct profile_trace_event *event, bool region)
{
	if (stream->depth == stream->room &&
		profile_reserve(&stream->stack, &stream->room, stream->depth + 1, sizeof(*stream->stack)) != 0)
		return -ENOMEM;
	struct profile_trace_entry *entry = &stream->stack[stream->depth++];
	entry->node = event->node;
	entry->timed = event->timed;
	entry->region = region;
	entry->task = 0;
	return 0;
}

/* Passes chunks without events, too, because one of them may be missing. */
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
	stream->ticks = stream->thread->chunks[chunk].first;
}

static int take_entries(struct profile_trace_stream *stream, const struct profile_trace_event *event,
	const struct profile_trace_entry *pushed)
{
	stream->depth = event->operand;
	stream->unknown = false;
	return push(stream, pushed, event->pushed);
}

static int apply(struct profile_trace_stream *stream, const struct profile_trace_event *event,
	const struct profile_trace_entry *pushed)
{
	switch (event->kind) {
	case HEDDLE_TRACE_END:
		stream->depth--;
		return 0;
	case HEDDLE_TRACE_BEGIN:
	case HEDDLE_TRACE_BEGIN_UNTIMED:
		return push_one(stream, event, true);
	case HEDDLE_TRACE_OPEN:
		return push_one(stream, event, false);
	case HEDDLE_TRACE_IDLE:
		stream->idle = (struct profile_trace_entry){.node = event->node, .timed = event->timed};
		return 0;
	case HEDDLE_TRACE_STACK:
		return take_entries(stream, event, pushed);
	case HEDDLE_TRACE_MARK:
		profile_trace_apply_mark(stream, event);
		return 0;
	default:
		return 0;
	}
}

static void add_more(struct profile_trace_event *event, const struct profile_trace_more *more)
{
	event->value = more->value;
	event->cpu_ns = more->cpu_ns;
	event->wall_ticks = more->wall_ticks;
	event->partner = more->partner;
	event->identity = more->identity;
	event->text = more->text;
	if (event->kind == HEDDLE_TRACE_MESSAGE)
		event->own_rank = more->own_rank;
	else
		event->pushed = more->pushed;
}

const struct profile_trace_step *profile_trace_take_step(
	struct profile_trace_taken *taken, struct profile_trace_event *event, const struct profile_trace_entry **pushed)
{
	const struct profile_trace_block *block = taken->block;
	const struct profile_trace_step *step = &block->steps[taken->steps++];
	__builtin_prefetch(step + AHEAD);
	*event = (struct profile_trace_event){.kind = (enum heddle_trace_kind)step->kind,
		.ticks = step->ticks,
		.time_ns = step->time_ns,
		.charged = HEDDLE_NO_NODE,
		.node = step->node,
		.timed = step->timed};
	if (profile_trace_has_tree_node(step->kind))
		event->tree_node = step->tree_node;
	else
		event->operand = step->operand;
	if (step->more) {
		__builtin_prefetch(block->more + taken->more + AHEAD / 4);
		add_more(event, &block->more[taken->more++]);
	}
	if (step->kind != HEDDLE_TRACE_STACK)
		return step;
	*pushed = event->pushed ? block->entries + taken->entries : NULL;
	taken->entries += event->pushed;
	return step;
}

/* Passes time in the same way as when the record was decoded. */
static void pass_time(struct profile_trace_stream *stream, struct profile_trace_event *event)
{
	stream->time_ns = event->time_ns;
	if (!profile_trace_advances(event->kind))
		return;
	event->elapsed = event->ticks - stream->ticks;
	if (event->kind != HEDDLE_TRACE_MARK || event->operand != HEDDLE_TRACE_THREAD_BEGIN)
		event->charged = profile_trace_charged(stream);
	stream->ticks = event->ticks;
}

int profile_trace_replay(
	struct profile_trace_stream *stream, struct profile_trace_taken *taken, struct profile_trace_event *event)
{
	const struct profile_trace_entry *pushed = NULL;
	const struct profile_trace_step *step = profile_trace_take_step(taken, event, &pushed);
	const struct profile_trace_more *more = step->more ? &taken->block->more[taken->more - 1] : NULL;
	if (more && (!stream->loaded || stream->chunk != more->chunk))
		go_to_chunk(stream, more->chunk);
	pass_time(stream, event);
	return apply(stream, event, pushed);
}
