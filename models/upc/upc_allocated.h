/* SPDX-License-Identifier: BSD-3-Clause */
/* With HEDDLE_ACCESSES: events by which shared variables and memory become known, or are released. */
#ifndef HEDDLE_MODELS_UPC_ALLOCATED_H
#define HEDDLE_MODELS_UPC_ALLOCATED_H

#include "heddle/upc_bridge.h"
#include "models/upc/upc_rows.h"

/* Acts: of selected events; of others. */
heddle_upc_act heddle__upc_object_start, heddle__upc_object_end, heddle__upc_object_atomic;
heddle_upc_act heddle__upc_object_follow;

/* The number of a description of dynamic memory + 1; 0: no room. Context: any thread, inside, not a signal handler. */
uint32_t heddle__upc_describe_memory(const struct heddle_upc_memory *memory);

#endif
