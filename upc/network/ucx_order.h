/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order of messages from one thread: they are numbered, and those that arrive too early are kept. UCX keeps the
 * order on one lane; nothing promises that it uses only one.
 */
#ifndef HEDDLE_UPC_NETWORK_UCX_ORDER_H
#define HEDDLE_UPC_NETWORK_UCX_ORDER_H

#include <stddef.h>
#include <stdint.h>

struct hupc__ucx_early;

struct hupc__ucx_order {
	uint64_t next;                 /* the number that is to be taken */
	struct hupc__ucx_early *early; /* by number */
};

/* Takes a message. `header` has `header_size` bytes. */
typedef void hupc__ucx_take(const void *header, const void *data, size_t size);

/*
 * A message with that number has arrived: calls `take` for it and for those that waited for it, or keeps a copy.
 * Returns NULL, or why neither is done: there is no memory, or no sender gives a message that number. Context: lock
 * held.
 */
const char *hupc__ucx_in_order(struct hupc__ucx_order *order, uint64_t number, const void *header, size_t header_size,
	const void *data, size_t size, hupc__ucx_take *take);

#endif
