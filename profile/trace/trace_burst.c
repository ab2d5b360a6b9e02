/* SPDX-License-Identifier: BSD-3-Clause */
/* A burst ends with a record of the whole stack, as the block takes the entries from the stream's. */
#include "profile/trace/trace_burst.h"

#include "profile/base/intern.h"
#include "profile/base/pages.h"
#include "profile/trace/trace_record.h"
#include "profile/trace/trace_stream.h"
#include "profile/trace/trace_tournament.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS 32    /* of a burst: those of 500 streams are to fit into a processor's cache */
#define MORE 24      /* of these */
#define ENTRIES 4096 /* a block that has so many of them takes no more events */

/* Events of a stream that were decoded and not taken yet. */
struct burst {
	uint32_t at, count, more_at, more_count;
	size_t chunk; /* of the last event + 1; 0: none */
	struct profile_trace_step steps[EVENTS];
	struct profile_trace_more more[MORE];
};

struct profile_trace_bursts {
	struct profile_trace_streams streams;
	struct profile_trace_tournament tournament;
	struct burst *items;  /* of each stream */
	size_t first, stride; /* positions */
};

static void keep_more(struct burst *burst, const struct profile_trace_event *event, size_t chunk)
{
	burst->more[burst->more_count++] = (struct profile_trace_more){.value = event->value,
		.cpu_ns = event->cpu_ns,
		.wall_ticks = event->wall_ticks,
		.partner = event->partner,
		.identity = event->identity,
		.pushed = event->kind == HEDDLE_TRACE_MESSAGE ? event->own_rank : event->pushed,
		.text = event->text,
		.chunk = chunk};
}

static inline bool has_more(const struct profile_trace_event *event)
{
	return event->value || event->kind == HEDDLE_TRACE_STACK || event->kind == HEDDLE_TRACE_SAMPLE ||
	       event->kind == HEDDLE_TRACE_DISTRIBUTE || event->kind == HEDDLE_TRACE_ACCESS ||
	       event->kind == HEDDLE_TRACE_MESSAGE;
}

static void keep(struct burst *burst, size_t position, size_t chunk, const struct profile_trace_event *event)
{
	bool more = burst->chunk != chunk + 1 || has_more(event);
	burst->chunk = chunk + 1;
	burst->steps[burst->count++] = (struct profile_trace_step){.time_ns = event->time_ns,
		.ticks = event->ticks,
		.node = event->node,
		.operand = profile_trace_has_tree_node(event->kind) ? event->tree_node : event->operand,
		.position = (uint32_t)position,
		.kind = (uint8_t)event->kind,
		.timed = event->timed,
		.more = more};
	if (more)
		keep_more(burst, event, chunk);
}

static void decode(struct profile_trace_bursts *bursts, size_t index)
{
	struct burst *burst = &bursts->items[index];
	struct profile_trace_stream *stream = &bursts->streams.items[index];
	struct profile_trace_event event = {.kind = HEDDLE_TRACE_END};
	size_t position = bursts->first + index * bursts->stride;
	burst->at = burst->count = burst->more_at = burst->more_count = 0;
	while (burst->count < EVENTS && burst->more_count < MORE && event.kind != HEDDLE_TRACE_STACK &&
		profile_trace_next(stream, &event))
		keep(burst, position, stream->chunk, &event);
}

/* The time of a stream's next event. */
static inline uint64_t next_time(struct profile_trace_bursts *bursts, size_t index)
{
	struct burst *burst = &bursts->items[index];
	if (burst->at == burst->count)
		decode(bursts, index);
	if (burst->at == burst->count)
		return PROFILE_TRACE_ENDED;
	return profile_trace_before_end(burst->steps[burst->at].time_ns);
}

static int start(struct profile_trace_bursts *bursts, const struct profile_trace_selection *selection)
{
	int error = profile_trace_streams_open(&bursts->streams, selection);
	if (!error)
		error = profile_trace_tournament_make(&bursts->tournament, bursts->streams.count);
	if (error)
		return error;
	bursts->items = profile_pages_map((bursts->streams.count + 1) * sizeof(*bursts->items));
	if (!bursts->items)
		return -ENOMEM;
	for (size_t i = 0; i < bursts->streams.count; i++)
		bursts->tournament.times[i] = next_time(bursts, i);
	return profile_trace_tournament_start(&bursts->tournament);
}

