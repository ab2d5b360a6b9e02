/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for other processes: spins for a while, then sleeps. */
#ifndef HEDDLE_UPC_RUNTIME_WAIT_H
#define HEDDLE_UPC_RUNTIME_WAIT_H

#include <signal.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/system.h"

/* The number of polls before sleeping: 0 if threads share processors. */
int hupc__spin_limit(void);

/* Sleeping threads wake up this often to check whether threads have ended. */
#define HUPC__NAP_MS 300

/* True while this thread is in one of the calls below: a signal then interrupts no other code of the program. */
extern _Thread_local volatile sig_atomic_t hupc__in_futex;

/*
 * Checks the other processes of this node if there is no monitor (end/watch.c); NULL: not needed. `check` costs little;
 * `end_if_lost` ends the program if a thread was lost, for which `what` waits. Context of both: any thread.
 */
struct hupc__watcher {
	void (*check)(void);
	void (*end_if_lost)(const char *what);
};
extern const struct hupc__watcher *hupc__watcher;

static inline void hupc__sleep(_Atomic uint32_t *word, uint32_t value)
{
	hupc__in_futex = 1;
	hupc__futex_wait(word, value, HUPC__NAP_MS);
	hupc__in_futex = 0;
	if (__builtin_expect(!!hupc__watcher, 0))
		hupc__watcher->check();
}

static inline void hupc__wake(_Atomic uint32_t *word, int count)
{
	hupc__in_futex = 1;
	hupc__futex_wake(word, count);
	hupc__in_futex = 0;
}

void hupc__mutex_lock(struct hupc__mutex *mutex);

static inline bool hupc__mutex_try(struct hupc__mutex *mutex)
{
	uint32_t free = 0;
	return atomic_compare_exchange_strong_explicit(
		&mutex->state, &free, 1, memory_order_acquire, memory_order_relaxed);
}

static inline void hupc__mutex_unlock(struct hupc__mutex *mutex)
{
	if (__builtin_expect(atomic_exchange_explicit(&mutex->state, 0, memory_order_release) == 2, 0))
		hupc__wake(&mutex->state, 1);
}

#endif
