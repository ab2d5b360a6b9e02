/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * efficiency_truth ROUNDS: in each round, one thread works alone for 2 ms of CPU time, then two threads work for 2 and
 * 6 ms. Prints "useful NS" of both threads, and "elapsed NS".
 */
#include <omp.h>
#include <stdlib.h>

#include "burn.h"

static uint64_t useful[2];

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

NOINLINE static uint64_t alone(void)
{
	return burn_ms(2);
}

NOINLINE static uint64_t together(int thread)
{
	return burn_ms(thread ? 6 : 2);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 100;
	uint64_t start = now_ns();
	omp_set_num_threads(2);
	for (int i = 0; i < rounds; i++) {
		useful[0] += alone();
#pragma omp parallel
		{
			uint64_t took = together(omp_get_thread_num());
#pragma omp atomic
			useful[omp_get_thread_num()] += took;
		}
	}
	printf("useful %llu\nelapsed %llu\n", (unsigned long long)(useful[0] + useful[1]),
		(unsigned long long)(now_ns() - start));
	return 0;
}
