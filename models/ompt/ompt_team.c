/* SPDX-License-Identifier: BSD-3-Clause */
/* Each thread has its records in batches, and its batches in a ring. */
#include "models/ompt/ompt_team.h"

#include <stddef.h>

#include "core/base/memory.h"
#include "core/threads/thread.h"

#define TRIES 4 /* batches that may be full of enclosing regions, or of regions that workers wait in */

struct heddle_ompt_thread *heddle__ompt_thread_make(struct heddle_thread *thread)
{
	struct heddle_ompt_thread *own = thread->frontend[heddle__ompt_index];
	if (!own)
		thread->frontend[heddle__ompt_index] = own = heddle__alloc(sizeof(*own));
	return own;
}

/* Returns one bit for each record of the batch that some thread references in its `held`. */
static uint32_t look_for_held(const struct heddle_ompt_batch *batch)
{
	uint32_t held = 0;
	for (const struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		const struct heddle_ompt_thread *own = heddle__ompt_thread_of(thread);
		uintptr_t team = own ? (uintptr_t)atomic_load_explicit(&own->held, memory_order_acquire) : 0;
		uintptr_t offset = team - (uintptr_t)batch->teams;
		if (offset < sizeof(batch->teams))
			held |= (uint32_t)1 << offset / sizeof(batch->teams[0]);
	}
	return held;
}

/*
 * Returns one bit for each free record. The acquire orders other threads' accesses under their references before any
 * reuse.
 */
static uint32_t look_for_free(const struct heddle_ompt_batch *batch)
{
	uint32_t free = 0;
	for (unsigned int i = 0; i < HEDDLE_OMPT_BATCH; i++) {
		if (!batch->own[i] && !atomic_load_explicit(&batch->holders[i], memory_order_acquire))
			free |= (uint32_t)1 << i;
	}
	return free ? free & ~look_for_held(batch) : 0;
}

/* Returns a batch with a free record. The search begins at the batch used last. */
static struct heddle_ompt_batch *find_batch(struct heddle_ompt_batch *batch)
{
	for (int i = 0; batch && i < TRIES; i++) {
		if (!batch->free)
			batch->free = look_for_free(batch);
		if (batch->free)
			return batch;
		batch = batch->next;
	}
	return NULL;
}

/* Inserts a new batch into the ring, after `last`. */
static struct heddle_ompt_batch *make(struct heddle_thread *thread, struct heddle_ompt_batch *last)
{
	struct heddle_ompt_batch *batch = heddle__alloc(sizeof(*batch));
	if (!batch)
		return NULL;
	for (unsigned int i = 0; i < HEDDLE_OMPT_BATCH; i++) {
		batch->teams[i].creator = thread;
		batch->teams[i].batch = batch;
		batch->teams[i].number = (uint8_t)i;
	}
	batch->free = ((uint32_t)1 << HEDDLE_OMPT_BATCH) - 1;
	batch->next = last ? last->next : batch;
	if (last)
		last->next = batch;
	return batch;
}

struct heddle_ompt_team *heddle__ompt_team_take(struct heddle_thread *thread)
{
	struct heddle_ompt_thread *own = heddle__ompt_thread_make(thread);
	struct heddle_ompt_batch *batch = own ? find_batch(own->batch) : NULL;
	if (!batch && own)
		batch = make(thread, own->batch);
	if (!batch)
		return NULL;
	unsigned int number = (unsigned int)__builtin_ctz(batch->free);
	struct heddle_ompt_team *team = &batch->teams[number];
	own->batch = batch;
	batch->free &= batch->free - 1;
	batch->own[number] = 1;
	team->alone = false;
	team->left = 0;
	team->group.waiting = 0;
	atomic_store_explicit(&team->group.ended, 0, memory_order_relaxed);
	return team;
}
