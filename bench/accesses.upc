/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time of an access to another thread's memory with events, in ns: to one array; to four arrays in one line, in
 * turn; to memory that each thread allocated separately. Thread 0 accesses; prints the minimum of several runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc_relaxed.h>

#define ELEMENTS 1024 /* of each thread */
#define RUNS 7
#define ACCESSES 200000

struct part {
	shared [] long *own;
};

static shared long one[ELEMENTS * THREADS], two[ELEMENTS * THREADS], three[ELEMENTS * THREADS];
static shared long *four;
static shared struct part parts[THREADS];
static long sum;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static void access_array(void)
{
	for (int i = 0; i < ACCESSES; i++)
		sum += one[i % ELEMENTS * THREADS + 1];
}

static void access_four(void)
{
	for (int i = 0; i < ACCESSES / 4; i++) {
		int at = i % ELEMENTS * THREADS + 1;

		sum += one[at] + two[at] + three[at] + four[at];
	}
}

static void access_parts(void)
{
	shared [] long *memory[THREADS];

	for (int t = 0; t < THREADS; t++)
		memory[t] = parts[t].own;
	for (int i = 0; i < ACCESSES; i++)
		sum += memory[1 + i % (THREADS - 1)][i % ELEMENTS];
}

static void measure(const char *name, void (*access)(void))
{
	double least = 1e18;

	for (int i = 0; i < RUNS; i++) {
		double start = now_ns(), taken;

		access();
		taken = (now_ns() - start) / ACCESSES;
		least = taken < least ? taken : least;
	}
	printf("%s %.1f\n", name, least);
}

int main(void)
{
	four = upc_all_alloc(ELEMENTS * THREADS, sizeof(long));
	parts[MYTHREAD].own = upc_alloc(ELEMENTS * sizeof(long));
	upc_barrier;
	if (MYTHREAD == 0) {
		measure("array", access_array);
		measure("four_arrays", access_four);
		measure("others_memory", access_parts);
	}
	upc_barrier;
	return sum == 1;
}
