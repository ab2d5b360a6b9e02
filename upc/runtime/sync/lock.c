/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upc.h: locks (UPC library 7.2.5). A lock is a word in shared memory, on which waiting threads sleep. With a network,
 * the operations are those of lock_network.c.
 */
#include "upc/runtime/sync/lock.h"

#include "upc/runtime/base/library.h"
#include "upc/runtime/base/system.h"
#include "upc/runtime/base/wait.h"
#include "upc/runtime/end/fatal.h"
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/memory/heap.h"
#include "upc/runtime/memory/range.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/sync/barrier.h"
#include "upc/runtime/sync/collective_allocation.h"

static upcrt_shared make(const struct hupc__site *site, void *what)
{
	upcrt_shared pointer = hupc__heap_take_local(site, what, sizeof(struct hupc__lock));
	struct hupc__lock *lock = UPCRT_ADDRESS(pointer);
	*lock = (struct hupc__lock){.magic = hupc__network ? HUPC__NETWORK_LOCK_MAGIC : HUPC__LOCK_MAGIC};
	return pointer;
}

static inline bool usable(upcrt_shared pointer)
{
	struct hupc__lock *lock = UPCRT_ADDRESS(pointer);
	return hupc__is_here(pointer, sizeof(*lock)) && lock->magic == HUPC__LOCK_MAGIC;
}

static inline struct hupc__lock *open(const struct hupc__site *site, const char *what, upcrt_shared pointer)
{
	struct hupc__lock *lock = UPCRT_ADDRESS(pointer);
	if (!usable(pointer))
		hupc__no_lock(site, what, pointer);
	return lock;
}

upcrt_shared upc_global_lock_alloc(void)
{
	struct hupc__site site = hupc__site_take();
	hupc__event(&site, GASP_UPC_GLOBAL_LOCK_ALLOC, GASP_START);
	upcrt_shared lock = make(&site, "upc_global_lock_alloc");
	hupc__event(&site, GASP_UPC_GLOBAL_LOCK_ALLOC, GASP_END, &lock);
	return lock;
}

upcrt_shared upc_all_lock_alloc(void)
{
	struct hupc__site site = hupc__site_take();
	static char what[] = "upc_all_lock_alloc";
	hupc__event(&site, GASP_UPC_ALL_LOCK_ALLOC, GASP_START);
	upcrt_shared lock = hupc__collective_take(&site, HUPC__ALL_LOCK_ALLOC, 0, make, what);
	hupc__event(&site, GASP_UPC_ALL_LOCK_ALLOC, GASP_END, &lock);
	return lock;
}

static void destroy(const struct hupc__site *site, const char *what, upcrt_shared pointer)
{
	if (hupc__network)
		hupc__network_lock_free(site, what, pointer);
	else
		open(site, what, pointer)->magic = 0;
	hupc__heap_give(site, what, pointer);
}

void upc_lock_free(upcrt_shared lock)
{
	struct hupc__site site = hupc__site_take();
	hupc__event(&site, GASP_UPC_LOCK_FREE, GASP_START, &lock);
	if (lock)
		destroy(&site, "upc_lock_free", lock);
	hupc__event(&site, GASP_UPC_LOCK_FREE, GASP_END, &lock);
}

void upc_all_lock_free(upcrt_shared lock)
{
	struct hupc__site site = hupc__site_take();
	hupc__event(&site, GASP_UPC_LOCK_FREE, GASP_START, &lock);
	hupc__meet(&site, HUPC__ALL_LOCK_FREE, lock);
	if (lock && hupc__mythread == 0)
		destroy(&site, "upc_all_lock_free", lock);
	hupc__event(&site, GASP_UPC_LOCK_FREE, GASP_END, &lock);
}

/* Ends the program if the holder has ended: it will never release the lock. */
static void end_if_gone(const struct hupc__site *site, struct hupc__lock *lock)
{
	int owner = atomic_load(&lock->owner) - 1;
	if (owner >= 0 && owner != hupc__mythread && hupc__has_ended(owner) && atomic_load(&lock->owner) - 1 == owner)
		hupc__waits_forever(site, "upc_lock", owner, atomic_load(&hupc__control->thread[owner].status));
}

