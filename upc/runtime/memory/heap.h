/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dynamic shared memory. Each segment has two heaps that grow towards each other: from the low end, the heap of blocks
 * that are at the same offset in all segments; from the high end, the heap of one thread's blocks.
 */
#ifndef HEDDLE_UPC_RUNTIME_HEAP_H
#define HEDDLE_UPC_RUNTIME_HEAP_H

#include <stddef.h>

#include "upc/runtime/events/site.h"

/* Everything from `start` on is free. Context: the first thread of each node, before the others start. */
void hupc__heap_prepare(uint64_t start);

/*
 * Allocate `size` bytes in this thread's segment, or in each segment. Without space, they end the program with a
 * message in the name of `what`. `size` is not 0.
 */
upcrt_shared hupc__heap_take_local(const struct hupc__site *site, const char *what, uint64_t size);
upcrt_shared hupc__heap_take_global(const struct hupc__site *site, const char *what, uint64_t size);

/* The number of bytes of each thread if blocks are distributed cyclically; saturates on overflow. */
static inline uint64_t hupc__bytes_of_thread(size_t blocks, size_t bytes)
{
	uint64_t rows = blocks / (uint64_t)hupc__threads + (blocks % (uint64_t)hupc__threads != 0), size;
	return __builtin_mul_overflow(rows, bytes, &size) ? UINT64_MAX : size;
}

/*
 * Frees memory, whichever thread allocated it. Ends the program with a message if the functions above did not return
 * the pointer.
 */
void hupc__heap_give(const struct hupc__site *site, const char *what, upcrt_shared pointer);

#endif
