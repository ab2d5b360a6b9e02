/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own_malloc: has its own malloc, which counts its calls, forbids re-entry (as a malloc with a simple lock does), and
 * executes nearly all the time. Prints whether it was called while it executed.
 */
#include "burn.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char pool[64 << 20] __attribute__((aligned(64)));
static _Atomic size_t used;
static _Thread_local int inside __attribute__((tls_model("initial-exec")));
static _Atomic long calls, reentered;
static void *volatile kept; /* so that no compiler drops the calls */

void *malloc(size_t size)
{
	atomic_fetch_add(&calls, 1);
	if (inside++)
		atomic_fetch_add(&reentered, 1);
	for (int i = 0; i < 2000; i++)
		__asm__ volatile("" ::"r"(i)); /* takes long enough to be sampled */
	size_t at = atomic_fetch_add(&used, (size + 127) & ~(size_t)63);
	inside--;
	if (at + size + 128 > sizeof pool) {
		errno = ENOMEM;
		return NULL;
	}
	memcpy(pool + at, &size, sizeof size);
	return pool + at + 64;
}

void free(void *block)
{
	(void)block;
}

void *calloc(size_t count, size_t size)
{
	return malloc(count * size);
}

void *realloc(void *block, size_t size)
{
	size_t old = 0;
	void *fresh = malloc(size);
	if (block && fresh) {
		memcpy(&old, (char *)block - 64, sizeof old);
		memcpy(fresh, block, old < size ? old : size);
	}
	return fresh;
}

static void *allocate(void *unused)
{
	for (int i = 0; i < 50000; i++) {
		kept = malloc(64);
		free(kept);
	}
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, allocate, NULL);
	allocate(NULL);
	pthread_join(thread, NULL);
	printf("%s, re-entered %ld times\n", calls >= 100000 ? "all allocated" : "lost", atomic_load(&reentered));
	return 0;
}
