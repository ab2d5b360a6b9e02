/* SPDX-License-Identifier: BSD-3-Clause */
/* What is measured for UPC events in addition to visits and time: bytes, affinity, sizes (docs/gasp.md). */
#ifndef HEDDLE_MODELS_UPC_EFFECT_H
#define HEDDLE_MODELS_UPC_EFFECT_H

#include "format/trace.h"
#include "models/upc/upc_arguments.h"
#include "models/upc/upc_rows.h"

/* Acts of blocking accesses, collectives, caches of a compiler, and allocations. */
heddle_upc_act heddle__upc_access_start, heddle__upc_access_atomic;
heddle_upc_act heddle__upc_collective_start, heddle__upc_collective_atomic;
heddle_upc_act heddle__upc_cache_start, heddle__upc_cache_atomic;
heddle_upc_act heddle__upc_allocation_end, heddle__upc_allocation_atomic;

/* Context unless stated: owner thread, inside. `slot` is the event's. */

/* Count sizes and affinity of an access; count allocated memory, as reported at End. */
void heddle__upc_measure_access(
	const struct heddle_upc_kind *kind, struct heddle_slot *slot, const struct heddle_upc_arguments *arguments);
void heddle__upc_measure_memory(
	const struct heddle_upc_kind *kind, struct heddle_slot *slot, const struct heddle_upc_arguments *arguments);

/* Returns the side of a thread's memory, as seen from the calling thread; -1: unknown owner. */
enum heddle_trace_side heddle__upc_side_of(int64_t owner);

/*
 * Counts and records a get or put of `size` bytes of that thread's memory (-1: unknown). `access` is as in
 * format/trace.h.
 */
void heddle__upc_count_access(
	struct heddle_slot *slot, uint32_t access, int64_t owner, enum heddle_trace_side side, size_t size);

/* Returns this UPC thread's MYTHREAD, by upcall; -1 without a bridge. */
int heddle__upc_mythread(void);

#endif
