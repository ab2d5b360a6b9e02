/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slots: the metrics of one thread, one slot for each node of the call-path tree that the thread has values for. A slot
 * is never moved, so its address is valid as long as the table exists. This code does not depend on threads;
 * core/threads/thread.h has the same functions for a thread.
 */
#ifndef HEDDLE_CORE_SLOT_H
#define HEDDLE_CORE_SLOT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/hash.h"
#include "core/base/likely.h"
#include "core/base/size_class.h"
#include "format/ids.h"

#define HEDDLE_SLOT_CHUNKS 20
#define HEDDLE_FIRST_SLOTS 32
#define HEDDLE_EVENT_CACHE 256

/* The distribution of the values of an event's argument (Distribution in the file format). */
struct heddle_distribution {
	struct heddle_distribution *next;
	uint32_t argument; /* 0: the size */
	uint32_t text;     /* number of a string + 1, or 0 */
	uint64_t count;
	double minimum, maximum, sum;
	uint64_t *buckets; /* of sizes; NULL for other arguments */
};

/*
 * The metrics of one node. WALL_TIME and FLIGHT_TIME are in ticks until they are written. Metrics from
 * HEDDLE_METRIC_COMMON on are in `more`, added to by heddle__slot_add.
 */
struct heddle_slot {
	uint64_t value[HEDDLE_METRIC_COMMON];
	uint64_t *more;   /* NULL: none has a value */
	uint64_t *counts; /* of counters (core/counters/counting.h); NULL: none has a value */
	struct heddle_distribution *distributions;
	uint32_t node;
};

/* A recently used child of a node, or (meta 0) a node itself. */
struct heddle_event_cache {
	uint64_t place;
	uint32_t parent, meta;
	struct heddle_slot *slot;
};

/* All slots of a thread. A zeroed struct is an empty table. */
struct heddle_slots {
	struct heddle_slot *_Atomic chunks[HEDDLE_SLOT_CHUNKS]; /* chunk k holds HEDDLE_FIRST_SLOTS << k */
	_Atomic uint32_t count;
	uint32_t *index; /* open addressing, pairs {node, slot + 1} */
	uint32_t index_size;
	struct heddle_event_cache cache[HEDDLE_EVENT_CACHE];
};

/*
 * Returns the slot of `node`, which is added if necessary; without memory, a scratch slot, whose values are lost.
 * Context: owner thread, inside.
 */
struct heddle_slot *heddle__slots_find(struct heddle_slots *slots, uint32_t node);

/* False for the scratch slot, whose address must not be stored. True for NULL. Context: owner thread, inside. */
bool heddle__is_lasting(const struct heddle_slot *slot);

/* The slot with that number, or NULL. Context: owner thread; any thread, when frozen. */
struct heddle_slot *heddle__slots_at(const struct heddle_slots *slots, uint32_t number);

/* Sets all values to 0; `counters` is the size of `counts`. Context: the child's only thread, after a fork. */
void heddle__slots_clear(struct heddle_slots *slots, unsigned int counters);

/* Cache misses of heddle__slots_child() and heddle__slots_node(). Context: owner thread, inside. */
struct heddle_slot *heddle__slots_find_child(
	struct heddle_slots *slots, struct heddle_event_cache *entry, uint32_t parent, uint32_t meta, uint64_t place);
struct heddle_slot *heddle__slots_find_node(
	struct heddle_slots *slots, struct heddle_event_cache *entry, uint32_t node);

/* The slot of the child of `parent` with that meta and place, by the cache. Context: owner thread, inside. */
static inline struct heddle_slot *heddle__slots_child(
	struct heddle_slots *slots, uint32_t parent, uint32_t meta, uint64_t place)
{
	uint64_t hash = heddle__hash(place ^ parent * (uint64_t)0x9e3779b1u ^ meta);
	struct heddle_event_cache *entry = &slots->cache[hash >> 56];
	_Static_assert(HEDDLE_EVENT_CACHE == 256, "eight bits of hash");
	if (HEDDLE_LIKELY(entry->slot && entry->place == place && entry->parent == parent && entry->meta == meta))
		return entry->slot;
	return heddle__slots_find_child(slots, entry, parent, meta, place);
}

