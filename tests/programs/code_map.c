/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes code at run time: a copy of a function, called through two entries of a map that is written as runtimes write
 * it for perf. The map also has lines that are not entries.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYTES 4096

/* Contains no call and no constant in memory, so that a copy works at any address. */
static __attribute__((noinline, noclone, optimize("no-tree-vectorize"))) uint64_t spin(uint64_t steps)
{
	uint64_t sum = steps;
	for (uint64_t i = 0; i < steps; i++) {
		sum ^= sum << 13;
		sum ^= sum >> 7;
		sum ^= sum << 17;
	}
	return sum;
}

typedef uint64_t function(uint64_t);

static void write_map(const char *code, int argc)
{
	char path[64];
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	FILE *file = argc > 1 ? fopen(path, "w") : NULL;
	if (!file)
		return;
	fprintf(file, "%lx %x earlier\n", (unsigned long)code, 2 * BYTES);
	fprintf(file, "no line\n\nffffffffffffffff ffff overflows\n");
	fprintf(file, "%lx %x py::assemble:/home/you/solve.py\n", (unsigned long)code, BYTES);
	fprintf(file, "%lx %x Builtins_Solve<long>\n", (unsigned long)(code + BYTES), BYTES);
	fprintf(file, "%lx %x", (unsigned long)code, BYTES); /* as if the writer died meanwhile */
	fclose(file);
}

int main(int argc, char **argv)
{
	char *code = mmap(NULL, 2 * BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	(void)argv;
	memcpy(code, (const void *)(uintptr_t)spin, 512);
	memcpy(code + BYTES, (const void *)(uintptr_t)spin, 512);
	if (mprotect(code, 2 * BYTES, PROT_READ | PROT_EXEC) != 0)
		return 1;
	__builtin___clear_cache(code, code + 2 * BYTES);
	write_map(code, argc);
	uint64_t sum =
		spin(1) ^ ((function *)(uintptr_t)code)(60000000) ^ ((function *)(uintptr_t)(code + BYTES))(60000000);
	printf("%d\n", sum != 0);
	return 0;
}
