/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks: what those in shared memory (lock.c) and those over the network (lock_network.c) have in common. */
#ifndef HEDDLE_UPC_RUNTIME_LOCK_H
#define HEDDLE_UPC_RUNTIME_LOCK_H

#include "upc/runtime/events/site.h"

#define HUPC__LOCK_MAGIC 0x4b434f4cu
#define HUPC__NETWORK_LOCK_MAGIC 0x4b434e4cu /* only its owner's process may touch it */

struct hupc__lock {
	_Alignas(32) struct hupc__mutex mutex; /* not of network locks */
	_Atomic int32_t owner;                 /* thread + 1 while held, else 0 */
	uint32_t magic;
	bool orphaned;        /* its holder has ended */
	int32_t status;       /* the holder's exit status */
	uint32_t padding[11]; /* fills a cache line, against false sharing */
};

/* Ends the program with a message: the pointer is not that of a lock. */
_Noreturn void hupc__no_lock(const struct hupc__site *site, const char *what, upcrt_shared pointer);

/*
 * The operations over the network: the queue of a lock is in the process of the thread that the lock has affinity to.
 * `attempt`: returns whether the lock was taken, at once. Context: any thread of the program.
 */
bool hupc__network_lock(const struct hupc__site *site, const char *what, upcrt_shared pointer, bool attempt);
void hupc__network_unlock(const struct hupc__site *site, upcrt_shared pointer);
void hupc__network_lock_free(const struct hupc__site *site, const char *what, upcrt_shared pointer);

/* This thread ends with that status: threads that wait for locks that it holds are notified. */
void hupc__network_orphan_locks(int status);

#endif
