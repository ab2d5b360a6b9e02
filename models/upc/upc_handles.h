/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nonblocking accesses in flight: from their initiation to the synchronization of their handle, which may serve
 * several.
 */
#ifndef HEDDLE_MODELS_UPC_HANDLES_H
#define HEDDLE_MODELS_UPC_HANDLES_H

#include <stdint.h>

#include "core/threads/thread.h"
#include "models/upc/upc_arrivals.h"

#define HEDDLE_UPC_HANDLE_BUCKETS 256u

struct heddle_upc_access {
	struct heddle_upc_access *next;
	const void *handle;
	struct heddle_slot *slot; /* of its initiation; NULL: not measured */
	uint64_t begun;           /* the thread's ticks at the end of its initiation */
	uint64_t arrived;         /* the thread's ticks when its data had arrived; 0: unknown */
	uint64_t initiated;       /* measured tick when its initiation began */
	enum heddle_upc_direction direction;
};

struct heddle_upc_access_cache;
struct heddle_upc_places;
struct heddle_upc_sketches;

/* What the front end records for each thread. */
struct heddle_upc_handles {
	struct heddle_upc_access *buckets[HEDDLE_UPC_HANDLE_BUCKETS];
	struct heddle_upc_access *spare;
	uint64_t open;
	uint64_t initiated;                    /* measured tick when the initiation in progress began; 0: none is */
	struct heddle_upc_access_cache *cache; /* of upc_access.c; NULL: none yet */
	struct heddle_upc_sketches *sketches;  /* of upc_sketch.c; NULL: none yet */
	struct heddle_upc_places *places;      /* of upc_counted.c; NULL: none yet */
};

/* `index` is that of the front end. Context: init. */
void heddle__upc_handles_start(unsigned int index);

/* Context of all: owner thread, inside. */

/*
 * Returns the table of the thread. It does not belong to the context, since several threads may use one context (OpenMP
 * threads of a UPC thread), and flight time is charged to the slots of the thread that initiated the access. NULL: no
 * memory.
 */
struct heddle_upc_handles *heddle__upc_handles_of(struct heddle_thread *thread);

/* Returns the table of the thread if it exists, else NULL. Context: any thread, signal. */
struct heddle_upc_handles *heddle__upc_handles_known(const struct heddle_thread *thread);

/* Removes all handles. */
void heddle__upc_handles_clear(struct heddle_thread *thread);

/* The initiation of an access begins; its handle is known at its end. */
void heddle__upc_handle_initiate(struct heddle_upc_handles *handles);

/* Records an access with that handle, which was initiated. */
void heddle__upc_handle_begin(struct heddle_upc_handles *handles, const void *handle,
	enum heddle_upc_direction direction, struct heddle_slot *slot, uint64_t now);

/*
 * Records that the data of an access with that handle has arrived: of the one initiated first among those in flight.
 * Returns false if this thread has none.
 */
bool heddle__upc_handle_arrive(
	struct heddle_upc_handles *handles, const void *handle, enum heddle_upc_direction direction, uint64_t now);

/* Ends all accesses of the handle, which was synchronized, and charges their flight time. */
void heddle__upc_handle_end(struct heddle_upc_handles *handles, const void *handle, uint64_t now);

#endif
