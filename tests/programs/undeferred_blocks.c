/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Undeferred tasks with blocks that call functions. The tasks are so small that Clang inlines them into the function
 * that creates them.
 */
#include <omp.h>

#include "burn.h"

static NOINLINE void burn_before(int ms)
{
	burn_ms(ms);
	__asm__ volatile("# before"); /* differs from the next function */
}

static NOINLINE void burn_in_critical(int ms)
{
	burn_ms(ms);
	__asm__ volatile("# critical");
}

static NOINLINE void burn_in_lock(int ms)
{
	burn_ms(ms);
	__asm__ volatile("# lock");
}

static NOINLINE void burn_in_taskgroup(int ms)
{
	burn_ms(ms);
	__asm__ volatile("# taskgroup");
}

static NOINLINE void burn_after(int ms)
{
	burn_ms(ms);
	__asm__ volatile("# after");
}

static omp_lock_t lock;

int main(void)
{
	omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 10; i++) {
#pragma omp task if (0)
		{
			burn_before(10);
#pragma omp critical
			burn_in_critical(10);
		}
#pragma omp task if (0)
		{
			omp_set_lock(&lock);
			burn_in_lock(10);
			omp_unset_lock(&lock);
		}
#pragma omp task if (0)
		{
#pragma omp taskgroup
			burn_in_taskgroup(10);
			burn_after(10);
		}
	}
	omp_destroy_lock(&lock);
	return 0;
}
