/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is at a symmetric address: blocks of the symmetric heap, which the wrappers see, and static variables of the
 * executable, by its symbol table.
 */
#ifndef HEDDLE_MODELS_SHMEM_VARIABLES_H
#define HEDDLE_MODELS_SHMEM_VARIABLES_H

#include <stdint.h>

#include "models/shmem/shmem_calls.h"

/* Descriptions are as in struct heddle_shmem_call. Context of all: any thread, not a signal handler. */

/* The variable at that address; 0: not known. */
uint32_t heddle__shmem_variable(const struct heddle_shmem_interface *measure, const void *address);

/* A block was allocated, or will be freed. */
void heddle__shmem_block_add(const void *block, uint64_t size, uint32_t variable);
void heddle__shmem_block_remove(const void *block);

#endif
