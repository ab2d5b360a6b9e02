/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inlined functions that burn on lines of their own, a recursive one, phases with unusual names, and a team of threads,
 * to check the functions and lines in exports. Prints nothing.
 */
#include "burn.h"

#include <heddle/heddle.h>

static inline __attribute__((always_inline)) void burn_inner(double ms)
{
	burn_ms(ms); /* line of inner */
}

static inline __attribute__((always_inline)) void burn_middle(double ms)
{
	burn_inner(ms); /* line of middle */
}

static NOINLINE void descend(int depth)
{
	burn_middle(30); /* line of descend */
	if (depth > 0)
		descend(depth - 1);        /* line of recursion */
	__asm__ volatile("" ::: "memory"); /* no tail call */
}

int main(void)
{
	heddle_phase_begin("a\nb\"c\\d\001\xe9;'");
	descend(2);
	heddle_phase_end("a\nb\"c\\d\001\xe9;'");
#pragma omp parallel num_threads(2)
	{
		for (int i = 0; i < 3; i++)
			burn_inner(20); /* line of the body */
#pragma omp barrier
		descend(1);
	}
	return 0;
}
