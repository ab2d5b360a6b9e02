/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heddle's own memory: directly from the kernel, never from the program's heap. Single allocations are never freed;
 * whatever needs to shrink maps and unmaps whole blocks.
 */
#ifndef HEDDLE_CORE_MEMORY_H
#define HEDDLE_CORE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Returns `size` zeroed bytes, page aligned, or NULL. Context: any thread, signal. */
void *heddle__map(size_t size);
void heddle__unmap(void *block, size_t size);

/*
 * Returns `size` zeroed bytes, which are never freed, or NULL. They are 16-byte aligned; 64 bytes or more begin at a
 * cache line and share none, to avoid false sharing. Lock-free. Context: any thread, signal.
 */
void *heddle__alloc(size_t size);

/* Bytes currently mapped. Context: any thread, signal. */
uint64_t heddle__memory_mapped(void);

#endif
