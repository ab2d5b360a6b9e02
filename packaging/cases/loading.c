/* SPDX-License-Identifier: BSD-3-Clause */
/* For packaging/cross-cases: loads and unloads a library continuously while samples are taken. */
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

int main(void)
{
	long loaded = 0;
	for (clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC;) {
		void *library = dlopen("libz.so.1", RTLD_NOW);
		loaded += library && !dlclose(library);
	}
	puts(loaded > 10 ? "many" : "few");
	return 0;
}
