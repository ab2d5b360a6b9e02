/* SPDX-License-Identifier: BSD-3-Clause */
/* taskloops: a taskloop whose tasks have taskloops, with a task group and without. Prints the number of tasks. */
#include <stdatomic.h>
#include <stdio.h>

static atomic_long iterations;

__attribute__((noinline)) static void inner(void)
{
#pragma omp taskloop num_tasks(3) /* line: inner */
	for (int i = 0; i < 3; i++)
		iterations++;
}

__attribute__((noinline)) static void ungrouped(void)
{
#pragma omp taskloop num_tasks(4) nogroup /* line: ungrouped */
	for (int i = 0; i < 4; i++)
		iterations++;
}

__attribute__((noinline)) static void outer(void)
{
#pragma omp taskloop num_tasks(5) /* line: outer */
	for (int i = 0; i < 5; i++) {
		inner();
		ungrouped();
	}
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	outer();
	printf("iterations %ld\ntasks %d\n", iterations, 5 + 5 * (3 + 4));
	return 0;
}
