/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks, and blame between UPC threads, which are threads of this process or other processes. Waits at barriers and in
 * collectives follow from the states of events; locks are identified by their address in shared memory, which the
 * bridge provides.
 */
#ifndef HEDDLE_MODELS_UPC_LOCKS_H
#define HEDDLE_MODELS_UPC_LOCKS_H

#include "models/upc/upc_rows.h"

/* Adds a UPC thread to the scope of the program, with blame, when the thread begins. Context: owner thread. */
void heddle__upc_blame_join(struct heddle_thread *thread);

/* Acts, with blame or a trace. */
heddle_upc_act heddle__upc_lock_start, heddle__upc_lock_end, heddle__upc_lock_atomic;
heddle_upc_act heddle__upc_attempt_start, heddle__upc_attempt_end, heddle__upc_attempt_atomic;
heddle_upc_act heddle__upc_unlock_start, heddle__upc_unlock_end, heddle__upc_unlock_atomic;

/*
 * Acts with blame, for events that are not selected: their own wait is not measured, but waits of others for a lock
 * need its holder. The lock was acquired; it was acquired if the attempt succeeded; it is released.
 */
heddle_upc_act heddle__upc_lock_hold, heddle__upc_attempt_hold, heddle__upc_lock_release;

#endif
