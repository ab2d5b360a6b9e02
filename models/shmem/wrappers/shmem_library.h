/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenSHMEM library behind the wrappers, and its PEs. No shmem.h is used. */
#ifndef HEDDLE_MODELS_SHMEM_LIBRARY_H
#define HEDDLE_MODELS_SHMEM_LIBRARY_H

#include <stdint.h>

#include "format/trace.h"

/*
 * Returns the next definition of a function of OpenSHMEM, behind this library, or that of its profiling name
 * (pshmem_x); NULL: there is none. Context: any thread.
 */
void (*heddle__shmem_symbol(const char *name))(void);

/*
 * Queries the library for the number of this PE and of all, and caches them (-1 and 0: not known); finds the library's
 * code.
 */
void heddle__shmem_ask_pes(void);

/* The library's code, whose calls are not the program's: it finalizes itself at exit. Set once. */
extern uintptr_t heddle__shmem_code, heddle__shmem_code_size;

/* The default context, as a program passes it; NULL: not known. Set once. */
extern const void *heddle__shmem_default_context;

/* Return the number of this PE, -1 before the library was initialized; and the number of PEs. Context: any thread. */
int heddle__shmem_pe(void);
int heddle__shmem_pes(void);

/*
 * Records an address in the symmetric heap, for which the library reports best where memory of other PEs is. Context:
 * any thread.
 */
void heddle__shmem_heap_is_at(const void *address);

/* Returns the side of a PE's memory at a symmetric address. Context: any thread. */
enum heddle_trace_side heddle__shmem_side(int pe, const void *address);

/*
 * Returns a number for a symmetric address that is the same in all PEs, wherever their objects are loaded. Context: any
 * thread.
 */
uint64_t heddle__shmem_number(const void *address);

#endif
