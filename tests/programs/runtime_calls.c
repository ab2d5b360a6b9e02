/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runtime_calls CALLS: calls the OpenMP runtime CALLS times. Each call has a page fault in the program's PLT stub of
 * the function, because its page was discarded before: a timer that expires meanwhile interrupts the stub. Must be
 * built without PIE, as the function's address is then the address of the stub.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PAGE 4096

/* On its own pages, which are not discarded. */
__attribute__((noinline, aligned(PAGE))) static long ask(long calls)
{
	void *stub = (void *)((uintptr_t)omp_in_parallel / PAGE * PAGE);
	long inside = 0;
	for (long i = 0; i < calls; i++) {
		if (madvise(stub, PAGE, MADV_DONTNEED))
			return -1;
		inside += omp_in_parallel();
	}
	return inside;
}

int main(int argc, char **argv)
{
	printf("%ld\n", ask(argc > 1 ? atol(argv[1]) : 1000));
	return 0;
}
