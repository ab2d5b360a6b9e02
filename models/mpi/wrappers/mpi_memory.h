/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of the wrappers: from the kernel, never from the program's heap, which may be measured or have its lock held.
 */
#ifndef HEDDLE_MODELS_MPI_MEMORY_H
#define HEDDLE_MODELS_MPI_MEMORY_H

#include <stddef.h>

/* Allocate and free `size` zeroed bytes of whole pages; NULL: no memory. Context: any thread. */
void *heddle__mpi_map(size_t size);
void heddle__mpi_unmap(void *block, size_t size);

/* Allocates `size` zeroed bytes, which are never freed; NULL: no memory. Context: any thread. */
void *heddle__mpi_alloc(size_t size);

#endif
