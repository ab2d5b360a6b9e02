/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ring of blocks. The helper thread waits until half of it is free, and the other one until half of it is full, so
 * that they do not wake each other for each block.
 */
#include "profile/trace/trace_ahead.h"

#include "profile/trace/trace_burst.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/* So many that a block has left the caches of the processor that took it before it is filled again: to write lines that
 * another processor has takes several times longer. */
#define BLOCKS 64

struct profile_trace_ahead {
	struct profile_trace_selection selection;
	struct profile_trace_bursts *bursts; /* the helper's until `over`; NULL: no memory */
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

/* Returns NULL if the reader wants no more. */
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
	/* Reads the first chunk of every stream; all helpers do so at the same time. */
	ahead->bursts = profile_trace_bursts_open(&ahead->selection);
	while (more > 0 && (block = wait_for_room(ahead)) != NULL) {
		more = ahead->bursts ? profile_trace_bursts_fill(ahead->bursts, block) : -ENOMEM;
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

/* ---- the reader ---- */

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
	return is_over(ahead) && ahead->bursts ? profile_trace_bursts_broken(ahead->bursts) : 0;
}

int profile_trace_ahead_error(struct profile_trace_ahead *ahead)
{
	if (!is_over(ahead))
		return 0;
	return ahead->error ? ahead->error : profile_trace_bursts_error(ahead->bursts);
}

/* ---- both ---- */

static void release(struct profile_trace_ahead *ahead)
{
	for (size_t i = 0; i < BLOCKS; i++)
		free(ahead->blocks[i].entries);
	profile_trace_bursts_close(ahead->bursts);
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
	if (pthread_create(&ahead->thread, NULL, read_ahead, ahead) == 0)
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
