/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocation by all threads together: one thread allocates, all get the result. */
#ifndef HEDDLE_UPC_RUNTIME_COLLECTIVE_ALLOCATION_H
#define HEDDLE_UPC_RUNTIME_COLLECTIVE_ALLOCATION_H

#include "upc/runtime/sync/barrier.h"

/* A collective function with one result for all: thread 0 calls `taker`, all threads get its result. */
typedef upcrt_shared hupc__taker(const struct hupc__site *site, void *data);
upcrt_shared hupc__collective_take(
	const struct hupc__site *site, enum hupc__meeting meeting, uint64_t arguments, hupc__taker *taker, void *data);

#endif
