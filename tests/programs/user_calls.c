/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls query routines of the OpenMP runtime outside of regions, in a region, and in a task. */
#include <omp.h>
#include <stdio.h>

static volatile double sink;

static __attribute__((noinline)) void read_clock(void)
{
	double sum = 0;
	for (int i = 0; i < 2000000; i++)
		sum += omp_get_wtime();
	sink = sum;
}

static __attribute__((noinline)) void read_number(void)
{
	long sum = 0;
	for (int i = 0; i < 20000000; i++)
		sum += omp_get_thread_num();
	sink = (double)sum;
}

int main(void)
{
	read_clock();
	read_number();
#pragma omp parallel num_threads(2)
	{
		read_clock();
		read_number();
#pragma omp single
#pragma omp task
		read_clock();
	}
	puts("done");
	return 0;
}
