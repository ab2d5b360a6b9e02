/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blame between UPC threads, which are threads of this process or other processes. Waiting at barriers and in
 * collectives is told by the events' states; locks go by where they are in shared memory, which the bridge says.
 */
#ifndef HEDDLE_MODELS_UPC_BLAME_H
#define HEDDLE_MODELS_UPC_BLAME_H

#include "core/thread.h"
#include "models/upc/upc_arguments.h"

/* A UPC thread begins. Context: owner thread. */
void heddle__upc_blame_join(struct heddle_thread *thread);

/*
 * The lock's region was just opened; it was closed and the lock is had by the code at node `path` (UINT32_MAX: what is
 * open when it is let go of); it is let go of. Context: owner thread, inside.
 */
void heddle__upc_blame_wait(struct heddle_thread *thread, const struct heddle_upc_arguments *arguments);
void heddle__upc_blame_hold(struct heddle_thread *thread, const struct heddle_upc_arguments *arguments, uint32_t path);
void heddle__upc_blame_unlock(struct heddle_thread *thread, const struct heddle_upc_arguments *arguments);

#endif