/* Like heddle__slots_child(), but returns NULL if the slot is not in the cache. */
static inline struct heddle_slot *heddle__slots_recent(
	struct heddle_slots *slots, uint32_t parent, uint32_t meta, uint64_t place)
{
	uint64_t hash = heddle__hash(place ^ parent * (uint64_t)0x9e3779b1u ^ meta);
	const struct heddle_event_cache *entry = &slots->cache[hash >> 56];
	bool is = entry->slot && entry->place == place && entry->parent == parent && entry->meta == meta;
	return HEDDLE_LIKELY(is) ? entry->slot : NULL;
}

/* The slot of the node itself, by the same cache. Context: owner thread, inside. */
static inline struct heddle_slot *heddle__slots_node(struct heddle_slots *slots, uint32_t node)
{
	struct heddle_event_cache *entry = &slots->cache[node % HEDDLE_EVENT_CACHE];
	if (HEDDLE_LIKELY(entry->slot && entry->parent == node && !entry->meta))
		return entry->slot;
	return heddle__slots_find_node(slots, entry, node);
}

/* Makes room for metrics from HEDDLE_METRIC_COMMON on. False: no memory. Context: owner thread, inside. */
bool heddle__slot_add_room(struct heddle_slot *slot);

/* Adds to a metric from HEDDLE_METRIC_COMMON on. Without memory, the amount is lost. Context: owner thread, inside. */
static inline void heddle__slot_add(struct heddle_slot *slot, enum heddle_metric metric, uint64_t amount)
{
	if (HEDDLE_UNLIKELY(!slot->more) && !heddle__slot_add_room(slot))
		return;
	slot->more[metric - HEDDLE_METRIC_COMMON] += amount;
}

/*
 * Adds a value of an argument to its distribution; `text` is the number of a string + 1, or 0. Argument 0 is a size in
 * bytes, which is counted in a bucket, too. Context: owner thread, inside.
 */
void heddle__slot_distribute(struct heddle_slot *slot, uint32_t argument, uint32_t text, double value);

/* Adds `count` equal sizes to the distribution of argument 0. */
void heddle__slot_distribute_many(struct heddle_slot *slot, double size, uint64_t count);

/* Returns the distribution of an argument, added if necessary; NULL: no memory. Context: owner thread, inside. */
struct heddle_distribution *heddle__slot_find_distribution(struct heddle_slot *slot, uint32_t argument, uint32_t text);

/* Like heddle__slot_find_distribution(). `before`: of the previous argument, which it usually follows, or NULL. */
static inline struct heddle_distribution *heddle__slot_distribution(
	struct heddle_slot *slot, const struct heddle_distribution *before, uint32_t argument, uint32_t text)
{
	struct heddle_distribution *next = before ? before->next : slot->distributions;
	if (HEDDLE_LIKELY(next && next->argument == argument && next->text == text))
		return next;
	return heddle__slot_find_distribution(slot, argument, text);
}

/* Adds a value, without counting it in a bucket. False: it is not a number. Context: owner thread, inside. */
static inline bool heddle__distribution_add(struct heddle_distribution *distribution, double value)
{
	if (value != value) /* not a number */
		return false;
	distribution->count++;
	distribution->sum += value;
	if (HEDDLE_UNLIKELY(value < distribution->minimum))
		distribution->minimum = value;
	if (HEDDLE_UNLIKELY(value > distribution->maximum))
		distribution->maximum = value;
	return true;
}

/* Like heddle__slot_distribute(), for a size in bytes, which is less than 2^63. */
static inline void heddle__slot_distribute_size(struct heddle_slot *slot, uint64_t size)
{
	struct heddle_distribution *distribution = heddle__slot_distribution(slot, NULL, 0, 0);
	if (HEDDLE_LIKELY(distribution) && heddle__distribution_add(distribution, (double)(int64_t)size))
		distribution->buckets[heddle__size_bucket(size)]++;
}

#endif
