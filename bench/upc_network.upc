/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of the network, as "name value" lines of thread 0: microseconds of an operation (median and 99th percentile
 * of single operations), MB/s of large transfers. Thread 1 has the data and waits in a barrier (idle), or computes.
 * Argument: the number of single operations.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc_relaxed.h>

#define LARGE (4 << 20)
#define PUTS 1000

struct block {
	char bytes[LARGE];
};
shared struct block data[THREADS];
shared [] long *far_words;
shared [1] long words[THREADS * PUTS];
shared strict int done;
static char *private;

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void print(const char *name, double *times, int count)
{
	qsort(times, (size_t)count, sizeof(*times), by_size);
	printf("%s %.3f\n%s_p99 %.3f\n", name, times[count / 2], name, times[count * 99 / 100]);
}

static long volatile kept;

static void single_gets(const char *name, double *times, int count)
{
	for (int i = -100; i < count; i++) {
		double start = now();
		kept = far_words[(i + 100) % PUTS];
		if (i >= 0)
			times[i] = now() - start;
	}
	print(name, times, count);
}

/* 1,000 puts and a fence, and 1,000 gets one after the other. */
static void many(double *times, int count)
{
	for (int i = 0; i < count; i++) {
		double start = now();
		for (int j = 0; j < PUTS; j++)
			far_words[j] = j;
		upc_fence;
		times[i] = now() - start;
	}
	print("puts_and_fence", times, count);
	for (int i = 0; i < count; i++) {
		double start = now();
		for (int j = 0; j < PUTS; j++)
			kept = far_words[j];
		times[i] = now() - start;
	}
	print("gets_one_by_one", times, count);
}

static void bandwidth(const char *name, size_t size, double *times, int count)
{
	for (int i = -100; i < count; i++) { /* warm-up as in mpi_network.c */
		double start = now();
		upc_memget(private, &data[1 % THREADS], size);
		if (i >= 0)
			times[i] = (double)size / (now() - start);
	}
	qsort(times, (size_t)count, sizeof(*times), by_size);
	printf("%s %.1f\n", name, times[count / 2]);
}

static void barriers(double *times, int count)
{
	for (int i = 0; i < count; i++) {
		double start = now();
		upc_barrier;
		times[i] = now() - start;
	}
	if (MYTHREAD == 0)
		print("barrier", times, count);
}

static void compute_until_done(void)
{
	volatile double x = 1;
	while (!done)
		for (int i = 0; i < 1000000; i++)
			x = x * 1.0000001 + 1e-9;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 2000;
	double *times = malloc((size_t)count * sizeof(*times));
	private = malloc(LARGE);
	far_words = (shared [] long *)&words[1 % THREADS];
	for (int i = 0; i < LARGE; i++)
		data[MYTHREAD].bytes[i] = (char)i;
	upc_barrier;
	if (MYTHREAD == 0) {
		single_gets("get_idle", times, count);
		many(times, count / 50 + 1);
		bandwidth("get_64k", 1 << 16, times, count / 4 + 1);
		bandwidth("get_4m", LARGE, times, count / 50 + 1);
	}
	upc_barrier;
	if (MYTHREAD == 0) {
		single_gets("get_computing", times, count);
		done = 1;
	} else if (MYTHREAD == 1) {
		compute_until_done();
	}
	upc_barrier;
	barriers(times, count);
	return 0;
}
