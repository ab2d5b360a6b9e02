/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that burns 300 ms and then loads a library that uses OpenMP, which loads Heddle, as in an interpreter.
 * Built twice; the library burns 100 ms.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "burn.h"

#ifdef LIBRARY
NOINLINE uint64_t burn_late(void)
{
	return burn_ms(100);
}

void work(void)
{
#pragma omp parallel num_threads(1)
	burn_late();
}
#else
static NOINLINE uint64_t burn_early(void)
{
	return burn_ms(300);
}

int main(int argc, char **argv)
{
	burn_early();
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	void (*work)(void) = library ? (void (*)(void))dlsym(library, "work") : NULL;
	if (!work)
		return EXIT_FAILURE;
	work();
	return 0;
}
#endif
