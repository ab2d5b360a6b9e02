/* SPDX-License-Identifier: BSD-3-Clause */
/* Acts of accesses that do not block, and of what ends them: flight time, from initiation to arrival of the data. */
#ifndef HEDDLE_MODELS_UPC_NONBLOCKING_H
#define HEDDLE_MODELS_UPC_NONBLOCKING_H

#include "models/upc/upc_arguments.h"
#include "models/upc/upc_rows.h"

/* Acts: an initiation; data arrives, at any time, without nesting; a handle is synchronized. */
heddle_upc_act heddle__upc_nb_start, heddle__upc_nb_end, heddle__upc_nb_atomic;
heddle_upc_act heddle__upc_data_start, heddle__upc_data_end, heddle__upc_data_atomic;
heddle_upc_act heddle__upc_sync_start, heddle__upc_sync_end, heddle__upc_sync_atomic;

/* Data that arrives, or a handle that is synchronized, by an event that is not selected: of accesses that are. */
heddle_upc_act heddle__upc_nb_follow;

/* Context of both: owner thread, inside. */

/* At Start: the initiation begins. */
void heddle__upc_initiate(struct heddle_thread *thread);

/* At End or Atomic, with its arguments; `slot` is the event's, NULL: nothing is measured, but handles are tracked. */
void heddle__upc_handle_known(struct heddle_thread *thread, const struct heddle_upc_kind *kind,
	struct heddle_slot *slot, const struct heddle_upc_arguments *arguments);

/*
 * At End or Atomic of DATA, in a thread that is not measured, such as a run-time system's progress thread. Context: any
 * thread.
 */
void heddle__upc_data_elsewhere(const struct heddle_upc_kind *kind, va_list *list);

#endif
