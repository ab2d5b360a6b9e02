/* SPDX-License-Identifier: BSD-3-Clause */
/* For GCC, on LLVM's runtime: sections, a dynamic loop, a barrier, and sections again. */
#include "burn.h"

static NOINLINE void burn_in_section(int ms)
{
	burn_ms(ms);
	__asm__ volatile("# section"); /* differs from the next function */
}

static NOINLINE void burn_in_loop(int ms)
{
	burn_ms(ms);
	__asm__ volatile("# loop");
}

int main(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp sections
		{
			burn_in_section(50);
#pragma omp section
			burn_in_section(50);
		}
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 4; i++)
			burn_in_loop(20);
#pragma omp barrier
#pragma omp sections
		{
			burn_in_section(50);
#pragma omp section
			burn_in_section(50);
		}
	}
	return 0;
}
