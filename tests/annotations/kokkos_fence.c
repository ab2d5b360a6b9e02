/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the fence functions of the library named by KOKKOS_TOOLS_LIBS, as Kokkos does. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
	const char *path = getenv("KOKKOS_TOOLS_LIBS");
	const struct timespec wait = {.tv_nsec = 1000000};
	void *library = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
	void (*begin)(const char *, uint32_t, uint64_t *) = NULL;
	void (*end)(uint64_t) = NULL;
	if (library) {
		begin = (void (*)(const char *, uint32_t, uint64_t *))dlsym(library, "kokkosp_begin_fence");
		end = (void (*)(uint64_t))dlsym(library, "kokkosp_end_fence");
	}
	for (int i = 0; i < 6; i++) {
		uint64_t number = 0;
		if (begin)
			begin("a fence", 0, &number);
		nanosleep(&wait, NULL);
		if (end)
			end(number);
	}
	puts("done");
	return 0;
}
