/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs in signal handlers. Insertion is one compare-and-swap at the head of a hash chain; if a thread is interrupted
 * during it, neither other threads nor its own signal handler have to wait.
 */
#include "core/tree/tree.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/hash.h"
#include "core/base/memory.h"

#define CHUNK_BITS 12
#define CHUNK_NODES (1u << CHUNK_BITS)
#define CHUNKS (HEDDLE_TREE_LIMIT >> CHUNK_BITS)
#define BUCKET_BITS 17

static struct heddle_node *_Atomic chunks[CHUNKS];

#define PAGE_BUCKETS (4096 / sizeof(uint32_t))

/*
 * The newest node of each chain; 0: none (the root is in no chain). Reading a page that was never written costs a page
 * fault, and writing it then another one. Therefore a page is read only after its first entry.
 */
static alignas(4096) _Atomic uint32_t buckets[1u << BUCKET_BITS];
static _Atomic bool written[(1u << BUCKET_BITS) / PAGE_BUCKETS]; /* pages of `buckets`; set before the entry */

static _Atomic uint32_t count = 1;
static _Atomic uint64_t dropped;

static struct heddle_node *node_at(uint32_t id)
{
	struct heddle_node *chunk = atomic_load_explicit(&chunks[id >> CHUNK_BITS], memory_order_acquire);
	return chunk ? &chunk[id & (CHUNK_NODES - 1)] : NULL;
}

static struct heddle_node *make_chunk(uint32_t index)
{
	struct heddle_node *expected = NULL;
	struct heddle_node *fresh = heddle__map(CHUNK_NODES * sizeof(*fresh));
	if (!fresh)
		return NULL;
	if (index == 0)
		fresh[0].meta = HEDDLE_NODE_META(HEDDLE_NODE_ROOT, 0);
	if (atomic_compare_exchange_strong(&chunks[index], &expected, fresh))
		return fresh;
	heddle__unmap(fresh, CHUNK_NODES * sizeof(*fresh));
	return expected;
}

/* Returns a new, unpublished node, or 0 if there is no room. */
static uint32_t take_node(uint32_t parent, uint32_t meta, uint64_t place)
{
	if (atomic_load_explicit(&count, memory_order_relaxed) >= HEDDLE_TREE_LIMIT)
		return 0;
	uint32_t id = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
	if (id >= HEDDLE_TREE_LIMIT)
		return 0;
	struct heddle_node *node = node_at(id);
	if (!node) {
		if (!make_chunk(id >> CHUNK_BITS))
			return 0;
		node = node_at(id);
	}
	node->place = place;
	node->parent = parent;
	node->meta = meta;
	return id;
}

static uint32_t bucket_of(uint32_t parent, uint32_t meta, uint64_t place)
{
	uint64_t hash = heddle__hash(place ^ (uint64_t)parent << 20 ^ (uint64_t)meta << 40);
	return (uint32_t)((hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u >> (64 - BUCKET_BITS));
}

/* Search a chain from `id` up to, not including, `end`. */
static uint32_t search(uint32_t id, uint32_t end, uint32_t parent, uint32_t meta, uint64_t place)
{
	while (id != end) {
		const struct heddle_node *node = node_at(id);
		if (node->place == place && node->parent == parent && node->meta == meta)
			return id;
		id = node->next;
	}
	return 0;
}

/* May return 0 for a chain whose first node is just being added. */
static uint32_t newest_of(uint32_t number)
{
	_Atomic bool *is_written = &written[number / PAGE_BUCKETS];
	if (atomic_load_explicit(is_written, memory_order_relaxed))
		return atomic_load_explicit(&buckets[number], memory_order_acquire);
	atomic_store_explicit(is_written, true, memory_order_relaxed);
	return 0;
}

uint32_t heddle__tree_child(uint32_t parent, uint32_t meta, uint64_t place)
{
	uint32_t number = bucket_of(parent, meta, place), head = newest_of(number);
	_Atomic uint32_t *bucket = &buckets[number];
	uint32_t found = search(head, 0, parent, meta, place);
	if (found)
		return found;
	uint32_t fresh = take_node(parent, meta, place);
	if (!fresh) {
		atomic_fetch_add_explicit(&dropped, 1, memory_order_relaxed);
		return parent;
	}
	struct heddle_node *node = node_at(fresh);
	for (;;) {
		uint32_t seen = head;
		node->next = head;
		if (atomic_compare_exchange_strong_explicit(
			    bucket, &head, fresh, memory_order_release, memory_order_acquire))
			return fresh;
		found = search(head, seen, parent, meta, place);
		if (found) {
			node->parent = 0;
			__atomic_store_n(&node->meta, HEDDLE_NODE_UNUSED, __ATOMIC_RELEASE);
			return found;
		}
	}
}

uint32_t heddle__tree_count(void)
{
	uint32_t n = atomic_load(&count);
	return n < HEDDLE_TREE_LIMIT ? n : HEDDLE_TREE_LIMIT;
}

const struct heddle_node *heddle__tree_node(uint32_t id)
{
	static const struct heddle_node root = {.meta = HEDDLE_NODE_META(HEDDLE_NODE_ROOT, 0)};
	static const struct heddle_node none;
	const struct heddle_node *node = node_at(id);
	if (node)
		return node;
	return id == HEDDLE_TREE_ROOT ? &root : &none;
}

#define NEARBY 256

uint32_t heddle__tree_enclosing(uint32_t node, uint32_t meta, uint64_t place, unsigned int levels)
{
	uint32_t found = 0;
	unsigned int alike = 0;
	for (int i = 0; i < NEARBY && node; i++) {
		const struct heddle_node *at = node_at(node);
		if (at->meta == meta) {
			alike++;
			if (!found && at->place == place)
				found = node;
		}
		if (found && alike >= levels)
			return found;
		node = at->parent;
	}
	return 0;
}

uint64_t heddle__tree_dropped(void)
{
	return atomic_load_explicit(&dropped, memory_order_relaxed);
}
