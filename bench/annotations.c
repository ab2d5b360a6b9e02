/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nanoseconds of one range of each kind of annotation, the minimum of many rounds: heddle.h's phases, Kokkos's kernels
 * and NVTX's ranges; the latter two find the tool as their clients do. Prints "KIND ns".
 */
#include <dlfcn.h>
#include <heddle/heddle.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "clocks.h"

#define RANGES 20000
#define ROUNDS 60

typedef void function(void);

static function *core[16];
static function **table[17];
static void (*kernel_begin)(const char *, uint32_t, uint64_t *);
static void (*kernel_end)(uint64_t);

static int get_table(uint32_t module, function ****to, unsigned int *count)
{
	*to = table;
	*count = 16;
	return module == 1;
}

static const void *export(uint32_t number)
{
	static const struct {
		size_t size;
		int (*get)(uint32_t, function ****, unsigned int *);
	} callbacks = {sizeof(callbacks), get_table};
	return number == 1 ? &callbacks : NULL;
}

static void load(void)
{
	const char *kokkos = getenv("KOKKOS_TOOLS_LIBS"), *nvtx = getenv("NVTX_INJECTION64_PATH");
	void *library = kokkos ? dlopen(kokkos, RTLD_NOW) : NULL;
	if (library) {
		kernel_begin =
			(void (*)(const char *, uint32_t, uint64_t *))dlsym(library, "kokkosp_begin_parallel_for");
		kernel_end = (void (*)(uint64_t))dlsym(library, "kokkosp_end_parallel_for");
	}
	library = nvtx ? dlopen(nvtx, RTLD_NOW) : NULL;
	for (int i = 0; i < 16; i++)
		table[i] = &core[i];
	if (library)
		((int (*)(const void *(*)(uint32_t)))dlsym(library, "InitializeInjectionNvtx2"))(export);
}

static void phases(void)
{
	for (int i = 0; i < RANGES; i++) {
		heddle_phase_begin("a phase");
		heddle_phase_end("a phase");
	}
}

static void kernels(void)
{
	for (int i = 0; i < RANGES; i++) {
		uint64_t number = 0;
		if (kernel_begin)
			kernel_begin("a kernel", 0, &number);
		if (kernel_end)
			kernel_end(number);
	}
}

static void ranges(void)
{
	for (int i = 0; i < RANGES; i++) {
		if (core[9])
			((int (*)(const char *))core[9])("a range");
		if (core[11])
			((int (*)(void))core[11])();
	}
}

static void values(void)
{
	for (int i = 0; i < RANGES; i++)
		heddle_value("a value", i);
}

static void measure(const char *kind, void (*run)(void))
{
	double least = 1e300;
	for (int i = 0; i < ROUNDS; i++) {
		double start = wall_seconds();
		run();
		double elapsed = wall_seconds() - start;
		if (elapsed < least)
			least = elapsed;
	}
	printf("%s %.1f\n", kind, least * 1e9 / RANGES);
}

int main(int argc, char **argv)
{
	load();
	if (argc > 1 && argv[1][0] == 's')
		heddle_stop();
	measure("phase", phases);
	measure("kokkos", kernels);
	measure("nvtx", ranges);
	measure("value", values);
	return 0;
}
