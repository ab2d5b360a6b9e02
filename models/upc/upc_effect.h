/* SPDX-License-Identifier: BSD-3-Clause */
/* What is measured of UPC events besides visits and time: bytes, affinity, sizes, flight time (docs/gasp.md). */
#ifndef HEDDLE_MODELS_UPC_EFFECT_H
#define HEDDLE_MODELS_UPC_EFFECT_H

#include "format/trace.h"
#include "models/upc/upc_arguments.h"
#include "models/upc/upc_context.h"

/* Context unless stated: owner thread, inside. `slot` is the event's. */

/* At Start or Atomic: sizes and affinity of the access. */
void heddle__upc_effect_begin(
	const struct heddle_upc_kind *kind, struct heddle_slot *slot, const struct heddle_upc_arguments *arguments);

/* At Start: an access that does not block begins to be initiated, if it is one. */
void heddle__upc_effect_initiate(struct heddle_thread *thread, const struct heddle_upc_kind *kind);

/* At End or Atomic of DATA, in a thread that has not initiated the access. Context: any thread. */
void heddle__upc_effect_arrived(const struct heddle_upc_kind *kind, const void *handle);

/* At End or Atomic: what is known only at the end. `slot` NULL: nothing is measured, but handles are tracked. */
void heddle__upc_effect_end(struct heddle_thread *thread, const struct heddle_upc_kind *kind, struct heddle_slot *slot,
	const struct heddle_upc_arguments *arguments);

/* At End or Atomic of an event that is not selected and tells that data arrived: accesses that were measured. */
void heddle__upc_effect_follow(
	struct heddle_thread *thread, const struct heddle_upc_kind *kind, const struct heddle_upc_arguments *arguments);

/* Where that thread's memory is, as the calling thread sees it; -1: unknown. */
enum heddle_trace_side heddle__upc_side_of(int64_t owner);

/*
 * Count a get or a put of `size` bytes of that thread's memory (-1: unknown), and record it; `access` as in
 * format/trace.h.
 */
void heddle__upc_count_access(
	struct heddle_slot *slot, uint32_t access, int64_t owner, enum heddle_trace_side side, size_t size);

/* This UPC thread's MYTHREAD, by upcall; -1 without a bridge. */
int heddle__upc_mythread(void);

#endif
