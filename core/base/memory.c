/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers. Maps memory, and allocates small blocks from shared chunks with one atomic addition each. */
#include "core/base/memory.h"

#include <stdatomic.h>

#include "core/base/mapping.h"

#define CHUNK_SIZE ((size_t)256 << 10)
#define ALIGNMENT ((size_t)16)
#define LINE ((size_t)64) /* cache line, bytes */

struct chunk {
	_Atomic size_t used; /* may exceed CHUNK_SIZE: then the chunk is used up */
};

static struct chunk *_Atomic current;
static _Atomic uint64_t mapped;

void *heddle__map(size_t size)
{
	void *block = heddle__private_mapping(size);
	if (block)
		atomic_fetch_add_explicit(&mapped, size, memory_order_relaxed);
	return block;
}

void heddle__unmap(void *block, size_t size)
{
	if (block && heddle__remove_mapping(block, size) == 0)
		atomic_fetch_sub_explicit(&mapped, size, memory_order_relaxed);
}

uint64_t heddle__memory_mapped(void)
{
	return atomic_load_explicit(&mapped, memory_order_relaxed);
}

/* Replaces the chunk `spent` with a new one, unless another thread already did. Returns the current chunk or NULL. */
static struct chunk *renew(struct chunk *spent)
{
	struct chunk *fresh = heddle__map(CHUNK_SIZE);
	if (!fresh)
		return NULL;
	atomic_store_explicit(&fresh->used, ALIGNMENT, memory_order_relaxed);
	if (atomic_compare_exchange_strong(&current, &spent, fresh))
		return fresh;
	heddle__unmap(fresh, CHUNK_SIZE);
	return spent;
}

static size_t round_up(size_t size, size_t unit)
{
	return (size + unit - 1) & ~(unit - 1);
}

void *heddle__alloc(size_t size)
{
	size_t unit = size < LINE ? ALIGNMENT : LINE;
	if (size > CHUNK_SIZE / 4)
		return heddle__map(size);
	size = round_up(size, unit) + unit - ALIGNMENT; /* sufficient for any start */
	struct chunk *chunk = atomic_load(&current);
	for (;;) {
		if (chunk) {
			size_t at = atomic_fetch_add_explicit(&chunk->used, size, memory_order_relaxed);
			if (at + size <= CHUNK_SIZE)
				return (char *)chunk + round_up(at, unit);
		}
		chunk = renew(chunk);
		if (!chunk)
			return NULL;
	}
}
