/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers, and the synchronization inside collective functions. */
#ifndef HEDDLE_UPC_RUNTIME_BARRIER_H
#define HEDDLE_UPC_RUNTIME_BARRIER_H

#include "upc/runtime/sync/meeting.h"

/*
 * A barrier inside a collective function; `arguments` is a digest of the arguments that must be equal in all threads.
 * If another thread waits for something else or has other arguments, ends the program with a message. Context: the UPC
 * thread's own.
 */
void hupc__meet(const struct hupc__site *site, enum hupc__meeting meeting, uint64_t arguments);

/* As hupc__meet. With a network, returns the value that thread 0 passed; otherwise 0. */
uint64_t hupc__meet_with_value(
	const struct hupc__site *site, enum hupc__meeting meeting, uint64_t arguments, uint64_t value);

#endif
