/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * constructs THREADS [cpu|elapsed [NAME...]]: nanoseconds of an empty parallel region, barrier, task, critical section,
 * lock, flush, worksharing loop and chunk of one (or those NAMEs), as "name ns" lines; each the median of 21 batches,
 * in the manner of the EPCC micro-benchmarks. `cpu`: CPU time of the first thread, which excludes time in which other
 * threads have its processor.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clocks.h"

enum { BATCHES = 21 };
static int threads;
static clockid_t clock_id = CLOCK_MONOTONIC;

static void parallel_regions(long count)
{
	for (long i = 0; i < count; i++) {
#pragma omp parallel num_threads(threads)
		__asm__ volatile("");
	}
}

static void barriers(long count)
{
#pragma omp parallel num_threads(threads)
	for (long i = 0; i < count; i++) {
#pragma omp barrier
	}
}

static void criticals(long count)
{
#pragma omp parallel num_threads(threads)
	for (long i = 0; i < count; i++) {
#pragma omp critical
		__asm__ volatile("");
	}
}

static void loops(long count)
{
#pragma omp parallel num_threads(threads)
	for (long i = 0; i < count; i++) {
#pragma omp for
		for (int k = 0; k < threads; k++)
			__asm__ volatile("");
	}
}

static void tasks(long count)
{
#pragma omp parallel num_threads(threads)
	for (long i = 0; i < count; i++) {
#pragma omp task
		__asm__ volatile("");
	}
}

static void locks(long count)
{
	omp_lock_t lock;
	omp_init_lock(&lock);
#pragma omp parallel num_threads(threads)
	for (long i = 0; i < count; i++) {
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
}

static void flushes(long count)
{
#pragma omp parallel num_threads(threads)
	for (long i = 0; i < count; i++) {
#pragma omp flush
	}
}

/* One loop. Runtimes since LLVM 16 report one event for each chunk. */
static void chunks(long count)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
	for (long i = 0; i < count; i++)
		__asm__ volatile("");
}

static char **names; /* constructs to measure; NULL: all */

static int is_chosen(const char *name)
{
	for (char **each = names; each && *each; each++)
		if (strcmp(*each, name) == 0)
			return 1;
	return !names;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void measure(const char *name, void (*construct)(long), long count)
{
	double ns[BATCHES];
	if (!is_chosen(name))
		return;
	construct(count / 10);
	for (int batch = 0; batch < BATCHES; batch++) {
		double start = clock_seconds(clock_id);
		construct(count);
		ns[batch] = (clock_seconds(clock_id) - start) * 1e9 / (double)count;
	}
	qsort(ns, BATCHES, sizeof *ns, compare);
	printf("%s %.2f\n", name, ns[BATCHES / 2]);
}

int main(int argc, char **argv)
{
	threads = argc > 1 ? atoi(argv[1]) : 1;
	if (argc > 3)
		names = argv + 3;
	if (argc > 2 && strcmp(argv[2], "cpu") == 0)
		clock_id = CLOCK_THREAD_CPUTIME_ID;
	measure("parallel", parallel_regions, 10000);
	measure("barrier", barriers, 20000);
	measure("for", loops, 20000);
	measure("critical", criticals, 20000);
	measure("lock", locks, 20000);
	measure("flush", flushes, 20000);
	measure("chunk", chunks, 20000);
	measure("task", tasks, 10000);
	return 0;
}
