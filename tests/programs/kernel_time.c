/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time in the kernel beside time outside: burn_outside takes 200 ms; burn_faults touches new pages and burn_calls makes
 * system calls, for 300 ms of CPU time each, most of it in the kernel. Prints their shares.
 */
#include "burn.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGES 512

static NOINLINE uint64_t burn_outside(void)
{
	return burn_ms(200);
}

static NOINLINE uint64_t burn_faults(void)
{
	uint64_t start = thread_cpu_ns(), now;
	do {
		volatile char *block =
			mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (block == MAP_FAILED)
			_exit(98);
		madvise((void *)block, PAGES * 4096, MADV_NOHUGEPAGE);
		for (int i = 0; i < PAGES; i++)
			block[i * 4096] = 1;
		munmap((void *)block, PAGES * 4096);
		now = thread_cpu_ns();
	} while (now < start + 300000000);
	return now - start;
}

static NOINLINE uint64_t burn_calls(void)
{
	static char text[1 << 16];
	uint64_t start = thread_cpu_ns(), now;
	int fd = open("/dev/zero", O_RDONLY);
	do {
		for (int i = 0; i < 20; i++)
			if (read(fd, text, sizeof(text)) != sizeof(text))
				_exit(98);
		now = thread_cpu_ns();
	} while (now < start + 300000000);
	close(fd);
	return now - start;
}

int main(void)
{
	double outside = 0, faults = 0, calls = 0;
	for (int round = 0; round < 3; round++) {
		outside += (double)burn_outside();
		faults += (double)burn_faults();
		calls += (double)burn_calls();
	}
	double all = outside + faults + calls;
	print_share("burn_outside", outside, all);
	print_share("burn_faults", faults, all);
	print_share("burn_calls", calls, all);
	fprintf(stderr, "process_cpu_ns %llu\n", (unsigned long long)process_cpu_ns());
	return 0;
}
