/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ring of blocks. The helper thread waits until half of it is free, and the other one until half of it is full, so
 * that they do not wake each other for each block.
 */
#include "profile/trace/trace_ahead.h"

#include "profile/base/intern.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 8
#define ENTRIES 4096 /* a block that has so many of them takes no more events */

struct profile_trace_ahead {
	struct profile_trace_selection selection;
	struct profile_trace_order *order; /* of the helper until it is over; NULL: no memory */
	size_t *chunks;                    /* of the helper, by position: chunk of the stream's last event + 1; or 0 */
	pthread_t thread;
	pthread_mutex_t mutex; /* for what follows */
	pthread_cond_t half_full, half_free;
	size_t filled, taken; /* in all; the block of number n is n % BLOCKS */
	bool holds;           /* the block `taken` is being read */
	bool over, stop;
	int error;
	struct profile_trace_block blocks[BLOCKS];
};

/* ---- the helper ---- */

static int keep_entries(struct profile_trace_block *block, const struct profile_trace_stream *stream, size_t count)
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

static void keep_more(struct profile_trace_block *block, const struct profile_trace_event *event, size_t chunk)
{
	block->more[block->more_count++] = (struct profile_trace_more){.value = event->value,
		.cpu_ns = event->cpu_ns,
		.wall_ticks = event->wall_ticks,
		.partner = event->partner,
		.real = event->real,
		.pushed = event->pushed,
		.text = event->text,
		.chunk = chunk};
}

static inline bool has_more(const struct profile_trace_event *event)
{
	return event->value || event->kind == HEDDLE_TRACE_STACK || event->kind == HEDDLE_TRACE_SAMPLE ||
	       event->kind == HEDDLE_TRACE_DISTRIBUTE || event->kind == HEDDLE_TRACE_ACCESS ||
	       event->kind == HEDDLE_TRACE_MESSAGE;
}

static int keep(struct profile_trace_ahead *ahead, struct profile_trace_block *block,
	const struct profile_trace_stream *stream, size_t position, const struct profile_trace_event *event)
{
	bool moved = ahead->chunks[position] != stream->chunk + 1, more = moved || has_more(event);
	ahead->chunks[position] = stream->chunk + 1;
	block->steps[block->count++] = (struct profile_trace_step){.time_ns = event->time_ns,
		.ticks = event->ticks,
		.node = event->node,
		.operand = event->operand,
		.position = (uint32_t)position,
		.kind = (uint8_t)event->kind,
		.timed = event->timed,
		.more = more};
	if (more)
		keep_more(block, event, stream->chunk);
	return event->kind == HEDDLE_TRACE_STACK ? keep_entries(block, stream, event->pushed) : 0;
}

/* 1: the block is full; 0: it has the last events; or an error. */
static int fill(struct profile_trace_ahead *ahead, struct profile_trace_block *block)
{
	const struct profile_trace_stream *stream;
	struct profile_trace_event event;
	size_t position;
	block->count = block->more_count = block->entry_count = 0;
	while (block->count < PROFILE_TRACE_STEPS && block->entry_count < ENTRIES) {
		if (!profile_trace_order_next(ahead->order, &stream, &position, &event))
			return 0;
		if (keep(ahead, block, stream, position, &event) != 0)
			return -ENOMEM;
	}
	return 1;
}

/* NULL: nobody wants more. */
static struct profile_trace_block *wait_for_room(struct profile_trace_ahead *ahead)
{
	pthread_mutex_lock(&ahead->mutex);
	if (ahead->filled - ahead->taken == BLOCKS)
		while (!ahead->stop && ahead->filled - ahead->taken > BLOCKS / 2)
			pthread_cond_wait(&ahead->half_free, &ahead->mutex);
	bool stop = ahead->stop;
	pthread_mutex_unlock(&ahead->mutex);
	return stop ? NULL : &ahead->blocks[ahead->filled % BLOCKS];
}

static void *read_ahead(void *argument)
{
	struct profile_trace_ahead *ahead = argument;
	struct profile_trace_block *block;
	int more = 1;
	/* This reads the first chunk of every stream; helpers do so at the same time. */
	ahead->order = profile_trace_order_open(&ahead->selection);
	while (more > 0 && (block = wait_for_room(ahead)) != NULL) {
		more = ahead->order ? fill(ahead, block) : -ENOMEM;
		pthread_mutex_lock(&ahead->mutex);
		ahead->filled += block->count > 0;
		ahead->over = more <= 0;
		ahead->error = more < 0 ? more : 0;
		if (ahead->over || ahead->filled - ahead->taken >= BLOCKS / 2)
			pthread_cond_signal(&ahead->half_full);
		pthread_mutex_unlock(&ahead->mutex);
	}
	return NULL;
}

/* ---- who takes ---- */

const struct profile_trace_block *profile_trace_ahead_next(struct profile_trace_ahead *ahead)
{
	pthread_mutex_lock(&ahead->mutex);
	ahead->taken += ahead->holds;
	if (ahead->filled - ahead->taken <= BLOCKS / 2)
		pthread_cond_signal(&ahead->half_free);
	if (ahead->filled == ahead->taken)
		while (!ahead->over && ahead->filled - ahead->taken < BLOCKS / 2)
			pthread_cond_wait(&ahead->half_full, &ahead->mutex);
	ahead->holds = ahead->filled > ahead->taken;
	const struct profile_trace_block *block = ahead->holds ? &ahead->blocks[ahead->taken % BLOCKS] : NULL;
	pthread_mutex_unlock(&ahead->mutex);
	return block;
}

static bool is_over(struct profile_trace_ahead *ahead)
{
	pthread_mutex_lock(&ahead->mutex);
	bool over = ahead->over && ahead->filled == ahead->taken;
	pthread_mutex_unlock(&ahead->mutex);
	return over;
}

size_t profile_trace_ahead_broken(struct profile_trace_ahead *ahead)
{
	return is_over(ahead) && ahead->order ? profile_trace_order_broken(ahead->order) : 0;
}

int profile_trace_ahead_error(struct profile_trace_ahead *ahead)
{
	if (!is_over(ahead))
		return 0;
	return ahead->error ? ahead->error : profile_trace_order_error(ahead->order);
}

/* ---- both ---- */

static void release(struct profile_trace_ahead *ahead)
{
	for (size_t i = 0; i < BLOCKS; i++)
		free(ahead->blocks[i].entries);
	profile_trace_order_close(ahead->order);
	free(ahead->chunks);
	pthread_cond_destroy(&ahead->half_full);
	pthread_cond_destroy(&ahead->half_free);
	pthread_mutex_destroy(&ahead->mutex);
	free(ahead);
}

struct profile_trace_ahead *profile_trace_ahead_open(const struct profile_trace_selection *selection)
{
	struct profile_trace_ahead *ahead = calloc(1, sizeof(*ahead));
	if (!ahead)
		return NULL;
	pthread_mutex_init(&ahead->mutex, NULL);
	pthread_cond_init(&ahead->half_full, NULL);
	pthread_cond_init(&ahead->half_free, NULL);
	ahead->selection = *selection;
	ahead->chunks = calloc(selection->count + 1, sizeof(*ahead->chunks));
	if (ahead->chunks && pthread_create(&ahead->thread, NULL, read_ahead, ahead) == 0)
		return ahead;
	release(ahead);
	return NULL;
}

void profile_trace_ahead_close(struct profile_trace_ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->mutex);
	ahead->stop = true;
	pthread_cond_signal(&ahead->half_free);
	pthread_mutex_unlock(&ahead->mutex);
	pthread_join(ahead->thread, NULL);
	release(ahead);
}
