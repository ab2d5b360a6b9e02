/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order of messages from one thread: they are numbered, and those that arrive too early are stored. UCX keeps the
 * order on one lane, but does not guarantee that it uses only one.
 */
#ifndef HEDDLE_UPC_NETWORK_UCX_ORDER_H
#define HEDDLE_UPC_NETWORK_UCX_ORDER_H

#include <stddef.h>
#include <stdint.h>

struct hupc__ucx_early;

struct hupc__ucx_order {
	uint64_t next;                 /* the number of the next message to handle */
	struct hupc__ucx_early *early; /* messages that arrived too early, sorted by number */
};

/* Handles a message. `header` has `header_size` bytes. */
typedef void hupc__ucx_take(const void *header, const void *data, size_t size);

/*
 * Called when message `number` has arrived: calls `take` for it and for those that waited for it, or stores a copy.
 * Returns NULL, or the reason why neither was done: memory is exhausted, or no sender gives a message that number.
 * Context: lock held.
 */
const char *hupc__ucx_in_order(struct hupc__ucx_order *order, uint64_t number, const void *header, size_t header_size,
	const void *data, size_t size, hupc__ucx_take *take);

#endif
