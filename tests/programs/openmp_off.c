/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * openmp_off: the main thread creates three parallel regions with five tasks each, switches its measurement off,
 * creates seven more regions, switches it on and creates two.
 */
#define __UPC_PUPC_INST__ 1
#include <heddle/pupc.h>

#include "burn.h"

static volatile int tasks_run;

static NOINLINE void region(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp masked
		for (int i = 0; i < 5; i++) {
#pragma omp task
			{
#pragma omp atomic
				tasks_run += 1;
			}
		}
	}
}

static void regions(int count)
{
	for (int i = 0; i < count; i++)
		region();
}

int main(void)
{
	regions(3);
	pupc_control(0);
	regions(7);
	pupc_control(1);
	regions(2);
	printf("%d tasks\n", tasks_run);
	return 0;
}
