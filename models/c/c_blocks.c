/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An open-addressing hash table with linear probing; a removed entry's gap is closed by moving later entries. Locks are
 * per part and bounded in time, since a thread may end while it holds one.
 */
#include "models/c/c_blocks.h"

#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/base/patience.h"

#define PARTS 64u
#define FIRST_SIZE 256u
#define SPINS 200u
#define GIVE_UP_NS 2000000000u

struct part {
	alignas(64) _Atomic bool locked;
	_Atomic bool given_up;
	uint32_t count, size; /* of `blocks`; a power of two */
	struct heddle_c_block *blocks;
};

static struct part parts[PARTS];
static _Thread_local struct part *held; /* by this thread */

static bool try_lock(struct part *part)
{
	return !atomic_load_explicit(&part->locked, memory_order_relaxed) &&
	       !atomic_exchange_explicit(&part->locked, true, memory_order_acquire);
}

static bool wait_for(struct part *part)
{
	struct heddle_patience patience;
	heddle__patience_renew(&patience);
	while (heddle__patience_lasts(&patience, GIVE_UP_NS) && !atomic_load(&part->given_up)) {
		for (unsigned int i = 0; i < SPINS; i++) {
			if (try_lock(part))
				return true;
		}
		sched_yield();
	}
	atomic_store(&part->given_up, true);
	return false;
}

static bool lock(struct part *part)
{
	if (held || atomic_load_explicit(&part->given_up, memory_order_relaxed))
		return false;
	held = part;
	atomic_signal_fence(memory_order_seq_cst);
	if (try_lock(part) || wait_for(part))
		return true;
	held = NULL;
	return false;
}

static void unlock(struct part *part)
{
	atomic_store_explicit(&part->locked, false, memory_order_release);
	atomic_signal_fence(memory_order_seq_cst);
	held = NULL;
}

static uint64_t hash_of(uintptr_t address)
{
	return heddle__hash(address >> 4);
}

static struct part *part_of(uintptr_t address)
{
	_Static_assert(PARTS == 64, "six bits of hash");
	return &parts[hash_of(address) >> 58];
}

static uint32_t home_of(const struct part *part, uintptr_t address)
{
	return (uint32_t)(hash_of(address) >> 26) & (part->size - 1);
}

/* Returns the block's entry, or the free entry where it belongs. */
static struct heddle_c_block *entry_of(const struct part *part, uintptr_t address)
{
	uint32_t at = home_of(part, address);
	while (part->blocks[at].address && part->blocks[at].address != address)
		at = (at + 1) & (part->size - 1);
	return &part->blocks[at];
}

static bool grow(struct part *part)
{
	struct part larger = {.size = part->size ? part->size * 2 : FIRST_SIZE};
	larger.blocks = heddle__map(larger.size * sizeof(*larger.blocks));
	if (!larger.blocks)
		return false;
	for (uint32_t i = 0; i < part->size; i++) {
		if (part->blocks[i].address)
			*entry_of(&larger, part->blocks[i].address) = part->blocks[i];
	}
	heddle__unmap(part->blocks, part->size * sizeof(*part->blocks));
	part->blocks = larger.blocks;
	part->size = larger.size;
	return true;
}

bool heddle__c_block_put(const struct heddle_c_block *block, struct heddle_c_block *before)
{
	struct part *part = part_of(block->address);
	*before = (struct heddle_c_block){0};
	if (!lock(part))
		return false;
	bool room = (part->count + 1) * 4 < part->size * 3 || grow(part);
	if (room) {
		struct heddle_c_block *entry = entry_of(part, block->address);
		*before = *entry;
		part->count += !entry->address;
		*entry = *block;
	}
	unlock(part);
	return room;
}

/* Moves entries behind a gap into it if their probe sequence passes it. */
static void close_gap(struct part *part, uint32_t gap)
{
	uint32_t mask = part->size - 1;
	for (uint32_t at = (gap + 1) & mask; part->blocks[at].address; at = (at + 1) & mask) {
		uint32_t home = home_of(part, part->blocks[at].address);
		if (((at - home) & mask) < ((at - gap) & mask))
			continue;
		part->blocks[gap] = part->blocks[at];
		gap = at;
	}
	part->blocks[gap].address = 0;
}

bool heddle__c_block_take(uintptr_t address, struct heddle_c_block *block)
{
	struct part *part = part_of(address);
	if (!lock(part))
		return false;
	struct heddle_c_block *entry = part->count ? entry_of(part, address) : NULL;
	bool found = entry && entry->address;
	if (found) {
		*block = *entry;
		close_gap(part, (uint32_t)(entry - part->blocks));
		part->count--;
	}
	unlock(part);
	return found;
}

/*
 * Locks all parts, except one that the thread already holds: a signal handler may fork while its thread holds a part's
 * lock.
 */
void heddle__c_blocks_lock(void)
{
	for (unsigned int i = 0; i < PARTS; i++) {
		if (&parts[i] != held && !try_lock(&parts[i]))
			wait_for(&parts[i]);
	}
}

void heddle__c_blocks_unlock(void)
{
	for (unsigned int i = 0; i < PARTS; i++) {
		if (&parts[i] != held)
			atomic_store_explicit(&parts[i].locked, false, memory_order_release);
	}
}

static void clear(struct part *part)
{
	heddle__unmap(part->blocks, part->size * sizeof(*part->blocks));
	part->blocks = NULL;
	part->count = part->size = 0;
	atomic_store(&part->given_up, false);
	atomic_store(&part->locked, false);
}

void heddle__c_blocks_clear(void)
{
	for (unsigned int i = 0; i < PARTS; i++) {
		if (&parts[i] == held)
			atomic_store(&parts[i].given_up, true); /* the interrupted change will continue */
		else
			clear(&parts[i]);
	}
}
