/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `switching THREADS WAY MILLISECONDS`: each thread uses that much CPU time, in rounds of burn_short (15 us), burn_long
 * (35 us) and, by WAY, sched_yield, a nanosleep of 20 us, or nothing. Prints the shares of the two functions, then the
 * CPU time of the process to stderr.
 */
#include "burn.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static const char *way;
static double milliseconds;
static _Atomic uint64_t short_ns, long_ns;

/* A cheap clock would also count the time of other threads. Therefore iterations are counted, at a measured rate. */
static long per_us = 1;

static inline __attribute__((always_inline)) void spin(long iterations)
{
	for (long i = 0; i < iterations; i++)
		__asm__ volatile("" ::"r"(i));
}

static NOINLINE void burn_short(void)
{
	spin(15 * per_us);
}

static NOINLINE void burn_long(void)
{
	spin(35 * per_us);
}

static void switch_away(void)
{
	struct timespec nap = {.tv_nsec = 20000};
	if (strcmp(way, "yields") == 0)
		sched_yield();
	else if (strcmp(way, "sleeps") == 0)
		nanosleep(&nap, NULL);
}

static void *run(void *unused)
{
	uint64_t end = thread_cpu_ns() + (uint64_t)(milliseconds * 1e6);
	uint64_t rounds = 0;
	do {
		for (int i = 0; i < 20; i++) {
			burn_short();
			burn_long();
			switch_away();
		}
		rounds += 20;
	} while (thread_cpu_ns() < end);
	atomic_fetch_add(&short_ns, rounds * 15);
	atomic_fetch_add(&long_ns, rounds * 35);
	return unused;
}

static void find_rate(void)
{
	uint64_t start = thread_cpu_ns();
	spin(10000000);
	per_us = (long)(10000000000.0 / (double)(thread_cpu_ns() - start)) + 1;
}

int main(int argc, char **argv)
{
	pthread_t threads[64];
	int count = argc > 3 ? atoi(argv[1]) : 0;
	if (count < 1 || count > 64)
		return 98;
	way = argv[2];
	milliseconds = atof(argv[3]);
	find_rate();
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	double all = (double)(short_ns + long_ns);
	print_share("burn_short", (double)short_ns, all);
	print_share("burn_long", (double)long_ns, all);
	fprintf(stderr, "process_cpu_ns %llu\n", (unsigned long long)process_cpu_ns());
	return 0;
}
