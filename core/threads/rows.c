/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores rows in chunks, with a hash index that only the owner uses. */
#include "core/threads/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/memory.h"

/* Chunk of a row's number, and the number of rows in the chunks before it. */
static unsigned int chunk_of(uint32_t number, uint32_t *before)
{
	unsigned int chunk = 31u - (unsigned int)__builtin_clz(number / HEDDLE_FIRST_ROWS + 1);
	*before = (((uint32_t)1 << chunk) - 1) * HEDDLE_FIRST_ROWS;
	return chunk;
}

void *heddle__row_at(const struct heddle_rows *rows, const struct heddle_row_layout *layout, uint32_t number)
{
	uint32_t before;
	unsigned int chunk = chunk_of(number, &before);
	if (number >= atomic_load_explicit(&rows->count, memory_order_acquire) || chunk >= HEDDLE_ROW_CHUNKS)
		return NULL;
	unsigned char *first = atomic_load_explicit(&rows->chunks[chunk], memory_order_acquire);
	return first ? first + (size_t)(number - before) * layout->size : NULL;
}

static uint64_t hash_of(const struct heddle_row_layout *layout, const void *key)
{
	uint64_t hash = 0;
	uint32_t word;
	for (uint32_t at = 0; at < layout->key_size; at += sizeof(word)) {
		memcpy(&word, (const unsigned char *)key + at, sizeof(word));
		hash = heddle__hash((hash >> 32) ^ (hash << 7) ^ word);
	}
	return hash;
}

/* Returns the index entry of the row with that key, or a free entry if there is no such row. */
static uint32_t *entry_of(const struct heddle_rows *rows, const struct heddle_row_layout *layout, const void *key)
{
	uint32_t mask = rows->room * 2 - 1;
	for (uint64_t at = hash_of(layout, key) >> 32;; at++) {
		uint32_t *entry = &rows->index[at & mask];
		const void *row = *entry ? heddle__row_at(rows, layout, *entry - 1) : NULL;
		if (!row || memcmp(row, key, layout->key_size) == 0)
			return entry;
	}
}

static uint32_t *free_entry(uint32_t *index, uint32_t room, uint64_t hash)
{
	uint64_t at = hash >> 32;
	while (index[at & (room * 2 - 1)])
		at++;
	return &index[at & (room * 2 - 1)];
}

/*
 * Makes a larger index of the rows. A handler may abandon this at any point (core/threads/entered.h): then there is no
 * index, or one that is complete, and memory that is not used.
 */
static bool grow_index(struct heddle_rows *rows, const struct heddle_row_layout *layout, uint32_t count)
{
	uint32_t room = HEDDLE_FIRST_ROWS, old_room = rows->room, *old = rows->index;
	while (room <= count)
		room *= 2;
	uint32_t *index = heddle__map((size_t)room * 2 * sizeof(*index));
	if (!index)
		return false;
	for (uint32_t i = 0; i < count; i++)
		*free_entry(index, room, hash_of(layout, heddle__row_at(rows, layout, i))) = i + 1;
	rows->room = 0;
	atomic_signal_fence(memory_order_seq_cst);
	rows->index = index;
	atomic_signal_fence(memory_order_seq_cst);
	rows->room = room;
	heddle__unmap(old, (size_t)old_room * 2 * sizeof(*old));
	return true;
}

/* Returns the memory of the row with that number, the next one. */
static void *take_row(struct heddle_rows *rows, const struct heddle_row_layout *layout, uint32_t number)
{
	uint32_t before;
	unsigned int chunk = chunk_of(number, &before);
	if (chunk >= HEDDLE_ROW_CHUNKS)
		return NULL;
	unsigned char *first = atomic_load_explicit(&rows->chunks[chunk], memory_order_relaxed);
	if (!first) {
		first = heddle__alloc((size_t)(HEDDLE_FIRST_ROWS << chunk) * layout->size);
		atomic_store_explicit(&rows->chunks[chunk], first, memory_order_release);
	}
	return first ? first + (size_t)(number - before) * layout->size : NULL;
}

void *heddle__row_find(struct heddle_rows *rows, const struct heddle_row_layout *layout, const void *key)
{
	uint32_t count = atomic_load_explicit(&rows->count, memory_order_relaxed);
	if (count >= rows->room && !grow_index(rows, layout, count))
		return NULL;
	uint32_t *entry = entry_of(rows, layout, key);
	void *row = *entry ? heddle__row_at(rows, layout, *entry - 1) : NULL; /* none if a handler abandoned this */
	if (row)
		return row;
	row = take_row(rows, layout, count);
	if (!row)
		return NULL;
	memcpy(row, key, layout->key_size);
	*entry = count + 1;
	atomic_store_explicit(&rows->count, count + 1, memory_order_release);
	return row;
}

void heddle__rows_clear(struct heddle_rows *rows, const struct heddle_row_layout *layout)
{
	unsigned char *row;
	for (uint32_t i = 0; (row = heddle__row_at(rows, layout, i)) != NULL; i++)
		memset(row + layout->key_size, 0, layout->size - layout->key_size);
}
