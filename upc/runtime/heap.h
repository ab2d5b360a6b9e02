/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared memory that is allocated while the program runs. Each segment has two heaps that grow towards each other: from
 * below, blocks that stand at the same offset in all segments; from above, those of one thread.
 */
#ifndef HEDDLE_UPC_RUNTIME_HEAP_H
#define HEDDLE_UPC_RUNTIME_HEAP_H

#include <stddef.h>

#include "upc/runtime/site.h"

/* Everything from `start` on is free. Context: thread 0, before the others begin. */
void hupc__heap_prepare(uint64_t start);

/*
 * Memory in this thread's segment, or `size` bytes in each; the program ends with a line when there is none, in the
 * name of `what`. Not 0 bytes.
 */
upcrt_shared hupc__heap_take_local(const struct hupc__site *site, const char *what, uint64_t size);
upcrt_shared hupc__heap_take_global(const struct hupc__site *site, const char *what, uint64_t size);

/* Give it back, whoever took it. Ends the program with a line when the pointer is none of the above. */
void hupc__heap_give(const struct hupc__site *site, const char *what, upcrt_shared pointer);

#endif
