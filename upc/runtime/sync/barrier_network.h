/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A barrier over the network: a dissemination barrier, in which each of n threads sends log2(n) messages (rounded up)
 * and waits for as many. The messages carry what the threads synchronize for, so that all threads detect a mismatch,
 * and a value of thread 0. Context: the UPC thread's own, unless stated.
 */
#ifndef HEDDLE_UPC_RUNTIME_BARRIER_NETWORK_H
#define HEDDLE_UPC_RUNTIME_BARRIER_NETWORK_H

#include "upc/runtime/sync/meeting.h"

/* What a set of threads synchronizes for. */
struct hupc__agreement {
	struct hupc__presence any;    /* of the thread with the lowest number */
	struct hupc__presence valued; /* of the thread with the lowest number among those that have a value */
	struct hupc__presence other;  /* one that contradicts `any` or `valued` */
	uint64_t value;               /* of thread 0; 0 in sets without it */
	uint64_t frees;               /* not 0: one of the threads has freed shared memory since the last barrier */
};

/* Arrives at the barrier with the word MINE and, in thread 0, a value for all threads. Does not wait. */
void hupc__network_arrive(const struct hupc__presence *mine, uint64_t value);

/* Waits for all threads, in the name of `what`. The result is valid until the next arrival but one. */
const struct hupc__agreement *hupc__network_await(const char *what);

/* The number of this thread's arrivals, and what the last one was for. Context: lock held. */
uint32_t hupc__network_arrivals(struct hupc__presence *last);

#endif
