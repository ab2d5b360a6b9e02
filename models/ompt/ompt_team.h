/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One record for each parallel region in flight. A worker may refer to it long after the region ended (its end events
 * come at the next fork only), so a record is used again when its last thread has let go of it; memory grows with the
 * number of regions alive at once.
 *
 * Records belong to the thread that creates the regions, and only it uses them again: it needs no atomic operation for
 * its own part, and no thread meets others at a list.
 */
#ifndef HEDDLE_MODELS_OMPT_OMPT_TEAM_H
#define HEDDLE_MODELS_OMPT_OMPT_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/blame.h"

struct heddle_thread;

/* A cache line each: the team's threads look at it while others are made and let go of. */
struct heddle_ompt_team {
	_Alignas(64) struct heddle_group group; /* first: the tasks' owner, as core knows it */
	uint64_t place;                         /* of the construct */
	const struct heddle_thread *creator;    /* thread that created the region */
	uintptr_t creator_cfa;                  /* stack address at which the creator's frames begin */
	struct heddle_ompt_team *next;          /* of the creator's records, in a ring */
	uint32_t context;                       /* node of the region */
	uint16_t own;                           /* holds of the creator: of the region, and of its task in it */
	bool alone;               /* a team of one: it may run on its creator's stack without the runtime in between */
	_Atomic uint32_t holders; /* other threads of the team, each until its end event */
};

/* What this front end keeps for a thread. */
struct heddle_ompt_thread {
	struct heddle_ompt_team *league; /* the league it began last, until that ends */
	struct heddle_ompt_team *last;   /* of its records, the one taken last */
};

/* The calling thread's, made if it has none; NULL: no memory. Context: owner thread, inside. */
struct heddle_ompt_thread *heddle__ompt_thread(struct heddle_thread *thread);

/* A record of the calling thread's, held once by it; NULL: no memory. Context: owner thread, inside. */
struct heddle_ompt_team *heddle__ompt_team_take(struct heddle_thread *thread);

/* Once more, and once less, by `thread`. Context: owner thread. */
static inline void heddle__ompt_team_hold(struct heddle_ompt_team *team, const struct heddle_thread *thread)
{
	if (team->creator == thread)
		team->own++;
	else
		atomic_fetch_add_explicit(&team->holders, 1, memory_order_relaxed);
}

static inline void heddle__ompt_team_let_go(struct heddle_ompt_team *team, const struct heddle_thread *thread)
{
	if (team->creator == thread)
		team->own--;
	else
		atomic_fetch_sub_explicit(&team->holders, 1, memory_order_release);
}

#endif
