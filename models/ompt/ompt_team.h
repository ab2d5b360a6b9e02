/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One record for each parallel region in flight. A worker may refer to it long after the region ended (its end events
 * come at the next fork only), so a record is used again when its last thread has let go of it; memory grows with the
 * number of regions alive at once.
 *
 * Records belong to the thread that creates the regions, and only it uses them again: it needs no atomic operation for
 * its own part, and no thread meets others at a list. A worker says in memory of its own which record it holds, with a
 * plain store: it does so before the region's last barrier, so its creator sees it in time. What the creator writes for
 * the others and what is its own are on cache lines of their own; it looks at what they wrote once for a whole batch of
 * records, so that these lines do not go to and fro with each region.
 */
#ifndef HEDDLE_MODELS_OMPT_OMPT_TEAM_H
#define HEDDLE_MODELS_OMPT_OMPT_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/blame.h"
#include "core/thread.h"

/* Of this front end among all: a thread's `frontend` entry is its struct heddle_ompt_thread, or NULL. */
extern unsigned int heddle__ompt_index;

/* A cache line each, written by its creator alone. */
struct heddle_ompt_team {
	_Alignas(64) struct heddle_group group; /* first: the tasks' owner, as core knows it */
	uint64_t place;                         /* of the construct */
	const struct heddle_thread *creator;    /* thread that created the region */
	uintptr_t creator_cfa;                  /* stack address at which the creator's frames begin */
	struct heddle_ompt_batch *batch;        /* where it stands */
	uint64_t left;    /* measured tick at which its creator left the last barrier; 0: unknown */
	uint32_t context; /* node of the region */
	uint8_t number;   /* in its batch */
	bool alone;       /* a team of one: it may run on its creator's stack without the runtime in between */
};

#define HEDDLE_OMPT_BATCH 16

struct heddle_ompt_batch {
	struct heddle_ompt_team teams[HEDDLE_OMPT_BATCH];
	/* Other threads of a team that hold another's already, each until its end event. */
	_Alignas(64) _Atomic uint32_t holders[HEDDLE_OMPT_BATCH];
	/* Holds of the creator: of the region, and of its task in it. */
	_Alignas(64) uint16_t own[HEDDLE_OMPT_BATCH];
	uint32_t free;                  /* a bit each: those that nobody held when last looked at */
	struct heddle_ompt_batch *next; /* of the creator's, in a ring */
};

/* What explicit tasks of a context came to before. */
struct heddle_ompt_known_task {
	uint64_t word;              /* of those that were not started yet; 0: nothing was kept */
	struct heddle_slot *time;   /* as of heddle__task_slot */
	struct heddle_slot *starts; /* counts how often such were started */
};

#define HEDDLE_OMPT_KNOWN_TASKS 4
#define HEDDLE_OMPT_OPEN 16

/* What this front end keeps for a thread. */
struct heddle_ompt_thread {
	_Alignas(64) struct heddle_ompt_team *league; /* the league it began last, until that ends */
	struct heddle_ompt_batch *batch;              /* of its records, that of the one taken last */
	struct heddle_ompt_team *_Atomic held;        /* another's, since its implicit task began; its creator looks */
	const void *word;                             /* where the runtime told of that; of the next one, most likely */
	bool leaves; /* that one's last barrier; the task's entry goes when the next task begins, or the thread ends */
	const struct heddle_known_site *created; /* by which the last task was */
	uint32_t open_count;                     /* regions that it created and that have not ended */
	struct heddle_ompt_team *open[HEDDLE_OMPT_OPEN];
	struct heddle_ompt_known_task tasks[HEDDLE_OMPT_KNOWN_TASKS];
};

/* The calling thread's, made if it has none; NULL: no memory. Context: owner thread, inside. */
struct heddle_ompt_thread *heddle__ompt_thread(struct heddle_thread *thread);

/* A thread's, or NULL. Context: any thread. */
static inline struct heddle_ompt_thread *heddle__ompt_own(const struct heddle_thread *thread)
{
	return thread->frontend[heddle__ompt_index];
}

static inline struct heddle_ompt_team *heddle__ompt_held(const struct heddle_ompt_thread *own)
{
	return own ? atomic_load_explicit(&own->held, memory_order_relaxed) : NULL;
}

/* The calling thread has created a region (NULL: no memory), and it ends the one created last. Context: owner thread.
 */
static inline void heddle__ompt_team_open(struct heddle_ompt_thread *own, struct heddle_ompt_team *team)
{
	if (own->open_count < HEDDLE_OMPT_OPEN)
		own->open[own->open_count] = team;
	own->open_count++;
}

/* That one; `named` when it is not known. */
static inline struct heddle_ompt_team *heddle__ompt_team_close(
	struct heddle_ompt_thread *own, struct heddle_ompt_team *named)
{
	if (!own || !own->open_count)
		return named;
	own->open_count--;
	return own->open_count < HEDDLE_OMPT_OPEN ? own->open[own->open_count] : named;
}

/* A record of the calling thread's, held once by it; NULL: no memory. Context: owner thread, inside. */
struct heddle_ompt_team *heddle__ompt_team_take(struct heddle_thread *thread);

/* Once more, and once less, by `thread`. Context: owner thread. */
static inline void heddle__ompt_team_hold(struct heddle_ompt_team *team, struct heddle_thread *thread)
{
	if (team->creator == thread) {
		team->batch->own[team->number]++;
		return;
	}
	struct heddle_ompt_thread *own = heddle__ompt_thread(thread);
	if (own && !heddle__ompt_held(own))
		atomic_store_explicit(&own->held, team, memory_order_relaxed);
	else
		atomic_fetch_add_explicit(&team->batch->holders[team->number], 1, memory_order_relaxed);
}

static inline void heddle__ompt_team_let_go(struct heddle_ompt_team *team, const struct heddle_thread *thread)
{
	struct heddle_ompt_batch *batch = team->batch;
	if (team->creator == thread) {
		if (!--batch->own[team->number] && team->alone)
			batch->free |= (uint32_t)1 << team->number; /* no other ever held it */
		return;
	}
	struct heddle_ompt_thread *own = heddle__ompt_own(thread);
	if (heddle__ompt_held(own) == team) {
		own->leaves = false;
		atomic_store_explicit(&own->held, NULL, memory_order_release);
	} else {
		atomic_fetch_sub_explicit(&batch->holders[team->number], 1, memory_order_release);
	}
}

/* The worker will look at these soon, which another processor wrote last: fetch them meanwhile. */
static inline void heddle__ompt_foresee(const struct heddle_ompt_thread *own)
{
	const struct heddle_ompt_team *held = heddle__ompt_held(own);
	__builtin_prefetch(own->word);
	__builtin_prefetch(held);
	__builtin_prefetch(held + 1); /* the next region's, unless others came in between */
}

#endif
