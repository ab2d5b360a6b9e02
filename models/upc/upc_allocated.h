/* SPDX-License-Identifier: BSD-3-Clause */
/* With HEDDLE_ACCESSES: events that report shared variables and allocated memory, or release memory. */
#ifndef HEDDLE_MODELS_UPC_ALLOCATED_H
#define HEDDLE_MODELS_UPC_ALLOCATED_H

#include "heddle/upc_bridge.h"
#include "models/upc/upc_rows.h"

/* Acts of selected events; of other events. */
heddle_upc_act heddle__upc_object_start, heddle__upc_object_end, heddle__upc_object_atomic;
heddle_upc_act heddle__upc_object_follow;

/*
 * Returns the number of a description of dynamic memory plus 1; 0: no memory. Context: any thread, inside, not a signal
 * handler.
 */
uint32_t heddle__upc_describe_memory(const struct heddle_upc_memory *memory);

#endif
