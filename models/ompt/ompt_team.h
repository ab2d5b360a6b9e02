/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One record for each parallel region in flight. A worker may refer to it long after the region ended (its end events
 * arrive only at the next fork), so a record is recycled once its last reference is dropped; memory grows with the
 * number of regions alive at once.
 *
 * Records belong to the thread that creates the regions, and only that thread recycles them: it needs no atomic
 * operation for its own references, and threads do not contend for a list. A worker publishes its reference in its own
 * memory, with a relaxed store; it does so before the region's last barrier, so the creator sees it in time. What the
 * creator writes for the others and what is private to it are on separate cache lines; it reads the workers' references
 * once for a whole batch of records, to avoid cache-line ping-pong with each region.
 */
#ifndef HEDDLE_MODELS_OMPT_OMPT_TEAM_H
#define HEDDLE_MODELS_OMPT_OMPT_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/blame/blame.h"
#include "core/threads/thread.h"
#include "core/threads/trace.h"

/* The index of this front end: a thread's `frontend` entry is its struct heddle_ompt_thread, or NULL. */
extern unsigned int heddle__ompt_index;

/* The descriptor of the OpenMP model, and its number. */
extern const struct heddle_model heddle__openmp_model;
extern unsigned int heddle__ompt_model;

/* One cache line each, written by the creator only. */
struct heddle_ompt_team {
	_Alignas(64) struct heddle_group group; /* first: core uses its address as the tasks' owner */
	uint64_t place;                         /* of the construct */
	const struct heddle_thread *creator;    /* thread that created the region */
	uintptr_t creator_cfa;                  /* stack address at which the creator's frames begin */
	struct heddle_ompt_batch *batch;        /* the batch it is in */
	uint64_t left;    /* measured tick at which its creator left the last barrier; 0: unknown */
	uint32_t context; /* node of the region */
	uint8_t number;   /* index in its batch */
	bool alone;       /* a team of one thread: it may run on its creator's stack, without runtime frames between */
};

/* Returns the number of the team in a trace: no other region that exists at the same time has it. */
static inline uint64_t heddle__ompt_team_number(const struct heddle_ompt_team *team)
{
	return heddle__trace_number_of((uintptr_t)team);
}

#define HEDDLE_OMPT_BATCH 16

struct heddle_ompt_batch {
	struct heddle_ompt_team teams[HEDDLE_OMPT_BATCH];
	/* References of other threads, except those in their `held`; each is dropped at the thread's end event. */
	_Alignas(64) _Atomic uint32_t holders[HEDDLE_OMPT_BATCH];
	/* References of the creator: one for the region, and one for its own task in the region. */
	_Alignas(64) uint16_t own[HEDDLE_OMPT_BATCH];
	uint32_t free;                  /* one bit for each record: it had no references when last checked */
	struct heddle_ompt_batch *next; /* in the creator's ring */
};

/* Cached slots for the explicit tasks of a context. */
struct heddle_ompt_known_task {
	uint64_t word;              /* data word of such tasks before they start; 0: empty */
	struct heddle_slot *time;   /* from heddle__task_slot */
	struct heddle_slot *starts; /* counts the starts of such tasks */
};

#define HEDDLE_OMPT_KNOWN_TASKS 4
#define HEDDLE_OMPT_OPEN 16

/* The last result of heddle__ompt_recursion. It stays valid, since the ancestors of a node do not change. */
struct heddle_ompt_recursion {
	uint64_t place;
	uint32_t node, meta; /* meta 0: none */
	uint32_t outer;
};

