/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrivals of nonblocking accesses' data that another thread reported than the one that initiated the access, such as a
 * run-time system's progress thread, measured or not. The initiating thread takes them when it learns the handle or
 * waits for it. Context of all: any thread, signal; nothing is locked.
 */
#ifndef HEDDLE_MODELS_UPC_ARRIVALS_H
#define HEDDLE_MODELS_UPC_ARRIVALS_H

#include <stdint.h>

/* What an access is; a copy is either. */
enum heddle_upc_direction { HEDDLE_UPC_IS_EITHER, HEDDLE_UPC_IS_GET, HEDDLE_UPC_IS_PUT };

/* Data of an access with that handle arrived at the measured tick `when`, not 0. */
void heddle__upc_arrival_post(const void *handle, enum heddle_upc_direction direction, uint64_t when);

/* Removes and returns the latest arrival of that handle and direction that is not before `since`; 0: none. */
uint64_t heddle__upc_arrival_take(const void *handle, enum heddle_upc_direction direction, uint64_t since);

/* Removes all of the handle: it was synchronized, and its value may be used for another access. */
void heddle__upc_arrivals_forget(const void *handle);

#endif
