/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs in signal handlers, of the owner. A thread's values by tree node: slots in chunks that never move, found through
 * an open-addressing index that doubles.
 */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/memory.h"
#include "core/module.h"
#include "core/process.h"
#include "core/thread.h"
#include "core/tree.h"

#define FIRST_INDEX 128u

/* When memory is short values go here: lost, but nothing breaks. */
static _Thread_local struct heddle_slot scratch;

/* Chunk of a slot number, and the number of slots in the chunks before it. */
static unsigned int chunk_of(uint32_t number, uint32_t *before)
{
	unsigned int chunk = 31u - (unsigned int)__builtin_clz(number / HEDDLE_FIRST_SLOTS + 1);
	*before = (((uint32_t)1 << chunk) - 1) * HEDDLE_FIRST_SLOTS;
	return chunk;
}

struct heddle_slot *heddle__slot_at(const struct heddle_thread *thread, uint32_t number)
{
	uint32_t before;
	unsigned int chunk = chunk_of(number, &before);
	if (chunk >= HEDDLE_SLOT_CHUNKS)
		return NULL;
	struct heddle_slot *slots = atomic_load_explicit(&thread->slots[chunk], memory_order_acquire);
	return slots ? &slots[number - before] : NULL;
}

static struct heddle_slot *add_slot(struct heddle_thread *thread, uint32_t node)
{
	uint32_t number = atomic_load_explicit(&thread->slot_count, memory_order_relaxed), before;
	unsigned int chunk = chunk_of(number, &before);
	if (chunk >= HEDDLE_SLOT_CHUNKS)
		return NULL;
	if (!atomic_load_explicit(&thread->slots[chunk], memory_order_relaxed)) {
		size_t size = (size_t)(HEDDLE_FIRST_SLOTS << chunk) * sizeof(struct heddle_slot);
		struct heddle_slot *slots = heddle__alloc(size);
		if (!slots)
			return NULL;
		atomic_store_explicit(&thread->slots[chunk], slots, memory_order_release);
	}
	struct heddle_slot *slot = heddle__slot_at(thread, number);
	slot->node = node;
	atomic_store_explicit(&thread->slot_count, number + 1, memory_order_release);
	return slot;
}

static uint32_t *index_entry(uint32_t *index, uint32_t size, uint32_t node)
{
	uint32_t at = node * 0x9e3779b1u;
	for (at ^= at >> 15;; at++) {
		uint32_t *entry = &index[2 * (size_t)(at & (size - 1))];
		if (!entry[1] || entry[0] == node)
			return entry;
	}
}

static bool grow_index(struct heddle_thread *thread)
{
	uint32_t size = thread->index_size ? thread->index_size * 2 : FIRST_INDEX;
	uint32_t *index = heddle__map((size_t)size * 2 * sizeof(*index));
	if (!index)
		return false;
	for (uint32_t i = 0; i < thread->index_size; i++) {
		const uint32_t *old = &thread->index[(size_t)2 * i];
		if (old[1]) {
			uint32_t *entry = index_entry(index, size, old[0]);
			entry[0] = old[0];
			entry[1] = old[1];
		}
	}
	heddle__unmap(thread->index, (size_t)thread->index_size * 2 * sizeof(*index));
	thread->index = index;
	thread->index_size = size;
	return true;
}

struct heddle_slot *heddle__slot(struct heddle_thread *thread, uint32_t node)
{
	uint32_t count = atomic_load_explicit(&thread->slot_count, memory_order_relaxed);
	if (count * 4 >= thread->index_size * 3 && !grow_index(thread))
		return &scratch;
	uint32_t *entry = index_entry(thread->index, thread->index_size, node);
	if (entry[1])
		return heddle__slot_at(thread, entry[1] - 1);
	struct heddle_slot *slot = add_slot(thread, node);
	if (!slot)
		return &scratch;
	entry[0] = node;
	entry[1] = count + 1;
	return slot;
}

/* The context may outlive this thread, and with it the scratch. */
bool heddle__is_lasting(const struct heddle_slot *slot)
{
	return slot != &scratch;
}

static struct heddle_slot *to_keep(struct heddle_slot *slot)
{
	return heddle__is_lasting(slot) ? slot : NULL;
}