struct profile_trace_bursts *profile_trace_bursts_open(const struct profile_trace_selection *selection)
{
	struct profile_trace_bursts *bursts = calloc(1, sizeof(*bursts));
	if (!bursts)
		return NULL;
	bursts->first = selection->first;
	bursts->stride = selection->stride;
	if (start(bursts, selection) == 0)
		return bursts;
	profile_trace_bursts_close(bursts);
	return NULL;
}

/* ---- blocks ---- */

static int take_entries(struct profile_trace_block *block, const struct profile_trace_stream *stream, size_t count)
{
	size_t needed = block->entry_count + count;
	int error = profile_reserve(&block->entries, &block->entry_room, needed, sizeof(*block->entries));
	if (error)
		return error;
	if (count)
		memcpy(block->entries + block->entry_count, stream->stack + stream->depth - count,
			count * sizeof(*block->entries));
	block->entry_count = needed;
	return 0;
}

static inline void prefetch_lines(const void *at, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += PROFILE_TRACE_LINE)
		__builtin_prefetch((const char *)at + i);
}

/*
 * When it is the stream's turn again, what is needed then has left the caches: before a burst, what decoding needs,
 * each step what the one before has fetched pointers of.
 */
static inline void prefetch(const struct profile_trace_bursts *bursts, size_t index)
{
	const struct burst *burst = &bursts->items[index];
	const struct profile_trace_stream *stream = &bursts->streams.items[index];
	uint32_t left = burst->count - burst->at;
	if (left) {
		__builtin_prefetch(burst->steps + burst->at);
		__builtin_prefetch(burst->more + burst->more_at);
	}
	if (left == 3) {
		prefetch_lines(stream, offsetof(struct profile_trace_stream, more));
	} else if (left == 2) {
		prefetch_lines(profile_trace_file_of(stream), offsetof(struct profile_trace_file, path));
	} else if (left == 1) {
		const struct profile_trace_file *file = profile_trace_file_of(stream);
		prefetch_lines(stream->bytes.at + stream->at, 4 * PROFILE_TRACE_LINE);
		prefetch_lines(burst, 2 * PROFILE_TRACE_LINE);
		__builtin_prefetch(file->map + stream->last_node);
		__builtin_prefetch(file->groups);
	}
}

/* Takes the stream's next event. */
static int take(struct profile_trace_bursts *bursts, size_t index, struct profile_trace_block *block)
{
	struct burst *burst = &bursts->items[index];
	const struct profile_trace_step *step = &burst->steps[burst->at++];
	const struct profile_trace_more *more = NULL;
	block->steps[block->count++] = *step;
	if (step->more) {
		more = &burst->more[burst->more_at++];
		block->more[block->more_count++] = *more;
	}
	prefetch(bursts, index);
	return step->kind == HEDDLE_TRACE_STACK ? take_entries(block, &bursts->streams.items[index], more->pushed) : 0;
}

int profile_trace_bursts_fill(struct profile_trace_bursts *bursts, struct profile_trace_block *block)
{
	struct profile_trace_tournament *tournament = &bursts->tournament;
	block->count = block->more_count = block->entry_count = 0;
	while (block->count < PROFILE_TRACE_STEPS && block->entry_count < ENTRIES) {
		size_t index = tournament->winner;
		if (tournament->times[index] == PROFILE_TRACE_ENDED)
			return 0;
		if (take(bursts, index, block) != 0)
			return -ENOMEM;
		profile_trace_tournament_replace(tournament, next_time(bursts, index));
	}
	return 1;
}

/* ---- the end ---- */

size_t profile_trace_bursts_broken(const struct profile_trace_bursts *bursts)
{
	return profile_trace_streams_broken(&bursts->streams);
}

int profile_trace_bursts_error(const struct profile_trace_bursts *bursts)
{
	return profile_trace_streams_error(&bursts->streams);
}

void profile_trace_bursts_close(struct profile_trace_bursts *bursts)
{
	if (!bursts)
		return;
	profile_pages_unmap(bursts->items, (bursts->streams.count + 1) * sizeof(*bursts->items));
	profile_trace_streams_close(&bursts->streams);
	profile_trace_tournament_free(&bursts->tournament);
	free(bursts);
}
