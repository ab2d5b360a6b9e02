/* SPDX-License-Identifier: BSD-3-Clause */
/* Blame for waiting for locks, charged to the holder of the lock. */
#ifndef HEDDLE_CORE_BLAME_LOCKS_H
#define HEDDLE_CORE_BLAME_LOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/threads/blamed.h"

struct heddle_slot;
struct heddle_thread;

/*
 * A lock is identified by its id (0: unknown).
 * wait: the region of the wait has just been opened.
 * unwait: it has just been closed, and the thread did not acquire the lock.
 * hold: it has just been closed, and the thread acquired the lock; also called when there was no wait.
 * wait_over: it has just been closed, and another region is opened before unwait or hold is called.
 * `in_turn`: time in which nobody held the lock is charged to the next holder; else it is hand-off time, below `path`.
 * `path`: the node of the code that holds the lock, preferably its held-lock region; HEDDLE_BLAME_OPEN: the innermost
 * open region. Context: owner thread, inside.
 */
#define HEDDLE_BLAME_OPEN UINT32_MAX
void heddle__blame_wait(struct heddle_thread *thread, enum heddle_blame_scope scope, uint64_t lock);
void heddle__blame_unwait(struct heddle_thread *thread);
void heddle__blame_wait_over(struct heddle_thread *thread);
void heddle__blame_hold(
	struct heddle_thread *thread, enum heddle_blame_scope scope, uint64_t lock, bool in_turn, uint32_t path);

/*
 * Called when the lock was released. Waiting time of others that no sample was charged with is charged to `path` of
 * hold. Context: owner thread, inside.
 */
void heddle__blame_release(struct heddle_thread *thread, enum heddle_blame_scope scope, uint64_t lock);

/*
 * Charges `slot`, where the thread was sampled or was until now, with the time that others have waited for locks that
 * the thread holds. Context: owner thread, signal.
 */
void heddle__blame_charge_held(struct heddle_thread *thread, struct heddle_slot *slot);

/*
 * For the writer: returns ticks waited up to the measured tick `now` for locks that have no holder to charge. Context:
 * any thread, signal, when frozen.
 */
uint64_t heddle__blame_locks_rest(uint64_t now);

/* Size in bytes of a scope's lock table. Context: any thread. */
size_t heddle__blame_buckets_size(void);

#endif
