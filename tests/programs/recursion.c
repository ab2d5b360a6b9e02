/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recursion tasks|undeferred|regions DEPTH: a binary tree of calls, each of which is a task (undeferred below the third
 * level) or a section of a parallel region. Prints the number of constructs encountered and of leaves.
 */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long constructs, leaves;
static int deferred_levels = 1000;

static __attribute__((noinline)) void by_tasks(int depth, int level)
{
	if (depth == 0) {
		leaves++;
		return;
	}
	constructs += 2;
#pragma omp task if (level < deferred_levels) /* line: left */
	by_tasks(depth - 1, level + 1);
#pragma omp task if (level < deferred_levels) /* line: right */
	by_tasks(depth - 1, level + 1);
#pragma omp taskwait
}

static __attribute__((noinline)) void by_regions(int depth)
{
	if (depth == 0) {
		leaves++;
		return;
	}
	constructs++;
#pragma omp parallel sections num_threads(2) /* line: region */
	{
#pragma omp section
		by_regions(depth - 1);
#pragma omp section
		by_regions(depth - 1);
	}
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "tasks";
	int depth = argc > 2 ? atoi(argv[2]) : 3;
	if (strcmp(kind, "undeferred") == 0)
		deferred_levels = 3;
	if (strcmp(kind, "regions") == 0) {
		by_regions(depth);
	} else {
#pragma omp parallel num_threads(2)
#pragma omp single
		by_tasks(depth, 0);
	}
	printf("constructs %ld\nleaves %ld\n", constructs, leaves);
	return 0;
}