/* Per-thread data of this front end. */
struct heddle_ompt_thread {
	_Alignas(64) struct heddle_ompt_team *league; /* the league that the thread began last, until the league ends */
	struct heddle_ompt_batch *batch;              /* of its records: the one from which it allocated last */
	struct heddle_ompt_team *_Atomic held;        /* another thread's team; its creator reads this */
	const void *word;                             /* data word that reported `held`, likely the next team, too */
	bool in_last_barrier; /* `held`'s last barrier; the task is popped when the next task begins, or the thread ends
			       */
	const struct heddle_known_site *created; /* site of the task that was created last */
	struct heddle_ompt_recursion recursion;
	uint32_t open_count; /* regions that it created and that have not ended */
	struct heddle_ompt_team *open[HEDDLE_OMPT_OPEN];
	struct heddle_ompt_known_task tasks[HEDDLE_OMPT_KNOWN_TASKS];
};

/* Returns the calling thread's data, allocated if necessary; NULL: no memory. Context: owner thread, inside. */
struct heddle_ompt_thread *heddle__ompt_thread_make(struct heddle_thread *thread);

/* Returns a thread's data, or NULL. Context: any thread. */
static inline struct heddle_ompt_thread *heddle__ompt_thread_of(const struct heddle_thread *thread)
{
	return thread->frontend[heddle__ompt_index];
}

static inline struct heddle_ompt_team *heddle__ompt_held(const struct heddle_ompt_thread *own)
{
	return own ? atomic_load_explicit(&own->held, memory_order_relaxed) : NULL;
}

/*
 * Records that the calling thread created a region (NULL: no memory). Regions end in reverse order. Context: owner
 * thread.
 */
static inline void heddle__ompt_team_open(struct heddle_ompt_thread *own, struct heddle_ompt_team *team)
{
	if (own->open_count < HEDDLE_OMPT_OPEN)
		own->open[own->open_count] = team;
	own->open_count++;
}

/* Returns the region that was created last, or `named` if that is not known. */
static inline struct heddle_ompt_team *heddle__ompt_team_close(
	struct heddle_ompt_thread *own, struct heddle_ompt_team *named)
{
	if (!own || !own->open_count)
		return named;
	own->open_count--;
	return own->open_count < HEDDLE_OMPT_OPEN ? own->open[own->open_count] : named;
}

/* Returns a record of the calling thread, with one reference; NULL: no memory. Context: owner thread, inside. */
struct heddle_ompt_team *heddle__ompt_team_take(struct heddle_thread *thread);

/* Add, or drop, a reference that `thread` has to the team. Context: owner thread. */
static inline void heddle__ompt_team_hold(struct heddle_ompt_team *team, struct heddle_thread *thread)
{
	if (team->creator == thread) {
		team->batch->own[team->number]++;
		return;
	}
	struct heddle_ompt_thread *own = heddle__ompt_thread_make(thread);
	if (own && !heddle__ompt_held(own))
		atomic_store_explicit(&own->held, team, memory_order_relaxed);
	else
		atomic_fetch_add_explicit(&team->batch->holders[team->number], 1, memory_order_relaxed);
}

static inline void heddle__ompt_team_release(struct heddle_ompt_team *team, const struct heddle_thread *thread)
{
	struct heddle_ompt_batch *batch = team->batch;
	if (team->creator == thread) {
		if (!--batch->own[team->number] && team->alone)
			batch->free |= (uint32_t)1 << team->number; /* no other thread ever referenced it */
		return;
	}
	struct heddle_ompt_thread *own = heddle__ompt_thread_of(thread);
	if (heddle__ompt_held(own) == team) {
		own->in_last_barrier = false;
		atomic_store_explicit(&own->held, NULL, memory_order_release);
	} else {
		atomic_fetch_sub_explicit(&batch->holders[team->number], 1, memory_order_release);
	}
}

/* Prefetch data that the worker will read soon and that another processor wrote last. */
static inline void heddle__ompt_prefetch(const struct heddle_ompt_thread *own)
{
	const struct heddle_ompt_team *held = heddle__ompt_held(own);
	__builtin_prefetch(own->word);
	__builtin_prefetch(held);
	__builtin_prefetch(held + 1); /* the next region's, unless others were created in between */
}

#endif
