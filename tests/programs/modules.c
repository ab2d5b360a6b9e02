/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * modules LIBRARY MS [LIBRARY MS...]: loads each library, burns in it, and unloads it before the next one, which is
 * then loaded at the same addresses. Ends right after the last dlclose. Prints each library's address to stderr.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline)) int burn_in_library(const char *path, double ms)
{
	void (*entry)(double);
	void *library = dlopen(path, RTLD_NOW);
	if (!library) {
		puts(dlerror());
		return 1;
	}
	*(void **)&entry = dlsym(library, "hot_entry");
	fprintf(stderr, "hot_entry at %p\n", *(void **)&entry);
	entry(ms);
	return dlclose(library);
}

int main(int argc, char **argv)
{
	int failed = 0;
	for (int i = 1; i + 1 < argc; i += 2)
		failed += burn_in_library(argv[i], atof(argv[i + 1])) != 0;
	printf("%d failed\n", failed);
	return failed;
}
