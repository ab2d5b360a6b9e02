/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A barrier over the network: a dissemination barrier, in which each of n threads sends log2(n) messages (rounded up)
 * and waits for as many. They carry what the threads synchronize for, so that all learn of a thread that came to
 * something else, and a value of thread 0. Context: the UPC thread's own, unless stated.
 */
#ifndef HEDDLE_UPC_RUNTIME_BARRIER_NETWORK_H
#define HEDDLE_UPC_RUNTIME_BARRIER_NETWORK_H

#include "upc/runtime/sync/barrier.h"

/* A word of one thread (barrier.c), and where it came to it. word 0: none. */
struct hupc__presence {
	uint64_t word;
	struct hupc__shared_place place;
};

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

/* This thread has freed shared memory: the next barrier notifies all. Context: any thread. */
void hupc__network_frees(void);

/* Waits for all threads, in the name of `what`. The result stays valid until the next but one arrival. */
const struct hupc__agreement *hupc__network_await(const char *what);

/* How often this thread has arrived, and for what the last time. Context: lock held. */
uint32_t hupc__network_arrivals(struct hupc__presence *last);

/* What this thread reports to others that it has come to (barrier.c). */
struct hupc__presence hupc__presence_at(const struct hupc__site *site, enum hupc__meeting meeting, uint64_t arguments);

/*
 * Ends the program with a message: this thread, at `site`, has come to `mine`, and another one to what contradicts it
 * (barrier.c).
 */
_Noreturn void hupc__contradict(const struct hupc__site *site, uint64_t mine, const struct hupc__presence *other);

/* Whether two words of different threads contradict each other (barrier.c). */
bool hupc__words_differ(uint64_t a, uint64_t b);

/* Whether a thread of this program can have come to that (barrier.c). Others may send anything. */
bool hupc__presence_is_possible(const struct hupc__presence *presence);

/* Parts of a word (barrier.c). */
bool hupc__word_has_value(uint64_t word);
int hupc__word_thread(uint64_t word);

#endif
