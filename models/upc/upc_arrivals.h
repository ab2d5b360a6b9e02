/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrivals of nonblocking accesses' data that a thread other than the initiating one reported, such as a run-time
 * system's progress thread, measured or not. The initiating thread removes them when it learns the handle or waits for
 * it. Context of all: any thread, signal; no locks are used.
 */
#ifndef HEDDLE_MODELS_UPC_ARRIVALS_H
#define HEDDLE_MODELS_UPC_ARRIVALS_H

#include <stdint.h>

/* The direction of an access. A copy has either. */
enum heddle_upc_direction { HEDDLE_UPC_IS_EITHER, HEDDLE_UPC_IS_GET, HEDDLE_UPC_IS_PUT };

/* Records that data of an access with that handle arrived at the measured tick `when`, which is not 0. */
void heddle__upc_arrival_post(const void *handle, enum heddle_upc_direction direction, uint64_t when);

/* Removes and returns the latest arrival of that handle and direction that is not before `since`; 0: none. */
uint64_t heddle__upc_arrival_take(const void *handle, enum heddle_upc_direction direction, uint64_t since);

/* Removes all arrivals of the handle: it was synchronized, and its value may be reused for another access. */
void heddle__upc_arrivals_forget(const void *handle);

#endif
