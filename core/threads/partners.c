/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in the order of their first access, in chunks, and a hash index that only the owner uses. */
#include "core/threads/partners.h"

#include <stdbool.h>
#include <stddef.h>

#include "core/base/hash.h"
#include "core/base/memory.h"

/* Chunk of a row's number, and the number of rows in the chunks before it. */
static unsigned int chunk_of(uint32_t number, uint32_t *before)
{
	unsigned int chunk = 31u - (unsigned int)__builtin_clz(number / HEDDLE_FIRST_PARTNERS + 1);
	*before = (((uint32_t)1 << chunk) - 1) * HEDDLE_FIRST_PARTNERS;
	return chunk;
}

struct heddle_partner *heddle__partner_at(const struct heddle_partners *partners, uint32_t number)
{
	uint32_t before;
	unsigned int chunk = chunk_of(number, &before);
	if (number >= atomic_load_explicit(&partners->count, memory_order_acquire) || chunk >= HEDDLE_PARTNER_CHUNKS)
		return NULL;
	struct heddle_partner *first = atomic_load_explicit(&partners->chunks[chunk], memory_order_acquire);
	return first ? &first[number - before] : NULL;
}

/* The entry of the index for a row; a free one if it has none. */
static uint32_t *entry_of(const struct heddle_partners *partners, uint32_t variable, uint32_t owner)
{
	uint32_t mask = partners->room * 2 - 1;
	for (uint64_t at = heddle__hash((uint64_t)variable << 32 | owner) >> 32;; at++) {
		uint32_t *entry = &partners->index[at & mask];
		const struct heddle_partner *row = *entry ? heddle__partner_at(partners, *entry - 1) : NULL;
		if (!row || (row->variable == variable && row->owner == owner))
			return entry;
	}
}

static bool grow_index(struct heddle_partners *partners, uint32_t count)
{
	uint32_t before = partners->room, room = before ? before * 2 : HEDDLE_FIRST_PARTNERS;
	uint32_t *index = heddle__map((size_t)room * 2 * sizeof(*index));
	if (!index)
		return false;
	heddle__unmap(partners->index, (size_t)before * 2 * sizeof(*index));
	partners->index = index;
	partners->room = room;
	for (uint32_t i = 0; i < count; i++) {
		const struct heddle_partner *row = heddle__partner_at(partners, i);
		*entry_of(partners, row->variable, row->owner) = i + 1;
	}
	return true;
}

/* The memory of the row with the next number. */
static struct heddle_partner *take_row(struct heddle_partners *partners, uint32_t number)
{
	uint32_t before;
	unsigned int chunk = chunk_of(number, &before);
	if (chunk >= HEDDLE_PARTNER_CHUNKS)
		return NULL;
	struct heddle_partner *first = atomic_load_explicit(&partners->chunks[chunk], memory_order_relaxed);
	if (!first) {
		first = heddle__alloc((size_t)(HEDDLE_FIRST_PARTNERS << chunk) * sizeof(*first));
		atomic_store_explicit(&partners->chunks[chunk], first, memory_order_release);
	}
	return first ? &first[number - before] : NULL;
}

struct heddle_partner *heddle__partner_find(struct heddle_partners *partners, uint32_t variable, uint32_t owner)
{
	uint32_t count = atomic_load_explicit(&partners->count, memory_order_relaxed);
	if (count >= partners->room && !grow_index(partners, count))
		return NULL;
	uint32_t *entry = entry_of(partners, variable, owner);
	if (*entry)
		return heddle__partner_at(partners, *entry - 1);
	struct heddle_partner *row = take_row(partners, count);
	if (!row)
		return NULL;
	row->variable = variable;
	row->owner = owner;
	*entry = count + 1;
	atomic_store_explicit(&partners->count, count + 1, memory_order_release);
	return row;
}

void heddle__partners_clear(struct heddle_partners *partners)
{
	struct heddle_partner *row;
	for (uint32_t i = 0; (row = heddle__partner_at(partners, i)) != NULL; i++)
		row->gets = row->puts = row->bytes_got = row->bytes_put = row->ticks = 0;
}
