/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The elements of a cache, by index: a hash table without replacement. Elements are numbered in the order in which they
 * were added. Their values do not move while the table grows. C without UPC.
 */
#ifndef HEDDLE_UPC_CACHE_TABLE_H
#define HEDDLE_UPC_CACHE_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CACHE_NONE UINT32_MAX

/* A hash table from keys to numbers; open addressing, at most half full. */
struct cache_map {
	struct cache_map_entry {
		uint64_t key; /* key + 1; 0: free */
		uint32_t number;
	} * entries;
	size_t capacity; /* a power of two, or 0 */
	size_t count;
	int shift; /* shift of the hash that gives an entry */
};

struct cache_element {
	uint64_t index;        /* in the array */
	uint32_t owner, local; /* the thread, and the element's number in its part */
	uint32_t order;        /* of the first put of the tile */
	uint8_t dirty;         /* put, and not yet sent */
	uint8_t own;           /* put since the download was started, which must not replace the value */
};

#define CACHE_SLAB 1024 /* elements whose values are allocated at once */

struct cache_table {
	struct cache_map map;
	struct cache_element *elements; /* by number */
	size_t count, room;
	char **slabs;
	size_t slab_count;
	size_t size;   /* of an element */
	size_t cursor; /* the number after that of the last hit: gets are often in the order of the hints */
};

/* These return NULL or -1 if memory is exhausted; the table is then unchanged and usable. */

static inline size_t cache_map_slot(const struct cache_map *map, uint64_t key)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> map->shift);
}

/* The number of a key, or CACHE_NONE. */
static inline uint32_t cache_map_find(const struct cache_map *map, uint64_t key)
{
	if (map->count == 0)
		return CACHE_NONE;
	for (size_t at = cache_map_slot(map, key);; at = (at + 1) & (map->capacity - 1)) {
		if (map->entries[at].key == key + 1)
			return map->entries[at].number;
		if (map->entries[at].key == 0)
			return CACHE_NONE;
	}
}

static inline void cache_map_place(struct cache_map *map, uint64_t key, uint32_t number)
{
	size_t at = cache_map_slot(map, key);
	while (map->entries[at].key != 0 && map->entries[at].key != key + 1)
		at = (at + 1) & (map->capacity - 1);
	map->count += map->entries[at].key == 0;
	map->entries[at].key = key + 1;
	map->entries[at].number = number;
}

static inline int cache_map_grow(struct cache_map *map)
{
	struct cache_map larger = {
		NULL, map->capacity ? 2 * map->capacity : 64, 0, map->capacity ? map->shift - 1 : 58};
	larger.entries = calloc(larger.capacity, sizeof(*larger.entries));
	if (!larger.entries)
		return -1;
	for (size_t at = 0; at < map->capacity; at++) {
		if (map->entries[at].key != 0)
			cache_map_place(&larger, map->entries[at].key - 1, map->entries[at].number);
	}
	free(map->entries);
	*map = larger;
	return 0;
}

/* Adds a key or changes its number. */
static inline int cache_map_set(struct cache_map *map, uint64_t key, uint32_t number)
{
	if (2 * (map->count + 1) > map->capacity && cache_map_grow(map) != 0)
		return -1;
	cache_map_place(map, key, number);
	return 0;
}

static inline void cache_map_remove_all(struct cache_map *map)
{
	if (map->count != 0)
		memset(map->entries, 0, map->capacity * sizeof(*map->entries));
	map->count = 0;
}

static inline char *cache_table_value(const struct cache_table *table, uint32_t number)
{
	return table->slabs[number / CACHE_SLAB] + number % CACHE_SLAB * table->size;
}

/* The number of an element, or CACHE_NONE. */
static inline uint32_t cache_table_find(struct cache_table *table, uint64_t index)
{
	uint32_t number;
	if (table->cursor < table->count && table->elements[table->cursor].index == index)
		return (uint32_t)table->cursor++;
	number = cache_map_find(&table->map, index);
	if (number != CACHE_NONE)
		table->cursor = number + 1;
	return number;
}

static inline int cache_table_add_slab(struct cache_table *table)
{
	char **slabs = realloc(table->slabs, (table->slab_count + 1) * sizeof(*slabs));
	if (!slabs)
		return -1;
	table->slabs = slabs;
	slabs[table->slab_count] = malloc(CACHE_SLAB * table->size);
	if (!slabs[table->slab_count])
		return -1;
	table->slab_count++;
	return 0;
}

static inline int cache_table_reserve(struct cache_table *table)
{
	if (table->count == table->room) {
		size_t room = table->room ? 2 * table->room : 64;
		struct cache_element *elements = realloc(table->elements, room * sizeof(*elements));

		if (!elements)
			return -1;
		table->elements = elements;
		table->room = room;
	}
	return table->count < table->slab_count * CACHE_SLAB ? 0 : cache_table_add_slab(table);
}

/* Adds an element that is not in the table; its value is not set. NULL if memory is exhausted. */
static inline struct cache_element *cache_table_add(
	struct cache_table *table, uint64_t index, uint32_t owner, uint32_t local)
{
	struct cache_element element = {index, owner, local, 0, 0, 0};
	if (table->count == CACHE_NONE || cache_table_reserve(table) != 0 ||
		cache_map_set(&table->map, index, (uint32_t)table->count) != 0)
		return NULL;
	table->elements[table->count] = element;
	return &table->elements[table->count++];
}

/* Memory is kept for the next tile. */
static inline void cache_table_remove_all(struct cache_table *table)
{
	cache_map_remove_all(&table->map);
	table->count = 0;
	table->cursor = 0;
}

static inline void cache_table_free(struct cache_table *table)
{
	for (size_t i = 0; i < table->slab_count; i++)
		free(table->slabs[i]);
	free(table->slabs);
	free(table->elements);
	free(table->map.entries);
}

/* memcpy of one element, without a call for the usual sizes. */
static inline void cache_copy(void *to, const void *from, size_t size)
{
	if (size == 8)
		memcpy(to, from, 8);
	else if (size == 4)
		memcpy(to, from, 4);
	else
		memcpy(to, from, size);
}

#endif
