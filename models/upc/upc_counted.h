/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that compiled code counts by itself (heddle/upc_bridge.h, count_accesses): one in many is reported as an
 * event and timed. The count is added to the slot of the last reported access at that place, before the thread's
 * innermost region changes, so visits and bytes are exact and belong to the right region.
 */
#ifndef HEDDLE_MODELS_UPC_COUNTED_H
#define HEDDLE_MODELS_UPC_COUNTED_H

#include "core/threads/thread.h"
#include "heddle/upc_bridge.h"

struct heddle_upc_places;

/* Decides whether accesses are counted in this way. Context: init, when it is known what is measured. */
void heddle__upc_counted_start(void);

/* Lets the program's compiled code count, if it supports that. Context: as of heddle__upc_vocabulary_init. */
void heddle__upc_counted_ask(const struct heddle_upc_bridge *bridge);

/* Adds what was counted and not yet added. Context: owner thread; any thread, signal, when the writer reads at rest. */
void heddle__upc_counted_add(struct heddle_thread *thread);

/* The thread ends; its counts are not valid any more. Context: owner thread, inside. */
void heddle__upc_counted_end(struct heddle_thread *thread);

/* Drops counts from before the fork, which belong to the parent. Context: the child's only thread. */
void heddle__upc_counted_after_fork(void);

#endif
