/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Acts of nonblocking accesses, and of the events that end them: flight time, from initiation to arrival of the data.
 */
#ifndef HEDDLE_MODELS_UPC_NONBLOCKING_H
#define HEDDLE_MODELS_UPC_NONBLOCKING_H

#include "models/upc/upc_arguments.h"
#include "models/upc/upc_rows.h"

/* Acts: an access is initiated; its data arrives, at any time, without nesting; a handle is synchronized. */
heddle_upc_act heddle__upc_nb_start, heddle__upc_nb_end, heddle__upc_nb_atomic;
heddle_upc_act heddle__upc_data_start, heddle__upc_data_end, heddle__upc_data_atomic;
heddle_upc_act heddle__upc_sync_start, heddle__upc_sync_end, heddle__upc_sync_atomic;

/* Act of an event that is not selected, by which data arrives or a handle is synchronized, for selected accesses. */
heddle_upc_act heddle__upc_nb_follow;

/* Context of both: owner thread, inside. */

/* At Start: the initiation begins. */
void heddle__upc_initiate(struct heddle_thread *thread);

/* At End or Atomic, with the event's arguments. `slot` is that of the event; NULL: only the handle is tracked. */
void heddle__upc_handle_known(struct heddle_thread *thread, const struct heddle_upc_kind *kind,
	struct heddle_slot *slot, const struct heddle_upc_arguments *arguments);

/*
 * At End or Atomic of DATA, in a thread that is not measured, such as a run-time system's progress thread. Context: any
 * thread.
 */
void heddle__upc_data_elsewhere(const struct heddle_upc_kind *kind, va_list *list);

#endif
