/* SPDX-License-Identifier: BSD-3-Clause */
/* What locks in shared memory (lock.c) and over the network (lock_network.c) have in common. */
#ifndef HEDDLE_UPC_RUNTIME_LOCK_H
#define HEDDLE_UPC_RUNTIME_LOCK_H

#include "upc/runtime/events/site.h"

#define HUPC__LOCK_MAGIC 0x4b434f4cu
#define HUPC__NETWORK_LOCK_MAGIC 0x4b434e4cu /* only its owner's process may access it */

struct hupc__lock {
	_Alignas(32) struct hupc__mutex mutex; /* not used by network locks */
	_Atomic int32_t owner;                 /* number + 1 of the holder, or 0 */
	uint32_t magic;
	bool orphaned;        /* its holder has ended */
	int32_t status;       /* the holder's exit status */
	uint32_t padding[11]; /* fills a cache line, against false sharing */
};

/* Ends the program with a message because the pointer does not point to a lock. */
_Noreturn void hupc__no_lock(const struct hupc__site *site, const char *what, upcrt_shared pointer);

/*
 * The operations over the network: the queue of a lock is in the process of the thread that the lock has affinity to.
 * `attempt`: does not wait; returns whether the lock was acquired. Context: any thread of the program.
 */
bool hupc__network_lock(const struct hupc__site *site, const char *what, upcrt_shared pointer, bool attempt);
void hupc__network_unlock(const struct hupc__site *site, upcrt_shared pointer);
void hupc__network_lock_free(const struct hupc__site *site, const char *what, upcrt_shared pointer);

/* Called when this thread ends with that status: notifies threads that wait for locks that this thread holds. */
void hupc__network_orphan_locks(int status);

#endif