struct heddle_slot *heddle__find_event_slot(
	struct heddle_thread *thread, struct heddle_event_cache *entry, uint32_t parent, uint32_t meta, uint64_t place)
{
	struct heddle_slot *slot = heddle__slot(thread, heddle__tree_child(parent, meta, place));
	*entry = (struct heddle_event_cache){place, parent, meta, to_keep(slot)};
	return slot;
}

struct heddle_slot *heddle__find_node_slot(
	struct heddle_thread *thread, struct heddle_event_cache *entry, uint32_t node)
{
	struct heddle_slot *slot = heddle__slot(thread, node);
	*entry = (struct heddle_event_cache){.parent = node, .slot = to_keep(slot)}; /* no child has meta 0 */
	return slot;
}

void heddle__keep_site(struct heddle_thread *thread, const struct heddle_known_site *site)
{
	if (!to_keep(site->slot))
		return;
	if (thread->known_version != heddle__modules_version()) {
		memset(thread->known_sites, 0, sizeof(thread->known_sites));
		thread->known_version = heddle__modules_version();
	}
	*heddle__site_entry(thread, site->parent, site->event - 1, site->address) = *site;
}

void heddle__slot_add(struct heddle_slot *slot, enum heddle_metric metric, uint64_t amount)
{
	if (!slot->more)
		slot->more = heddle__alloc((HEDDLE_METRIC_STORED - HEDDLE_METRIC_COMMON) * sizeof(*slot->more));
	if (slot->more)
		slot->more[metric - HEDDLE_METRIC_COMMON] += amount;
}

static struct heddle_distribution *find_distribution(struct heddle_slot *slot, uint32_t argument, uint32_t text)
{
	struct heddle_distribution *found = slot->distributions;
	while (found && (found->argument != argument || found->text != text))
		found = found->next;
	if (found)
		return found;
	found = heddle__alloc(sizeof(*found) + (argument ? 0 : HEDDLE_SIZE_BUCKETS * sizeof(uint64_t)));
	if (!found)
		return NULL;
	found->argument = argument;
	found->text = text;
	found->buckets = argument ? NULL : (uint64_t *)(found + 1);
	found->minimum = INFINITY;
	found->maximum = -INFINITY;
	found->next = slot->distributions;
	atomic_thread_fence(memory_order_release); /* the writer may be looking */
	slot->distributions = found;
	return found;
}

/* The bucket of a size. */
static unsigned int bucket_of(double size)
{
	if (size < 1)
		return 0;
	uint64_t whole = size < 0x1p62 ? (uint64_t)size : (uint64_t)1 << 62;
	unsigned int bucket = 64u - (unsigned int)__builtin_clzll(whole);
	return bucket < HEDDLE_SIZE_BUCKETS ? bucket : HEDDLE_SIZE_BUCKETS - 1;
}

void heddle__slot_distribute(struct heddle_slot *slot, uint32_t argument, uint32_t text, double value)
{
	struct heddle_distribution *distribution = find_distribution(slot, argument, text);
	if (!distribution || isnan(value))
		return;
	distribution->count++;
	distribution->sum += value;
	if (value < distribution->minimum)
		distribution->minimum = value;
	if (value > distribution->maximum)
		distribution->maximum = value;
	if (distribution->buckets)
		distribution->buckets[bucket_of(value)]++;
}

static uint64_t make_source_place(const char *file, int line)
{
	const uint32_t last_line = ((uint32_t)1 << HEDDLE_SOURCE_LINE_BITS) - 1;
	uint32_t number = line > 0 ? (uint32_t)line : 0;
	uint32_t name = file || number ? heddle__string_number(file ? file : "") : UINT32_MAX;
	if (name == UINT32_MAX)
		return 0;
	return HEDDLE_SOURCE_PLACE(name, number < last_line ? number : last_line);
}

uint64_t heddle__find_source_place(struct heddle_source_site *site, const char *file, int line)
{
	site->place = make_source_place(file, line);
	site->file = file;
	site->line = line;
	return site->place;
}

uint64_t heddle__find_call_place(struct heddle_call_site *site, uintptr_t address)
{
	site->version = heddle__modules_version();
	site->place = heddle__place_of(address - 1);
	site->address = HEDDLE_PLACE_MODULE(site->place) ? address : 0;
	return site->place;
}
