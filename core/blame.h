/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blame shifting: elapsed time that threads wait is charged to what makes them wait. Waiting for a lock is its
 * holder's: it takes what others have waited when it lets go. Waiting at barriers, for tasks, or for work is that of
 * the threads that work meanwhile, to equal parts. What nobody can be blamed for has nodes of its own, so that what is
 * given is what was waited.
 */
#ifndef HEDDLE_CORE_BLAME_H
#define HEDDLE_CORE_BLAME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/ids.h"

struct heddle_region;
struct heddle_slot;
struct heddle_thread;

/* Whether blame is wanted (HEDDLE_BLAME). Set once. Context: init. */
extern bool heddle__blames;

/* Who waits for whom: threads of the process, or (by events of a model that says so) of the whole program. */
enum heddle_blame_scope { HEDDLE_SCOPE_PROCESS, HEDDLE_SCOPE_PROGRAM, HEDDLE_SCOPES };

/* What a thread is to the others of a scope. */
enum heddle_part {
	HEDDLE_PART_NONE, /* it does not count: not of a parallel program, switched off, or waiting elsewhere */
	HEDDLE_PART_WORKS,
	HEDDLE_PART_BARRIER,
	HEDDLE_PART_TASKS,
	HEDDLE_PART_IDLE,
};

/* Ways of waiting that those who work are blamed for: parts from BARRIER on. */
#define HEDDLE_IDLENESS_KINDS 3

#define HEDDLE_HELD_LIMIT 4

/* A thread's. */
struct heddle_blamed {
	uint8_t part[HEDDLE_SCOPES]; /* enum heddle_part */
	bool takes_part;             /* it may be another than NONE */
	bool lost_wait;              /* there was no room for the lock it waits for, or it is not known */
	uint8_t waits_in;            /* the lock's scope */
	uint32_t node;               /* that was last charged with idleness by a sample; 0: none was */
	uint8_t held_count;          /* locks below that it holds; samples charge what others wait for them */
	struct heddle_held {
		uint64_t lock;
		enum heddle_blame_scope scope;
	} held[HEDDLE_HELD_LIMIT];
	uint64_t waits_for;                                  /* a lock's id; 0: for none */
	uint64_t wait_began, wait_ended;                     /* measured ticks; 0: with the last event */
	struct heddle_group *group;                          /* of its barrier */
	uint64_t seen[HEDDLE_SCOPES][HEDDLE_IDLENESS_KINDS]; /* shares up to which its work was charged */
	uint64_t unpaid[HEDDLE_IDLENESS_KINDS];              /* ticks for the next sample that finds others waiting */
};

/* Tasks that end together: what a model's `owner` of them begins with. */
struct heddle_group {
	_Atomic uint64_t ended; /* measured tick; 0: they have not */
	uint32_t waiting;       /* threads in its barriers, as blame counts them */
};

/* Context: init. */
void heddle__blame_init(void);

/*
 * The process is one of several that wait for each other at that model's events; those that the same process started
 * share their boards. Context: any thread, not a signal handler.
 */
void heddle__blame_join_program(const char *model);

/*
 * The group's tasks are over since the measured tick `when` (0: now; with blame it is always now): who waits in its
 * barrier still is idle from then on. Context: any thread.
 */
void heddle__group_end(struct heddle_group *group, uint64_t when);

/* From now on the thread works or waits with the others; and no more. Context: owner thread, inside. */
void heddle__blame_join(struct heddle_thread *thread);
void heddle__blame_leave(struct heddle_thread *thread);

/*
 * The shadow stack is about to be cut, or a region to be pushed, or the thread to be switched on or off: the measured
 * tick at which that happens. It is `when` if the current task's group ended then. Context: owner thread, inside.
 */
uint64_t heddle__blame_cut(struct heddle_thread *thread, uint32_t depth, uint64_t when);
uint64_t heddle__blame_push(struct heddle_thread *thread, const struct heddle_region *region, uint64_t when);
uint64_t heddle__blame_switch(struct heddle_thread *thread, bool on);

/* A sample found the thread there. Context: owner thread, signal. */
void heddle__blame_sample(struct heddle_thread *thread, struct heddle_slot *slot);

/*
 * Locks, by an id (0: not known). The region of the wait has just been opened; it has just been closed, without the
 * lock (unwait) or with it (hold, after no wait, too). If another region is opened before those two, wait_over says
 * that it has just been closed. `in_turn`: who has it next is to blame for waits while nobody has it. `path`: the node
 * of the code that has it now; UINT32_MAX: what is open at the release. Context: owner, inside.
 */
void heddle__blame_wait(struct heddle_thread *thread, enum heddle_blame_scope scope, uint64_t lock);
void heddle__blame_unwait(struct heddle_thread *thread);
void heddle__blame_wait_over(struct heddle_thread *thread);
void heddle__blame_hold(
	struct heddle_thread *thread, enum heddle_blame_scope scope, uint64_t lock, bool in_turn, uint32_t path);

/*
 * The lock was let go of: what others waited for it, and no sample was charged with, goes to the path of its hold.
 * Context: owner thread, inside.
 */
void heddle__blame_release(struct heddle_thread *thread, enum heddle_blame_scope scope, uint64_t lock);

/* A sample found the thread there, perhaps holding locks. Context: owner thread, signal. */
void heddle__blame_sample_held(struct heddle_thread *thread, struct heddle_slot *slot);

/* Give ticks of a kind (LOCK_BLAME to IDLE_BLAME) to a path. Context: owner thread, inside. */
void heddle__blame_give(struct heddle_slot *slot, enum heddle_metric kind, uint64_t ticks);

/* The same, to what nobody can be blamed for: NO_WORKER or NO_HOLDER. */
void heddle__blame_nobody(
	struct heddle_thread *thread, enum heddle_state nobody, enum heddle_metric kind, uint64_t ticks);

/* What was not given yet. */
struct heddle_blame_rest {
	uint32_t node;
	uint64_t ticks[HEDDLE_IDLENESS_KINDS]; /* BARRIER_BLAME to IDLE_BLAME */
	uint64_t lock_ticks;
};

/*
 * For the writer: what the thread is to be charged with up to `now`, and where; that no thread is, for want of workers
 * and of holders. Context: any thread, signal, when frozen.
 */
void heddle__blame_rest(const struct heddle_thread *thread, uint64_t now, struct heddle_blame_rest *rest);
void heddle__blame_nobodys_rest(uint64_t now, struct heddle_blame_rest *rest);
uint64_t heddle__blame_locks_rest(uint64_t now);

/* The process is about to write for the last time: others are not to count on it. Context: any thread, signal, frozen.
 */
void heddle__blame_finish(void);

/* In the child of a fork. Context: the child's only thread. */
void heddle__blame_after_fork(void);

#endif
