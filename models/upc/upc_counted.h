/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that compiled code counts by itself (heddle/upc_bridge.h, count_accesses): one in many is reported as an
 * event, and timed. What is counted is added to the slot of the last one reported at that place, before the thread's
 * innermost region changes; so visits and bytes are exact, and belong to the right region.
 */
#ifndef HEDDLE_MODELS_UPC_COUNTED_H
#define HEDDLE_MODELS_UPC_COUNTED_H

#include "core/threads/thread.h"
#include "heddle/upc_bridge.h"

struct heddle_upc_places;

/* Decide whether accesses are counted so. Context: init, when it is known what is measured. */
void heddle__upc_counted_start(void);

/* Lets the program's compiled code count, if it can. Context: as of heddle__upc_vocabulary_init. */
void heddle__upc_counted_ask(const struct heddle_upc_bridge *bridge);

/*
 * Add what was counted and not added yet. Context: owner thread; any thread, signal, when the writer reads at rest.
 */
void heddle__upc_counted_add(struct heddle_thread *thread);

/* The thread ends; its counts are not valid any more. Context: owner thread, inside. */
void heddle__upc_counted_end(struct heddle_thread *thread);

/* What was counted before is the parent's. Context: the child's only thread. */
void heddle__upc_counted_after_fork(void);

#endif
