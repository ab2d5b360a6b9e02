// SPDX-License-Identifier: BSD-3-Clause
// Each UPC thread touches 1,000 pages and 100 more for each thread before it, in a upc_forall, and 200 in each of two OpenMP
// threads of its own.
#include <stdio.h>
#include <sys/mman.h>
#include <upc.h>

static __attribute__((noinline)) void touch(size_t pages)
{
	size_t size = pages * 4096;
	volatile char *block = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise((void *)block, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += 4096)
		block[i] = 1;
	munmap((void *)block, size);
}

int main(void)
{
	upc_forall (int i = 0; i < THREADS; i++; i) /* line: forall */
		touch(1000 + 100 * MYTHREAD);
	upc_barrier;
#pragma omp parallel num_threads(2) /* line: parallel */
	touch(200);
	upc_barrier;
	if (MYTHREAD == 0)
		puts("done");
	return 0;
}
