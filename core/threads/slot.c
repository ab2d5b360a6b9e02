/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slots of a thread by tree node, in chunks that never move, found through a growing open-addressing index. Runs in
 * signal handlers of the owner: mapped memory only.
 */
#include "core/threads/slot.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/notes.h"
#include "core/tree/tree.h"

#define FIRST_INDEX 128u

/* Receives values if there is no memory; these are lost. */
static _Thread_local struct heddle_slot scratch;

/* Chunk of a slot number, and the number of slots in the chunks before it. */
static unsigned int chunk_of(uint32_t number, uint32_t *before)
{
	unsigned int chunk = 31u - (unsigned int)__builtin_clz(number / HEDDLE_FIRST_SLOTS + 1);
	*before = (((uint32_t)1 << chunk) - 1) * HEDDLE_FIRST_SLOTS;
	return chunk;
}

struct heddle_slot *heddle__slots_at(const struct heddle_slots *slots, uint32_t number)
{
	uint32_t before;
	unsigned int chunk = chunk_of(number, &before);
	if (chunk >= HEDDLE_SLOT_CHUNKS)
		return NULL;
	struct heddle_slot *first = atomic_load_explicit(&slots->chunks[chunk], memory_order_acquire);
	return first ? &first[number - before] : NULL;
}

static struct heddle_slot *add_slot(struct heddle_slots *slots, uint32_t node)
{
	uint32_t number = atomic_load_explicit(&slots->count, memory_order_relaxed), before;
	unsigned int chunk = chunk_of(number, &before);
	if (chunk >= HEDDLE_SLOT_CHUNKS)
		return NULL;
	if (!atomic_load_explicit(&slots->chunks[chunk], memory_order_relaxed)) {
		size_t size = (size_t)(HEDDLE_FIRST_SLOTS << chunk) * sizeof(struct heddle_slot);
		struct heddle_slot *fresh = heddle__alloc(size);
		if (!fresh)
			return NULL;
		atomic_store_explicit(&slots->chunks[chunk], fresh, memory_order_release);
	}
	struct heddle_slot *slot = heddle__slots_at(slots, number);
	slot->node = node;
	atomic_store_explicit(&slots->count, number + 1, memory_order_release);
	return slot;
}

static struct heddle_slot *none(void)
{
	heddle__note("out of memory: values of some paths are lost");
	return &scratch;
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

/*
 * Makes a larger index of the slots. A handler may abandon this at any point (core/threads/entered.h): then there is no
 * index, or one that is complete, and memory that is not used.
 */
static bool grow_index(struct heddle_slots *slots, uint32_t count)
{
	uint32_t size = FIRST_INDEX, old_size = slots->index_size, *old = slots->index;
	while (count * 4 >= size * 3)
		size *= 2;
	uint32_t *index = heddle__map((size_t)size * 2 * sizeof(*index));
	if (!index)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = heddle__slots_at(slots, i)->node, *entry = index_entry(index, size, node);
		entry[0] = node;
		entry[1] = i + 1;
	}
	slots->index_size = 0;
	atomic_signal_fence(memory_order_seq_cst);
	slots->index = index;
	atomic_signal_fence(memory_order_seq_cst);
	slots->index_size = size;
	heddle__unmap(old, (size_t)old_size * 2 * sizeof(*index));
	return true;
}

struct heddle_slot *heddle__slots_find(struct heddle_slots *slots, uint32_t node)
{
	uint32_t count = atomic_load_explicit(&slots->count, memory_order_relaxed);
	if (count * 4 >= slots->index_size * 3 && !grow_index(slots, count))
		return none();
	uint32_t *entry = index_entry(slots->index, slots->index_size, node);
	if (entry[1])
		return heddle__slots_at(slots, entry[1] - 1);
	struct heddle_slot *slot = add_slot(slots, node);
	if (!slot)
		return none();
	entry[0] = node;
	atomic_signal_fence(memory_order_seq_cst);
	entry[1] = count + 1;
	return slot;
}

/* The table may outlive this thread, and with it the scratch slot. */
bool heddle__is_lasting(const struct heddle_slot *slot)
{
	return slot != &scratch;
}

static struct heddle_slot *to_keep(struct heddle_slot *slot)
{
	return heddle__is_lasting(slot) ? slot : NULL;
}

