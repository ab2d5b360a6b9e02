/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hash table without locks. Its entries are recycled, never removed. A full bucket drops its oldest arrival (of a
 * GASP client that reports arrivals for which no thread waits).
 */
#include "models/upc/upc_arrivals.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/hash.h"
#include "core/base/memory.h"

#define BUCKETS 256u
#define MOST_ENTRIES 256u /* in a bucket */

enum state { FREE, BUSY, FULL };

struct entry {
	struct entry *next;
	_Atomic uint8_t state; /* enum state; the thread that set BUSY writes the rest */
	_Atomic uint8_t direction;
	_Atomic uintptr_t handle;
	_Atomic uint64_t when;
};

static struct entry *_Atomic buckets[BUCKETS];
static _Atomic uint64_t present; /* approximate number of entries that are FULL */

static struct entry *_Atomic *bucket_of(const void *handle)
{
	_Static_assert(BUCKETS == 256, "eight bits of hash");
	return &buckets[heddle__hash((uintptr_t)handle) >> 56];
}

static bool take_over(struct entry *entry, uint8_t from)
{
	return atomic_compare_exchange_strong(&entry->state, &from, BUSY);
}

/*
 * Returns a free entry of the bucket, or its oldest one, now BUSY; NULL: none is available. `count` is the number of
 * entries.
 */
static struct entry *claim_there(struct entry *first, unsigned int *count)
{
	struct entry *oldest = NULL;
	*count = 0;
	for (struct entry *entry = first; entry; entry = entry->next, ++*count) {
		if (take_over(entry, FREE))
			return entry;
		if (!oldest || atomic_load(&entry->when) < atomic_load(&oldest->when))
			oldest = entry;
	}
	if (*count < MOST_ENTRIES || !take_over(oldest, FULL))
		return NULL;
	atomic_fetch_sub(&present, 1);
	return oldest;
}

static struct entry *claim(struct entry *_Atomic *bucket)
{
	unsigned int count;
	struct entry *entry = claim_there(atomic_load(bucket), &count);
	if (entry || count >= MOST_ENTRIES || !(entry = heddle__alloc(sizeof(*entry))))
		return entry;
	atomic_store(&entry->state, BUSY);
	entry->next = atomic_load(bucket);
	while (!atomic_compare_exchange_weak(bucket, &entry->next, entry))
		;
	return entry;
}

void heddle__upc_arrival_post(const void *handle, enum heddle_upc_direction direction, uint64_t when)
{
	struct entry *entry = claim(bucket_of(handle));
	if (!entry)
		return;
	atomic_store(&entry->handle, (uintptr_t)handle);
	atomic_store(&entry->direction, (uint8_t)direction);
	atomic_store(&entry->when, when);
	atomic_fetch_add(&present, 1);
	atomic_store(&entry->state, FULL);
}

static bool is_of(const struct entry *entry, const void *handle)
{
	return atomic_load(&entry->state) == FULL && atomic_load(&entry->handle) == (uintptr_t)handle;
}

/* Frees the entry and returns its time; 0: another arrival has replaced this one. */
static uint64_t release(struct entry *entry, const void *handle)
{
	if (!take_over(entry, FULL))
		return 0;
	bool its = atomic_load(&entry->handle) == (uintptr_t)handle;
	uint64_t when = its ? atomic_load(&entry->when) : 0;
	atomic_fetch_sub(&present, its);
	atomic_store(&entry->state, its ? FREE : FULL);
	return when;
}

uint64_t heddle__upc_arrival_take(const void *handle, enum heddle_upc_direction direction, uint64_t since)
{
	struct entry *latest = NULL;
	if (!atomic_load_explicit(&present, memory_order_acquire))
		return 0;
	for (struct entry *entry = atomic_load(bucket_of(handle)); entry; entry = entry->next) {
		if (!is_of(entry, handle) || atomic_load(&entry->when) < since ||
			(direction && atomic_load(&entry->direction) != direction))
			continue;
		if (!latest || atomic_load(&entry->when) > atomic_load(&latest->when))
			latest = entry;
	}
	return latest ? release(latest, handle) : 0;
}

void heddle__upc_arrivals_forget(const void *handle)
{
	if (!atomic_load_explicit(&present, memory_order_acquire))
		return;
	for (struct entry *entry = atomic_load(bucket_of(handle)); entry; entry = entry->next) {
		if (is_of(entry, handle))
			release(entry, handle);
	}
}
