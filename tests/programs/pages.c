/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Touches known numbers of new pages in known places, and prints the kernel's count of page faults since main began:
 *   touch_few 500 pages and touch_many 2,000 on the main thread, each in a phase of its name; then, in an OpenMP
 *   region, each thread 1,000 + 100 * its number in touch_shared.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "heddle/heddle.h"

#define PAGE 4096

static __attribute__((noinline)) void touch(long pages)
{
	volatile char *block =
		mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (block == MAP_FAILED)
		abort();
	madvise((void *)block, (size_t)pages * PAGE, MADV_NOHUGEPAGE);
	for (long i = 0; i < pages; i++)
		block[i * PAGE] = 1;
	munmap((void *)block, (size_t)pages * PAGE);
}

static __attribute__((noinline)) void touch_few(void)
{
	heddle_phase_begin("few");
	touch(500);
	heddle_phase_end("few");
}

static __attribute__((noinline)) void touch_many(void)
{
	heddle_phase_begin("many");
	touch(2000);
	heddle_phase_end("many");
}

static long own_faults(void)
{
	struct rusage usage;
	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

int main(void)
{
	long before = own_faults(), workers = 0;
	touch_few();
	touch_many();
#ifdef _OPENMP
#pragma omp parallel num_threads(4) reduction(+ : workers)
	{
		heddle_phase_begin("shared");
		touch(1000 + 100 * omp_get_thread_num());
		heddle_phase_end("shared");
		if (omp_get_thread_num() != 0)
			workers += own_faults();
	}
#endif
	printf("main %ld workers %ld\n", own_faults() - before, workers);
	return 0;
}
