/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements without a hint: a get that misses brings a line of neighbours on the same thread, so that later gets of
 * these elements need no message of their own. Lines consist of granules. The length of lines is adapted to how many
 * granules are used. UPC.
 */
#ifndef HEDDLE_UPC_CACHE_LINES_H
#define HEDDLE_UPC_CACHE_LINES_H

#include "upc_cache_private.h"

#define CACHE_GRANULE 256             /* bytes */
#define CACHE_LINE 8192               /* bytes at first: over TCP, takes 1.05 times as long as one element */
#define CACHE_LONGEST_LINE 65536      /* bytes: takes 1.6 times as long as one element */
#define CACHE_LINES ((size_t)4 << 20) /* bytes of all lines */
#define CACHE_CONSIDERED 8            /* misses after which the length of lines is adapted */

static void cache_lines_prepare(struct cache_lines *lines, size_t size)
{
	lines->granule = size < CACHE_GRANULE ? CACHE_GRANULE / size : 1;
	lines->length = CACHE_LINE / (lines->granule * size);
	lines->longest = CACHE_LONGEST_LINE / (lines->granule * size);
	if (lines->length == 0)
		lines->length = 1;
	if (lines->longest == 0)
		lines->longest = 1;
}

static void cache_lines_remove_all(struct cache_lines *lines)
{
	for (size_t i = 0; i < lines->block_count; i++)
		free(lines->blocks[i]);
	cache_map_remove_all(&lines->map);
	lines->count = 0;
	lines->block_count = 0;
	lines->bytes = 0;
}

static void cache_lines_free(struct cache_lines *lines)
{
	cache_lines_remove_all(lines);
	free(lines->map.entries);
	free(lines->granules);
	free(lines->blocks);
}

static uint64_t cache_lines_key(size_t owner, size_t granule)
{
	return (uint64_t)owner << 40 | granule;
}

/* The value of an element in a line, or NULL. */
static const char *cache_lines_find(struct cache *cache, struct heddle_cache_place place)
{
	struct cache_lines *lines = &cache->lines;
	uint32_t number = cache_map_find(&lines->map, cache_lines_key(place.owner, place.local / lines->granule));
	struct cache_granule *granule;
	if (number == CACHE_NONE)
		return NULL;
	granule = &lines->granules[number];
	if (place.local < granule->from || place.local >= granule->to)
		return NULL;
	lines->used += !granule->used;
	granule->used = 1;
	return granule->values + (place.local - granule->from) * cache->shown.size;
}

/* The local number, on thread OWNER, of the first element at or after a place in the array. */
static size_t cache_local_from(const struct cache *cache, size_t number, size_t owner)
{
	size_t block = cache->shown.block;
	size_t row = block ? number / block / cache->shown.threads : 0;
	size_t at = block ? number / block % cache->shown.threads : 0;
	if (block == 0)
		return number;
	return (row + (owner < at)) * block + (owner == at ? number % block : 0);
}

static void cache_lines_consider(struct cache_lines *lines)
{
	if (++lines->misses < CACHE_CONSIDERED)
		return;
	if (8 * lines->used >= lines->brought && 2 * lines->length <= lines->longest)
		lines->length *= 2;
	else if (64 * lines->used < lines->brought && lines->length > 1)
		lines->length /= 2;
	lines->misses = 0;
	lines->used = 0;
	lines->brought = 0;
}

static char *cache_lines_block(struct cache_lines *lines, size_t size)
{
	if (lines->block_count == lines->block_room) {
		size_t room = 2 * lines->block_room + 16;

		lines->blocks = cache_memory(realloc(lines->blocks, room * sizeof(*lines->blocks)), room);
		lines->block_room = room;
	}
	lines->bytes += size;
	return lines->blocks[lines->block_count++] = cache_memory(malloc(size), size);
}

static void cache_lines_add(struct cache_lines *lines, size_t owner, struct cache_granule granule)
{
	if (lines->count == lines->room) {
		size_t room = 2 * lines->room + 64;

		lines->granules = cache_memory(realloc(lines->granules, room * sizeof(*lines->granules)), room);
		lines->room = room;
	}
	lines->granules[lines->count] = granule;
	if (cache_map_set(&lines->map, cache_lines_key(owner, granule.from / lines->granule), (uint32_t)lines->count) !=
		0)
		cache_memory(NULL, sizeof(granule));
	lines->count++;
	lines->brought++;
}

/* Brings an element and its neighbours; returns its value, or NULL if there are too many lines. */
static const char *cache_lines_bring(struct cache *cache, struct heddle_cache_place place)
{
	struct cache_lines *lines = &cache->lines;
	size_t size = cache->shown.size, length = lines->length * lines->granule;
	size_t from = place.local / length * length, to = from + length;
	size_t first = cache_local_from(cache, cache->lower, place.owner);
	size_t end = cache_local_from(cache, cache->lower + cache->shown.limit, place.owner);
	char *values;
	from = from < first ? first : from;
	to = to > end ? end : to;
	if (lines->bytes + (to - from) * size > CACHE_LINES)
		return NULL;
	cache_lines_consider(lines);
	values = cache_lines_block(lines, (to - from) * size);
	upc_memget(values, cache->parts[place.owner] + from * size, (to - from) * size);
	cache->counts.bytes += (to - from) * size;
	for (size_t at = from; at < to;) {
		size_t next = (at / lines->granule + 1) * lines->granule;
		struct cache_granule granule = {
			values + (at - from) * size, (uint32_t)at, (uint32_t)(next < to ? next : to), 0};

		cache_lines_add(lines, place.owner, granule);
		at = next;
	}
	return cache_lines_find(cache, place);
}

#endif