static void wait_for(const struct hupc__site *site, struct hupc__lock *lock)
{
	_Atomic uint32_t *state = &lock->mutex.state;

	for (int spins = hupc__spin_limit(); spins > 0; spins--) {
		if (atomic_load_explicit(state, memory_order_relaxed) == 0 && hupc__mutex_try(&lock->mutex))
			return;
		hupc__relax();
	}
	while (atomic_exchange_explicit(state, 2, memory_order_acquire) != 0) {
		end_if_gone(site, lock);
		hupc__sleep(state, 2);
	}
}

/* Fast path: no tool, and a valid lock that is not held. lock_slowly handles all other calls. */
static inline bool lock_fast(upcrt_shared pointer)
{
	struct hupc__lock *lock = UPCRT_ADDRESS(pointer);
	if (__upcrt_site.file || !usable(pointer) || !hupc__mutex_try(&lock->mutex))
		return false;
	atomic_store_explicit(&lock->owner, hupc__mythread + 1, memory_order_relaxed);
	hupc__fence_by_swap();
	return true;
}

static void take(const struct hupc__site *site, upcrt_shared pointer)
{
	struct hupc__lock *lock = open(site, "upc_lock", pointer);
	if (!hupc__mutex_try(&lock->mutex)) {
		if (atomic_load_explicit(&lock->owner, memory_order_relaxed) == hupc__mythread + 1)
			hupc__fatal(site, "upc_lock of a lock that this thread holds already");
		wait_for(site, lock);
	}
	atomic_store_explicit(&lock->owner, hupc__mythread + 1, memory_order_relaxed);
	hupc__fence_by_swap();
}

__attribute__((noinline)) static void lock_slowly(upcrt_shared pointer)
{
	struct hupc__site site = hupc__site_take();
	hupc__event(&site, GASP_UPC_LOCK, GASP_START, &pointer);
	if (hupc__network)
		hupc__network_lock(&site, "upc_lock", pointer, false);
	else
		take(&site, pointer);
	hupc__event(&site, GASP_UPC_LOCK, GASP_END, &pointer);
}

void upc_lock(upcrt_shared pointer)
{
	if (__builtin_expect(!lock_fast(pointer), 0))
		lock_slowly(pointer);
}

static bool try(const struct hupc__site *site, upcrt_shared pointer)
{
	struct hupc__lock *lock = open(site, "upc_lock_attempt", pointer);
	bool got = hupc__mutex_try(&lock->mutex);
	if (got)
		atomic_store_explicit(&lock->owner, hupc__mythread + 1, memory_order_relaxed);
	hupc__fence_by_swap();
	return got;
}

int upc_lock_attempt(upcrt_shared pointer)
{
	struct hupc__site site = hupc__site_take();
	hupc__event(&site, GASP_UPC_LOCK_ATTEMPT, GASP_START, &pointer);
	int got = hupc__network ? hupc__network_lock(&site, "upc_lock_attempt", pointer, true) : try(&site, pointer);
	hupc__event(&site, GASP_UPC_LOCK_ATTEMPT, GASP_END, &pointer, got);
	return got;
}

static inline void unlock(struct hupc__lock *lock)
{
	hupc__fence_by_swap();
	atomic_store_explicit(&lock->owner, 0, memory_order_relaxed);
	hupc__mutex_unlock(&lock->mutex);
}

static void give_up(const struct hupc__site *site, upcrt_shared pointer)
{
	struct hupc__lock *lock = open(site, "upc_unlock", pointer);
	if (atomic_load_explicit(&lock->owner, memory_order_relaxed) != hupc__mythread + 1)
		hupc__fatal(site, "upc_unlock of a lock that this thread does not hold");
	unlock(lock);
}

__attribute__((noinline)) static void unlock_slowly(upcrt_shared pointer)
{
	struct hupc__site site = hupc__site_take();
	hupc__event(&site, GASP_UPC_UNLOCK, GASP_START, &pointer);
	if (hupc__network)
		hupc__network_unlock(&site, pointer);
	else
		give_up(&site, pointer);
	hupc__event(&site, GASP_UPC_UNLOCK, GASP_END, &pointer);
}

void upc_unlock(upcrt_shared pointer)
{
	struct hupc__lock *lock = UPCRT_ADDRESS(pointer);
	if (__builtin_expect(!__upcrt_site.file && usable(pointer), 1) &&
		atomic_load_explicit(&lock->owner, memory_order_relaxed) == hupc__mythread + 1)
		unlock(lock);
	else
		unlock_slowly(pointer);
}
