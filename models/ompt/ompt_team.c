/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread's records stand in a ring. */
#include "models/ompt/ompt_team.h"

#include <stddef.h>

#include "core/memory.h"
#include "core/thread.h"
#include "models/ompt/ompt_events.h"

#define TRIES 8 /* regions that enclose the new one, or that workers wait in, may come first */

struct heddle_ompt_thread *heddle__ompt_thread(struct heddle_thread *thread)
{
	struct heddle_ompt_thread *own = thread->frontend[heddle__ompt_index];
	if (!own)
		thread->frontend[heddle__ompt_index] = own = heddle__alloc(sizeof(*own));
	return own;
}

/* What others wrote or read while they held it was before. */
static bool is_free(struct heddle_ompt_team *team)
{
	return !team->own && !atomic_load_explicit(&team->holders, memory_order_acquire);
}

/* From the one taken last on; what was looked at in vain is passed over next time. */
static struct heddle_ompt_team *find_free(struct heddle_ompt_thread *own)
{
	for (int i = 0; own->last && i < TRIES; i++) {
		if (is_free(own->last))
			return own->last;
		own->last = own->last->next;
	}
	return NULL;
}

/* One more, at that place of the ring. */
static struct heddle_ompt_team *make(struct heddle_ompt_thread *own)
{
	const size_t line = _Alignof(struct heddle_ompt_team);
	uintptr_t at = (uintptr_t)heddle__alloc(sizeof(struct heddle_ompt_team) + line);
	if (!at)
		return NULL;
	struct heddle_ompt_team *team = (struct heddle_ompt_team *)((at + line - 1) / line * line);
	team->next = own->last ? own->last->next : team;
	if (own->last)
		own->last->next = team;
	return team;
}

struct heddle_ompt_team *heddle__ompt_team_take(struct heddle_thread *thread)
{
	struct heddle_ompt_thread *own = heddle__ompt_thread(thread);
	struct heddle_ompt_team *team = own ? find_free(own) : NULL;
	if (!team && own)
		team = make(own);
	if (!team)
		return NULL;
	own->last = team;
	team->creator = thread;
	team->own = 1;
	team->alone = false;
	team->group.waiting = 0;
	atomic_store_explicit(&team->group.ended, 0, memory_order_relaxed);
	return team;
}
