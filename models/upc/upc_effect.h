/* SPDX-License-Identifier: BSD-3-Clause */
/* What UPC events are measured by, beside visits and time: bytes, affinity, sizes, flights (docs/gasp.md). */
#ifndef HEDDLE_MODELS_UPC_EFFECT_H
#define HEDDLE_MODELS_UPC_EFFECT_H

#include "models/upc/upc_arguments.h"
#include "models/upc/upc_context.h"

/* All of these: context owner thread, inside. `slot` is the event's. */

/* At Start or Atomic: the sizes and sides of what begins. */
void heddle__upc_effect_begin(
	const struct heddle_upc_kind *kind, struct heddle_slot *slot, const struct heddle_upc_arguments *arguments);

/* At End or Atomic: what only the end tells. `slot` NULL: nothing is measured now, but handles are kept track of. */
void heddle__upc_effect_end(struct heddle_thread *thread, const struct heddle_upc_kind *kind, struct heddle_slot *slot,
	const struct heddle_upc_arguments *arguments);

/* This UPC thread's number by upcall; -1 without a bridge. */
int heddle__upc_mythread(void);

#endif
