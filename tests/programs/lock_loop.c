/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lock_loop THREADS ITERATIONS: threads update data under a lock, each time for much less than a sampling period, and
 * also do other work.
 */
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "burn.h"

static omp_lock_t lock;
static _Atomic unsigned int updaters;

/* On a simulated machine, a step takes 1 ns. */
static inline __attribute__((always_inline)) void steps(int count)
{
	if (simulated()) {
		simulated_burn((uint64_t)count);
		return;
	}
	for (int i = 0; i < count; i++)
		__asm__ volatile("" ::"r"(i));
}

/* On a simulated machine, continues when all other threads that still have iterations wait for the lock. */
NOINLINE static void update_slow(void)
{
	while (simulated() && simulated_waiting(true) + 1 < atomic_load(&updaters))
		sched_yield();
	steps(100000);
}

NOINLINE static void prepare(void)
{
	steps(20000);
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 2, iterations = argc > 2 ? atoi(argv[2]) : 20000;
	omp_init_lock(&lock);
	atomic_store(&updaters, (unsigned int)threads);
#pragma omp parallel num_threads(threads)
	{
#pragma omp for nowait
		for (int i = 0; i < iterations; i++) {
			prepare();
			omp_set_lock(&lock); /* line: set */
			update_slow();
			omp_unset_lock(&lock);
		}
		atomic_fetch_sub(&updaters, 1);
	}
	omp_destroy_lock(&lock);
	puts("done");
	return 0;
}
