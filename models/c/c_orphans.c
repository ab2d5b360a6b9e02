/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One entry for each node, in chunks that are mapped when needed. An entry is in the list while it has bytes: the
 * thread that makes them more than 0 adds it at the head, and a thread that takes the list takes all of it, so neither
 * needs a lock. Runs in signal handlers.
 */
#include "models/c/c_orphans.h"

#include <stdatomic.h>
#include <stddef.h>

#include "core/base/memory.h"
#include "core/tree/tree.h"

#define CHUNK_BITS 14
#define CHUNKS ((HEDDLE_TREE_LIMIT >> CHUNK_BITS) + 1)
#define CHUNK_BYTES ((1u << CHUNK_BITS) * sizeof(struct entry))

struct entry {
	_Atomic uint64_t bytes;
	_Atomic uint32_t next; /* node of the next entry in the list, plus 1; 0: end of the list */
};

static struct entry *_Atomic chunks[CHUNKS];
static _Atomic uint32_t head; /* node of the first entry, plus 1; 0: none */

static struct entry *map_chunk(uint32_t number)
{
	struct entry *fresh = heddle__map(CHUNK_BYTES), *other = NULL;
	if (!fresh || atomic_compare_exchange_strong(&chunks[number], &other, fresh))
		return fresh;
	heddle__unmap(fresh, CHUNK_BYTES);
	return other;
}

/* Returns NULL if memory is exhausted. */
static struct entry *entry_of(uint32_t node)
{
	uint32_t number = node >> CHUNK_BITS;
	if (number >= CHUNKS)
		return NULL;
	struct entry *chunk = atomic_load(&chunks[number]);
	if (!chunk)
		chunk = map_chunk(number);
	return chunk ? &chunk[node & ((1u << CHUNK_BITS) - 1)] : NULL;
}

void heddle__c_orphan_leave(uint32_t node, uint64_t bytes)
{
	struct entry *entry = bytes ? entry_of(node) : NULL;
	if (!entry || atomic_fetch_add(&entry->bytes, bytes))
		return;
	uint32_t first = atomic_load(&head);
	do
		atomic_store(&entry->next, first);
	while (!atomic_compare_exchange_weak(&head, &first, node + 1));
}

bool heddle__c_orphans_wait(void)
{
	return atomic_load_explicit(&head, memory_order_relaxed);
}

/* An entry may be added again as soon as it has no bytes; therefore `next` is read first. */
void heddle__c_orphans_take(void (*take)(void *to, uint32_t node, uint64_t bytes), void *to)
{
	uint32_t next = 0;
	for (uint32_t at = atomic_exchange(&head, 0); at; at = next) {
		struct entry *entry = entry_of(at - 1);
		next = atomic_load(&entry->next);
		take(to, at - 1, atomic_exchange(&entry->bytes, 0));
	}
}

void heddle__c_orphans_clear(void)
{
	atomic_store(&head, 0);
	for (uint32_t i = 0; i < CHUNKS; i++) {
		struct entry *chunk = atomic_load(&chunks[i]);
		for (uint32_t k = 0; chunk && k < 1u << CHUNK_BITS; k++)
			atomic_store(&chunk[k].bytes, 0);
	}
}
