/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: calls the malloc family with known sizes. The last line says how many bytes it holds at its end; memory.sh
 * has the expected bytes of each function.
 */
#include "burn.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

static void *volatile kept[1000];

NOINLINE void leaks(void)
{
	kept[0] = malloc(1000);
}

NOINLINE void *allocates(size_t size)
{
	return malloc(size);
}

NOINLINE void frees(void *block)
{
	free(block);
}

NOINLINE void *frees_elsewhere(void *block)
{
	frees(block);
	return NULL;
}

NOINLINE void each_kind(void)
{
	void *block = NULL;
	free(calloc(10, 10));
	free(aligned_alloc(64, 640));
	if (posix_memalign(&block, 4096, 5000) == 0)
		free(block);
	free(memalign(32, 77));
	free(malloc(0));
	free(NULL);
	block = reallocarray(NULL, 3, 30);
	block = reallocarray(block, 4, 30);
	free(block);
}

NOINLINE void resizes(void)
{
	char *block = realloc(NULL, 10);
	for (size_t size = 100; size <= 10000; size *= 10)
		block = realloc(block, size);
	block[9999] = 1;
	kept[1] = realloc(block, 0); /* frees it */
}

NOINLINE int fails(void)
{
	volatile size_t huge = (size_t)1 << 62;
	void *volatile block = malloc(300); /* volatile: compilers warn of its use after a failed resize */
	int failures = 0;
	errno = 0;
	failures += malloc(huge) == NULL && errno == ENOMEM;
	errno = 0;
	failures += calloc(huge, huge) == NULL && errno == ENOMEM;
	errno = 0;
	failures += realloc(block, huge) == NULL && errno == ENOMEM;
	errno = 0;
	failures += reallocarray(block, huge, huge) == NULL && errno == ENOMEM;
	errno = 12345;
	free(block);
	return failures + (errno == 12345);
}

NOINLINE void peaks(void)
{
	void *blocks[10];
	for (int i = 0; i < 10; i++)
		blocks[i] = allocates(100000);
	for (int i = 0; i < 10; i++)
		frees(blocks[i]);
}

int main(void)
{
	pthread_t thread;
	setvbuf(stdout, NULL, _IONBF, 0);
	leaks();
	each_kind();
	resizes();
	peaks();
	for (int i = 0; i < 5; i++) {
		void *block = allocates(2000);
		pthread_create(&thread, NULL, frees_elsewhere, block);
		pthread_join(thread, NULL);
	}
	printf("%d of 5 errors right\n", fails());
	return 0;
}
