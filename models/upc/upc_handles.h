/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nonblocking accesses in flight: from their initiation to the synchronization of their handle, which may serve
 * several.
 */
#ifndef HEDDLE_MODELS_UPC_HANDLES_H
#define HEDDLE_MODELS_UPC_HANDLES_H

#include <stdint.h>

#include "core/threads/thread.h"

#define HEDDLE_UPC_HANDLE_BUCKETS 256u

struct heddle_upc_access {
	struct heddle_upc_access *next;
	const void *handle;
	struct heddle_slot *slot; /* of its initiation; NULL: not measured */
	uint64_t begun;           /* measured ticks */
	uint64_t arrived;         /* 0: unknown */
};

struct heddle_upc_handles {
	struct heddle_upc_access *buckets[HEDDLE_UPC_HANDLE_BUCKETS];
	struct heddle_upc_access *spare;
	uint64_t open;
};

/* `index`: the front end's. Context: init. */
void heddle__upc_handles_start(unsigned int index);

/* Context of all: owner thread, inside. */

/*
 * The table of the thread. Not of the context: several threads may use one (OpenMP threads of a UPC thread), and flight
 * time is charged to the slots of the thread that initiated the access. NULL: no memory.
 */
struct heddle_upc_handles *heddle__upc_handles_of(struct heddle_thread *thread);

/* Removes all handles. */
void heddle__upc_handles_clear(struct heddle_thread *thread);

/* An access with that handle was initiated. */
void heddle__upc_handle_begin(
	struct heddle_upc_handles *handles, const void *handle, struct heddle_slot *slot, uint64_t now);

/* The data of the handle's accesses has arrived. */
void heddle__upc_handle_arrive(struct heddle_upc_handles *handles, const void *handle, uint64_t now);

/* The handle was synchronized: all its accesses are complete; charges their flight time. */
void heddle__upc_handle_end(struct heddle_upc_handles *handles, const void *handle, uint64_t now);

#endif
