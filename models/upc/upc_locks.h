/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blame between UPC threads, which are threads of this process or other processes. Waits at barriers and in collectives
 * follow from the states of events; locks are identified by their address in shared memory, which the bridge provides.
 */
#ifndef HEDDLE_MODELS_UPC_LOCKS_H
#define HEDDLE_MODELS_UPC_LOCKS_H

#include "core/threads/thread.h"
#include "models/upc/upc_arguments.h"

/* Call when a UPC thread begins. Context: owner thread. */
void heddle__upc_blame_join(struct heddle_thread *thread);

/*
 * Call after the lock's region was opened; after it was closed, with the lock acquired by the code at node `path`
 * (UINT32_MAX: the node that is innermost at its release); when the lock is released. Context: owner thread, inside.
 */
void heddle__upc_blame_wait(struct heddle_thread *thread, const struct heddle_upc_arguments *arguments);
void heddle__upc_blame_hold(struct heddle_thread *thread, const struct heddle_upc_arguments *arguments, uint32_t path);
void heddle__upc_blame_unlock(struct heddle_thread *thread, const struct heddle_upc_arguments *arguments);

/* The number of a lock, the same in all processes; 0: unknown, without a bridge. Context: any thread. */
uint64_t heddle__upc_lock_number(const struct heddle_upc_arguments *arguments);

#endif
