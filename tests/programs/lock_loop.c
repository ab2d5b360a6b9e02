/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lock_loop THREADS ITERATIONS: threads that update something under a lock, much shorter each time than a sampling
 * period, and do other things, too.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static omp_lock_t lock;

static inline __attribute__((always_inline)) void steps(int count)
{
	for (int i = 0; i < count; i++)
		__asm__ volatile("" ::"r"(i));
}

NOINLINE static void update_slow(void)
{
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
#pragma omp parallel for num_threads(threads)
	for (int i = 0; i < iterations; i++) {
		prepare();
		omp_set_lock(&lock); /* line: set */
		update_slow();
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	puts("done");
	return 0;
}
