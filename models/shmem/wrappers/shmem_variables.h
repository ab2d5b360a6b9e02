/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The variable at a symmetric address: a block of the symmetric heap, as reported by the wrappers, or a static variable
 * of the executable, from its symbol table.
 */
#ifndef HEDDLE_MODELS_SHMEM_VARIABLES_H
#define HEDDLE_MODELS_SHMEM_VARIABLES_H

#include <stdint.h>

#include "models/shmem/shmem_calls.h"

/* Descriptions are as in struct heddle_shmem_call. Context of all: any thread, not a signal handler. */

/* Returns the variable at that address; 0: not known. */
uint32_t heddle__shmem_variable(const struct heddle_shmem_interface *measure, const void *address);

/* Called when a block was allocated, or will be freed. */
void heddle__shmem_block_add(const void *block, uint64_t size, uint32_t variable);
void heddle__shmem_block_remove(const void *block);

#endif
