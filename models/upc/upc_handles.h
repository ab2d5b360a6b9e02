/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking accesses under way: from their initiation to the wait for their handle, which may serve several. */
#ifndef HEDDLE_MODELS_UPC_HANDLES_H
#define HEDDLE_MODELS_UPC_HANDLES_H

#include <stdint.h>

#include "core/thread.h"

#define HEDDLE_UPC_HANDLE_BUCKETS 256u

struct heddle_upc_access {
	struct heddle_upc_access *next;
	const void *handle;
	struct heddle_slot *slot; /* of its initiation; NULL: it is not measured */
	uint64_t begun;           /* measured ticks */
	uint64_t arrived;         /* 0: not known */
};

struct heddle_upc_handles {
	struct heddle_upc_access *buckets[HEDDLE_UPC_HANDLE_BUCKETS];
	struct heddle_upc_access *spare;
	uint64_t open;
};

/* `index`: the front end's. Context: init. */
void heddle__upc_handles_start(unsigned int index);

/* All of these: context owner thread, inside. */

/*
 * The table of the thread: a context may be used by several at once (OpenMP threads of a UPC thread), and flights are
 * charged to the slots of the thread that begins them. NULL: no memory.
 */
struct heddle_upc_handles *heddle__upc_handles_of(struct heddle_thread *thread);

/* Nothing is under way any more. */
void heddle__upc_handles_clear(struct heddle_thread *thread);

/* An access was initiated with that handle. */
void heddle__upc_handle_begin(
	struct heddle_upc_handles *handles, const void *handle, struct heddle_slot *slot, uint64_t now);

/* Data of the handle's accesses has arrived. */
void heddle__upc_handle_arrive(struct heddle_upc_handles *handles, const void *handle, uint64_t now);

/* The handle was waited for: all its accesses are over, and their flight time is charged. */
void heddle__upc_handle_end(struct heddle_upc_handles *handles, const void *handle, uint64_t now);

#endif
