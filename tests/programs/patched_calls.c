/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With -DLIBRARY: a library whose constructor does what network libraries do when they are loaded: it patches the C
 * library's memory functions. It burns CPU time between, while every caller of one of them spins. Otherwise: a program
 * that loads that library (its argument).
 */
#include "burn.h"

#ifdef LIBRARY
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#if defined(__aarch64__)
static const unsigned char spin[] = {0, 0, 0, 0x14};
#else
static const unsigned char spin[] = {0xeb, 0xfe};
#endif

#define FUNCTIONS 7

NOINLINE void burn_half_way(void)
{
	burn_ms(150);
	__asm__ volatile("");
}

__attribute__((constructor)) static void patch(void)
{
	void *functions[FUNCTIONS] = {(void *)mmap, (void *)munmap, (void *)mremap, (void *)madvise, (void *)shmat,
		(void *)shmdt, (void *)brk};
	unsigned char before[FUNCTIONS][sizeof(spin)];
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	for (int i = 0; i < FUNCTIONS; i++) {
		char *start = (char *)((unsigned long)functions[i] & ~(page - 1));
		if (mprotect(start, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
			_exit(2);
		memcpy(before[i], functions[i], sizeof(spin));
	}
	for (int i = 0; i < FUNCTIONS; i++) {
		memcpy(functions[i], spin, sizeof(spin));
		__builtin___clear_cache((char *)functions[i], (char *)functions[i] + sizeof(spin));
	}
	burn_half_way();
	for (int i = 0; i < FUNCTIONS; i++) {
		memcpy(functions[i], before[i], sizeof(spin));
		__builtin___clear_cache((char *)functions[i], (char *)functions[i] + sizeof(spin));
	}
}
#else
#include <dlfcn.h>

int main(int argc, char **argv)
{
	burn_ms(20);
	return argc < 2 || !dlopen(argv[1], RTLD_NOW);
}
#endif
