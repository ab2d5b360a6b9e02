/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A barrier over the network: a dissemination barrier, in which each of n threads sends log2(n) messages (rounded up)
 * and waits for as many. They carry what the threads synchronize for, so that all learn of a thread that came to
 * something else, and a value of thread 0. Context: the UPC thread's own, unless stated.
 */
#ifndef HEDDLE_UPC_RUNTIME_BARRIER_NETWORK_H
#define HEDDLE_UPC_RUNTIME_BARRIER_NETWORK_H

#include "upc/runtime/sync/meeting.h"

/* What a set of threads has come to. */
struct hupc__agreement {
	struct hupc__presence any;    /* of the thread with the lowest number */
	struct hupc__presence valued; /* the same of those that have a value */
	struct hupc__presence other;  /* one that does not agree with the two above */
	uint64_t value;               /* of thread 0; 0 in sets without it */
	uint64_t frees;               /* not 0: one of them has freed shared memory since the last barrier */
};

/* Arrives with this word and, from thread 0, a value for all. Does not wait. */
void hupc__network_arrive(const struct hupc__presence *mine, uint64_t value);

/* Waits for all threads, in the name of `what`. The result stays valid until the next but one arrival. */
const struct hupc__agreement *hupc__network_await(const char *what);

/* How often this thread has arrived, and for what the last time. Context: lock held. */
uint32_t hupc__network_arrivals(struct hupc__presence *last);

#endif
