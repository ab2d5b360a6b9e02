/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recursive_tasks NUMBER: Fibonacci numbers, with a task for each of a call's two terms, on two threads: all tasks
 * deferred, then, by an if clause, none from the fifth level on. Prints the number of tasks and the nanoseconds of CPU
 * time of one task.
 */
#include <stdio.h>
#include <stdlib.h>

#include "clocks.h"

static long tasks;

static __attribute__((noinline)) long fibonacci(int n, int levels)
{
	long a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a) if (levels > 0)
	a = fibonacci(n - 1, levels - 1);
#pragma omp task shared(b) if (levels > 0)
	b = fibonacci(n - 2, levels - 1);
#pragma omp taskwait
#pragma omp atomic
	tasks += 2;
	return a + b;
}

static void print_cost(const char *name, int n, int levels)
{
	double cpu = process_cpu_seconds();
	volatile long result = 0;
	tasks = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
	result = fibonacci(n, levels);
	printf("%s %.1f\n", name, (process_cpu_seconds() - cpu) * 1e9 / (double)tasks);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 25;
	print_cost("deferred", n, n);
	print_cost("undeferred", n, 4);
	printf("tasks %ld\n", tasks);
	return 0;
}
