/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks MILLISECONDS: two threads burn known parts of the CPU time in blocks of code, those of worksharing, critical
 * sections and others, and print the truth as truth.c does. OMP_CANCELLATION must be true.
 */
#include <omp.h>
#include <stdlib.h>

#define FUNCTIONS(X)    \
	X(loop, 12)     \
	X(inlined, 10)  \
	X(critical, 10) \
	X(orphan, 12)   \
	X(ordered, 8)   \
	X(section, 8)   \
	X(single, 8)    \
	X(master, 6)    \
	X(group, 6)     \
	X(task, 6)      \
	X(cancelled, 6) \
	X(after, 8)

#include "shares.h"

/* Code that the compiler inlines into the loop's body is still inside the loop. */
static inline __attribute__((always_inline)) void put_inline(void)
{
	burn_inlined(PART(inlined, 8));
}

static NOINLINE void loops(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for
		for (int i = 0; i < 8; i++) {
			burn_loop(PART(loop, 8));
			put_inline();
#pragma omp critical
			burn_critical(PART(critical, 8)); /* line: critical */
		}
#pragma omp for ordered
		for (int i = 0; i < 4; i++) {
#pragma omp ordered
			burn_ordered(PART(ordered, 4));
		}
	}
}

static NOINLINE void orphan(void)
{
#pragma omp for schedule(dynamic, 1)
	for (int i = 0; i < 8; i++)
		burn_orphan(PART(orphan, 8));
}

static NOINLINE void orphaned(void)
{
#pragma omp parallel num_threads(2)
	orphan();
}

static NOINLINE void others(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp sections
		{
#pragma omp section
			burn_section(PART(section, 2));
#pragma omp section
			burn_section(PART(section, 2));
		}
#pragma omp single
		burn_single(PART(single, 1));
#pragma omp master
		burn_master(PART(master, 1));
#pragma omp barrier
#pragma omp single
#pragma omp taskgroup
		{
#pragma omp task
			burn_task(PART(task, 1));
			burn_group(PART(group, 1));
		}
	}
}

/* LLVM's runtime does not report the end of a loop with a dynamic schedule if the loop was cancelled. */
static NOINLINE void cancelled(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 100; i++) {
			burn_cancelled(PART(cancelled, 2));
#pragma omp cancel for
		}
		burn_after(PART(after, 2));
	}
}

int main(int argc, char **argv)
{
	total_ms = argc > 1 ? atof(argv[1]) : 1000;
	loops();
	orphaned();
	others();
	cancelled();
	print_shares();
	return 0;
}
