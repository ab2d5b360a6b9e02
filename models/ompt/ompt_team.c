/* SPDX-License-Identifier: BSD-3-Clause */
/* A free list without a lock: numbers instead of pointers, with a count in the head against reuse in between. */
#include "models/ompt/ompt_team.h"

#include <stddef.h>

#include "core/memory.h"

#define CHUNK_TEAMS 256u
#define CHUNKS 1024u

static struct heddle_ompt_team *_Atomic chunks[CHUNKS];
static _Atomic uint32_t made;
static _Atomic uint64_t free_head; /* changes << 32 | number of the first free record */

static struct heddle_ompt_team *team_at(uint32_t number)
{
	return &chunks[(number - 1) / CHUNK_TEAMS][(number - 1) % CHUNK_TEAMS];
}

static struct heddle_ompt_team *take_free(void)
{
	uint64_t head = atomic_load(&free_head);
	while ((uint32_t)head) {
		struct heddle_ompt_team *team = team_at((uint32_t)head);
		uint64_t next = ((head >> 32) + 1) << 32 | atomic_load(&team->next_free);
		if (atomic_compare_exchange_weak(&free_head, &head, next))
			return team;
	}
	return NULL;
}

static struct heddle_ompt_team *make(void)
{
	uint32_t number = atomic_fetch_add(&made, 1) + 1;
	uint32_t chunk = (number - 1) / CHUNK_TEAMS;
	if (chunk >= CHUNKS)
		return NULL;
	if (!atomic_load(&chunks[chunk])) {
		struct heddle_ompt_team *expected = NULL, *fresh = heddle__map(CHUNK_TEAMS * sizeof(*fresh));
		if (!fresh)
			return NULL;
		if (!atomic_compare_exchange_strong(&chunks[chunk], &expected, fresh))
			heddle__unmap(fresh, CHUNK_TEAMS * sizeof(*fresh));
	}
	struct heddle_ompt_team *team = team_at(number);
	team->number = number;
	return team;
}

struct heddle_ompt_team *heddle__ompt_team_take(void)
{
	struct heddle_ompt_team *team = take_free();
	if (!team)
		team = make();
	if (!team)
		return NULL;
	team->alone = false;
	team->group.waiting = 0;
	atomic_store_explicit(&team->group.ended, 0, memory_order_relaxed);
	atomic_store_explicit(&team->holders, 1, memory_order_relaxed);
	return team;
}

void heddle__ompt_team_hold(struct heddle_ompt_team *team)
{
	atomic_fetch_add_explicit(&team->holders, 1, memory_order_relaxed);
}

void heddle__ompt_team_let_go(struct heddle_ompt_team *team)
{
	if (atomic_fetch_sub(&team->holders, 1) != 1)
		return;
	uint64_t head = atomic_load(&free_head), next;
	do {
		atomic_store(&team->next_free, (uint32_t)head);
		next = ((head >> 32) + 1) << 32 | team->number;
	} while (!atomic_compare_exchange_weak(&free_head, &head, next));
}
