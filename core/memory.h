/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heddle's own memory: straight from the kernel, never the program's heap. Nothing here is ever given back piecemeal;
 * whoever needs to shrink maps and unmaps whole blocks.
 */
#ifndef HEDDLE_CORE_MEMORY_H
#define HEDDLE_CORE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* `size` zeroed bytes, page aligned, or NULL. Context: any thread, signal. */
void *heddle__map(size_t size);
void heddle__unmap(void *block, size_t size);

/*
 * `size` zeroed bytes for good, or NULL: 16-byte aligned, and from 64 on on cache lines that nothing else is on, so
 * that threads do not disturb each other. Lock-free. Context: any thread, signal.
 */
void *heddle__alloc(size_t size);

/* Bytes mapped now. Context: any thread, signal. */
uint64_t heddle__memory_mapped(void);

#endif
