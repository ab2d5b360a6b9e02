/* SPDX-License-Identifier: BSD-3-Clause */
/* The slow path of waiting: how long to spin, and sleep on futexes. */
#include "upc/runtime/base/wait.h"

_Thread_local volatile sig_atomic_t hupc__in_futex;
const struct hupc__watcher *hupc__watcher;

int hupc__spin_limit(void)
{
	return hupc__control->processors >= hupc__control->threads ? 150 : 0;
}

void hupc__mutex_lock(struct hupc__mutex *mutex)
{
	for (int spins = hupc__spin_limit(); spins > 0; spins--) {
		if (atomic_load_explicit(&mutex->state, memory_order_relaxed) == 0 && hupc__mutex_try(mutex))
			return;
		hupc__relax();
	}
	while (atomic_exchange_explicit(&mutex->state, 2, memory_order_acquire) != 0) {
		hupc__sleep(&mutex->state, 2);
		if (__builtin_expect(!!hupc__watcher, 0))
			hupc__watcher->end_if_lost("the heap");
	}
}
