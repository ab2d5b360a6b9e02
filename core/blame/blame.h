/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blame shifting: the time that threads wait is charged to the code that makes them wait. Time spent waiting for a lock
 * is charged to its holder, when it releases the lock. Time spent waiting at barriers, for tasks, or for work is
 * charged in equal parts to the threads that work meanwhile. Waiting with no culprit goes to separate nodes, so total
 * blame equals total waiting time. For locks see core/blame/blame_locks.h.
 */
#ifndef HEDDLE_CORE_BLAME_H
#define HEDDLE_CORE_BLAME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/threads/blamed.h"
#include "format/ids.h"

struct heddle_slot;
struct heddle_thread;

/* True if HEDDLE_BLAME is set. Set once. Context: init. */
extern bool heddle__blames;

/* Reads the setting and registers as a listener. Context: init. */
void heddle__blame_init(void);

/*
 * Called if the process is one of several that wait for each other in regions of `model`. Processes with the same
 * parent share one board. Context: any thread, not a signal handler.
 */
void heddle__blame_join_program(const char *model);

/*
 * Records that the tasks of the group ended at the measured tick `when` (0: now; with blame it is always now). Threads
 * that are still in its barrier are idle from then on. Context: any thread.
 */
void heddle__group_end(struct heddle_group *group, uint64_t when);

/* Start and stop accounting the thread as working or waiting. Context: owner thread, inside. */
void heddle__blame_join(struct heddle_thread *thread);
void heddle__blame_leave(struct heddle_thread *thread);

/* Charges blame when a sample of the thread was charged to `slot`. Context: owner thread, signal. */
void heddle__blame_sample(struct heddle_thread *thread, struct heddle_slot *slot);

/* Charges ticks of a kind (LOCK_BLAME to IDLE_BLAME) to a slot. Context: owner thread, inside. */
void heddle__blame_charge(struct heddle_slot *slot, enum heddle_metric kind, uint64_t ticks);

/* Charges waiting with no culprit to its node: `state` is NO_WORKER or NO_HOLDER. */
void heddle__blame_no_culprit(
	struct heddle_thread *thread, enum heddle_state state, enum heddle_metric kind, uint64_t ticks);

/* Blame that is not charged yet. */
struct heddle_blame_rest {
	uint32_t node;
	uint64_t ticks[HEDDLE_IDLENESS_KINDS]; /* BARRIER_BLAME to IDLE_BLAME */
	uint64_t lock_ticks;
};

/*
 * For the writer, up to the measured tick `now`: blame to be charged to the thread, with the node to charge; and
 * waiting with no culprit, because no thread worked or held the lock. Context: any thread, signal, when frozen.
 */
void heddle__blame_rest(const struct heddle_thread *thread, uint64_t now, struct heddle_blame_rest *rest);
void heddle__blame_no_culprit_rest(uint64_t now, struct heddle_blame_rest *rest);

/* Leaves the shared board before the last profile is written. Context: any thread, signal, when frozen. */
void heddle__blame_finish(void);

/* Resets blame. Context: the child's only thread, after a fork. */
void heddle__blame_after_fork(void);

#endif