static void remember(
	struct heddle_event_cache *entry, uint32_t parent, uint32_t meta, uint64_t place, struct heddle_slot *slot)
{
	entry->slot = NULL; /* unused while it changes: a handler may abandon this */
	atomic_signal_fence(memory_order_seq_cst);
	entry->place = place;
	entry->parent = parent;
	entry->meta = meta;
	atomic_signal_fence(memory_order_seq_cst);
	entry->slot = to_keep(slot);
}

struct heddle_slot *heddle__slots_find_child(
	struct heddle_slots *slots, struct heddle_event_cache *entry, uint32_t parent, uint32_t meta, uint64_t place)
{
	struct heddle_slot *slot = heddle__slots_find(slots, heddle__tree_child(parent, meta, place));
	remember(entry, parent, meta, place, slot);
	return slot;
}

struct heddle_slot *heddle__slots_find_node(struct heddle_slots *slots, struct heddle_event_cache *entry, uint32_t node)
{
	struct heddle_slot *slot = heddle__slots_find(slots, node);
	remember(entry, node, 0, 0, slot); /* no child has meta 0 */
	return slot;
}

void heddle__slots_clear(struct heddle_slots *slots, unsigned int counters)
{
	uint32_t count = atomic_load(&slots->count);
	for (uint32_t i = 0; i < count; i++) {
		struct heddle_slot *slot = heddle__slots_at(slots, i);
		if (!slot)
			break;
		memset(slot->value, 0, sizeof(slot->value));
		if (slot->more)
			memset(slot->more, 0, (HEDDLE_METRIC_COUNT - HEDDLE_METRIC_COMMON) * sizeof(*slot->more));
		if (slot->counts)
			memset(slot->counts, 0, counters * sizeof(*slot->counts));
		slot->distributions = NULL;
	}
}

bool heddle__slot_add_room(struct heddle_slot *slot)
{
	slot->more = heddle__alloc((HEDDLE_METRIC_COUNT - HEDDLE_METRIC_COMMON) * sizeof(*slot->more));
	return slot->more;
}

static struct heddle_distribution *add_distribution(struct heddle_distribution **last, uint32_t argument, uint32_t text)
{
	struct heddle_distribution *found =
		heddle__alloc(sizeof(*found) + (argument ? 0 : HEDDLE_SIZE_BUCKETS * sizeof(uint64_t)));
	if (!found)
		return NULL;
	found->argument = argument;
	found->text = text;
	found->buckets = argument ? NULL : (uint64_t *)(found + 1);
	found->minimum = INFINITY;
	found->maximum = -INFINITY;
	atomic_thread_fence(memory_order_release); /* the writer may be reading */
	*last = found;
	return found;
}

/* Searches distributions in the order in which they were added, as the arguments of an event follow each other. */
struct heddle_distribution *heddle__slot_find_distribution(struct heddle_slot *slot, uint32_t argument, uint32_t text)
{
	struct heddle_distribution **at = &slot->distributions;
	for (; *at; at = &(*at)->next)
		if ((*at)->argument == argument && (*at)->text == text)
			return *at;
	return add_distribution(at, argument, text);
}

/* The bucket for a size. */
static unsigned int bucket_of(double size)
{
	if (size < 1)
		return 0;
	uint64_t whole = size < 0x1p62 ? (uint64_t)size : (uint64_t)1 << 62;
	return heddle__size_bucket(whole);
}

void heddle__slot_distribute(struct heddle_slot *slot, uint32_t argument, uint32_t text, double value)
{
	struct heddle_distribution *distribution = heddle__slot_distribution(slot, NULL, argument, text);
	if (distribution && heddle__distribution_add(distribution, value) && distribution->buckets)
		distribution->buckets[bucket_of(value)]++;
}

void heddle__slot_distribute_many(struct heddle_slot *slot, double size, uint64_t count)
{
	struct heddle_distribution *distribution = heddle__slot_distribution(slot, NULL, 0, 0);
	if (!count || !distribution || !heddle__distribution_add(distribution, size))
		return;
	distribution->count += count - 1;
	distribution->sum += size * (double)(count - 1);
	if (distribution->buckets)
		distribution->buckets[bucket_of(size)] += count;
}
