/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves data to and from shared memory: by copying if the memory is mapped, otherwise over the network. Ranges have
 * been checked. Context: any thread of the program.
 */
#ifndef HEDDLE_UPC_RUNTIME_MOVE_H
#define HEDDLE_UPC_RUNTIME_MOVE_H

#include "upc/runtime/memory/range.h"
#include "upc/runtime/messages/network.h"

/* Returns true if the memory that a pointer refers to is mapped here. */
static inline bool hupc__is_mapped(upcrt_shared pointer)
{
	return hupc__is_mapped_thread((int)UPCRT_THREAD(pointer));
}

/* Puts are relaxed: see hupc__order. */
void hupc__get(void *to, upcrt_shared from, size_t size);
void hupc__put(upcrt_shared to, const void *from, size_t size);
void hupc__copy(upcrt_shared to, upcrt_shared from, size_t size);
void hupc__set(upcrt_shared to, int byte, size_t size);

/* The same operations without waiting: they return before the transfer is complete. 0: it is complete. */
hupc__transfer hupc__get_begin(void *to, upcrt_shared from, size_t size);
hupc__transfer hupc__put_begin(upcrt_shared to, const void *from, size_t size);
hupc__transfer hupc__copy_begin(upcrt_shared to, upcrt_shared from, size_t size);

#endif
