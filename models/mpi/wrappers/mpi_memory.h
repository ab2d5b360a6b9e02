/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of the wrappers: from the kernel, never from the program's heap, which may be measured or have its lock held.
 */
#ifndef HEDDLE_MODELS_MPI_MEMORY_H
#define HEDDLE_MODELS_MPI_MEMORY_H

#include <stddef.h>

/* `size` zeroed bytes of whole pages, or NULL; and given back. Context: any thread. */
void *heddle__mpi_map(size_t size);
void heddle__mpi_unmap(void *block, size_t size);

/* `size` zeroed bytes, never given back, or NULL. Context: any thread. */
void *heddle__mpi_alloc(size_t size);

#endif
