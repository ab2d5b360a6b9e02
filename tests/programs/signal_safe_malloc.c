/* SPDX-License-Identifier: BSD-3-Clause */
/* The malloc family for handlers that interrupt it: blocks are taken from an array, by one compare-and-swap each. */
#include "signal_safe_malloc.h"

#include <errno.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 16384, BLOCKS = 4096 };

static alignas(BLOCK) char memory[BLOCKS][BLOCK];
static _Atomic char used[BLOCKS];
static _Atomic unsigned int next;
__attribute__((tls_model("initial-exec"))) _Thread_local volatile int in_allocator;

static size_t block_of(const void *block)
{
	return ((uintptr_t)block - (uintptr_t)memory) / BLOCK;
}

static void *take(size_t size, size_t alignment)
{
	if (size > BLOCK || alignment > BLOCK) {
		errno = ENOMEM;
		return NULL;
	}
	in_allocator = in_allocator + 1;
	char free_one = 0;
	unsigned int at = atomic_fetch_add(&next, 1) % BLOCKS;
	while (!atomic_compare_exchange_strong(&used[at], &free_one, 1)) {
		free_one = 0;
		at = (at + 1) % BLOCKS;
	}
	in_allocator = in_allocator - 1;
	return memory[at];
}

void *malloc(size_t size)
{
	return take(size, 1);
}

void *calloc(size_t count, size_t size)
{
	size_t bytes;
	void *block = take(__builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes, 1);
	return block ? memset(block, 0, bytes) : NULL;
}

void free(void *block)
{
	in_allocator = in_allocator + 1;
	if (block)
		atomic_store(&used[block_of(block)], 0);
	in_allocator = in_allocator - 1;
}

/* All blocks have the same size. */
void *realloc(void *block, size_t size)
{
	if (!block || size > BLOCK)
		return take(size, 1);
	return block;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return take(size, alignment);
}

void *memalign(size_t alignment, size_t size)
{
	return take(size, alignment);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
	*block = take(size, alignment);
	return *block ? 0 : ENOMEM;
}
