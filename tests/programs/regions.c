/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regions COUNT THREADS: executes COUNT short parallel regions, at two places, with one task and one barrier in every
 * hundredth. Prints whether memory stayed bounded after the first 5 %.
 */
#include "burn.h"

#include <omp.h>
#include <stdlib.h>

static double sums[2];
static volatile long tasks_run;

static NOINLINE void short_region(int threads, long i)
{
	if (i % 2) {
#pragma omp parallel num_threads(threads)
		if (omp_get_thread_num() == 0)
			sums[0] += 1;
	} else {
#pragma omp parallel num_threads(threads)
		{
#pragma omp master
			sums[1] += 1;
			if (i % 100 == 0) {
#pragma omp barrier
#pragma omp single
#pragma omp task
				tasks_run = tasks_run + 1;
			}
		}
	}
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 100000, before = 0;
	int threads = argc > 2 ? atoi(argv[2]) : 2;

	for (long i = 0; i < count; i++) {
		if (i == count / 20)
			before = status_kb("VmRSS:");
		short_region(threads, i);
	}
	long grown = status_kb("VmRSS:") - before;
	printf("%.0f regions, %ld tasks, memory %s\n", sums[0] + sums[1], tasks_run,
		grown < 4096 ? "bounded" : "grows");
	fprintf(stderr, "VmRSS grew by %ld kB\nVmHWM %ld\n", grown, status_kb("VmHWM:"));
	return 0;
}
