/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * two_runtimes LIBRARY: executes a parallel region of its own OpenMP runtime, one of the second runtime in LIBRARY, and
 * one of its own again. Each thread burns CPU time in each region.
 */
#include "burn.h"

#include <dlfcn.h>

NOINLINE void burn_first(void)
{
	burn_ms(60);
	__asm__ volatile("");
}

NOINLINE void burn_second(void)
{
	burn_ms(60);
	__asm__ volatile("");
}

NOINLINE void burn_again(void)
{
	burn_ms(120);
	__asm__ volatile("");
}

static void region_of_second(void *unused)
{
	(void)unused;
	burn_second();
}

int main(int argc, char **argv)
{
	void (*parallel)(void (*)(void *), void *, unsigned int, unsigned int) = NULL;
	void *second = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) : NULL;
	if (second)
		*(void **)&parallel = dlsym(second, "GOMP_parallel");
	if (!parallel)
		return 1;
#pragma omp parallel num_threads(2)
	burn_first();
	parallel(region_of_second, NULL, 2, 0);
#pragma omp parallel num_threads(2)
	burn_again();
	return 0;
}
