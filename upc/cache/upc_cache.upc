/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A software cache for shared arrays; heddle/upc_cache.h describes its use. This file has its public functions: opening
 * of caches, and the order of exchanges and barriers. It includes the rest of the library.
 *
 * A download: each thread writes its lists of elements into their owners' slots; barrier; owners write the values into
 * the memory of the requesting threads; split-phase barrier, whose second half is finish_download. An upload: each
 * thread writes its lists with values into their owners' slots; split-phase barrier; owners write their own elements.
 * Only owners access elements, except for lines that misses bring.
 */
#include "upc_cache_private.h"

#include "upc_cache_lines.h"
#include "upc_cache_messages.h"

#ifdef __UPC_CASTABLE__
#include <upc_castable.h>
#endif

#define CACHE_LEAST_SLOT 512
#define CACHE_GREATEST_SLOT ((size_t)64 << 10)

/* On each thread: areas of closed caches; whether only the first half of a barrier was called. */
static struct cache_area *cache_free_areas;
static int cache_notified;

/* Calls the second half of a barrier, if one is open. Called by finish_... and by functions of other caches. */
static void cache_end_barrier(void)
{
	if (cache_notified)
		upc_wait;
	cache_notified = 0;
}

static void cache_notify(void)
{
	upc_notify;
	cache_notified = 1;
}

static void cache_start(struct cache *cache, enum cache_kind kind, const char *function)
{
	if (cache->started[kind])
		cache_fail("%s: called twice without heddle_cache_finish_%s", function, function + 19);
	cache->started[kind] = 1;
	if (!cache->shown.is_direct)
		cache_end_barrier();
}

static void cache_finish(struct cache *cache, enum cache_kind kind, const char *function)
{
	if (!cache->started[kind])
		cache_fail("%s: called without heddle_cache_start_%s", function, function + 20);
	cache->started[kind] = 0;
	if (!cache->shown.is_direct)
		cache_end_barrier();
}

/* Returns 1 if this thread reaches another's memory by private pointers, else 0. */
static int cache_reaches(size_t thread)
{
	if (thread == (size_t)MYTHREAD)
		return 1;
#ifdef __UPC_CASTABLE__
	return (upc_thread_info(thread).guaranteedCastable & UPC_CASTABLE_ALL) == UPC_CASTABLE_ALL;
#else
	return 0;
#endif
}

static char *cache_private(cache_shared_t part, size_t thread)
{
#ifdef __UPC_CASTABLE__
	if (thread != (size_t)MYTHREAD)
		return upc_cast(part);
#endif
	(void)thread;
	return (char *)part;
}

/* Returns whether all threads reach all memory by private pointers. Computed once. Collective. */
static int cache_all_reach(void)
{
	static shared char answers[THREADS];
	static int known = -1;
	if (known >= 0)
		return known;
	answers[MYTHREAD] = 1;
	for (size_t thread = 0; thread < (size_t)THREADS; thread++)
		answers[MYTHREAD] &= (char)cache_reaches(thread);
	upc_barrier;
	known = 1;
	for (int thread = 0; thread < THREADS; thread++)
		known &= answers[thread];
	return known;
}

/* Sets the members from which the inline functions compute the place of an element in the array. */
static void cache_shape(struct cache *cache, shared void *array, size_t block)
{
	struct heddle_cache *shown = &cache->shown;
	size_t owner = upc_threadof(array), phase = block == 0 ? 0 : upc_phaseof(array);
	shown->threads = (size_t)THREADS;
	shown->block = shown->threads == 1 ? 0 : block;
	shown->first = block == 0 ? owner : shown->threads == 1 ? 0 : owner * block + phase;
	for (shown->span_shift = 0; shown->block >> shown->span_shift > 1;)
		shown->span_shift++;
	shown->threads_inverse = shown->threads == 1 ? 0 : UINT64_MAX / shown->threads + 1;
	shown->block_inverse = block <= 1 ? 0 : UINT64_MAX / block + 1;
	cache->lower = shown->block == 0 ? 0 : shown->first;
	for (size_t thread = 0; thread < shown->threads; thread++) {
		/* For elements of one byte in blocks of one, the next element is on the next thread. */
		shared char *other = (shared char *)array + ((ptrdiff_t)thread - (ptrdiff_t)owner);

		cache->parts[thread] = (cache_shared_t)other - (shown->block == 0 ? 0 : phase * shown->size);
		cache->reach[thread] = cache_reaches(thread) ? cache_private(cache->parts[thread], thread) : NULL;
		shown->wants_hints |= !cache->reach[thread] && (block != 0 || thread == owner);
	}
	shown->get_from = cache->reach;
	shown->put_to = cache->policy == HEDDLE_CACHE_ARBITRARY ? cache->reach : cache->nothing;
}

/* Returns the first free area with large enough slots, or a new one. Collective. */
static struct cache_area *cache_take_area(size_t slot)
{
	struct cache_area **at = &cache_free_areas, *area;
	size_t threads = (size_t)THREADS, bytes = slot * threads * 2 * CACHE_KINDS;
	while (*at && (*at)->slot < slot)
		at = &(*at)->next;
	if (*at) {
		area = *at;
		*at = area->next;
		return area;
	}
	area = cache_allocate(1, sizeof(*area));
	area->slot = slot;
	area->base = (shared char *)upc_all_alloc(threads, bytes);
	if (!area->base)
		cache_fail("no shared memory for %lu bytes of messages", (unsigned long)bytes);
	/* Serial numbers begin at 1, so zeroed slots contain no message. */
	memset((char *)(cache_shared_t)(area->base + MYTHREAD), 0, bytes);
	upc_barrier;
	return area;
}

static size_t cache_slot_size(size_t chunk, size_t size)
{
	size_t elements = chunk / (size_t)THREADS + 1;
	size_t bytes = elements > CACHE_GREATEST_SLOT ? CACHE_GREATEST_SLOT : elements * (4 + size);
	bytes = bytes < CACHE_LEAST_SLOT ? CACHE_LEAST_SLOT : bytes;
	return bytes > CACHE_GREATEST_SLOT ? CACHE_GREATEST_SLOT : cache_align(bytes);
}

/* The number of elements of an array, from the size of the object; 0, unknown, for a pointer. */
static size_t cache_length(size_t bytes, size_t size)
{
	return bytes == sizeof(shared void *) || bytes == sizeof(cache_shared_t) ? 0 : bytes / size;
}

heddle_cache_t *heddle_cache_open_shared(shared void *array, size_t size, size_t block, size_t chunk,
	enum heddle_cache_policy policy, size_t bytes)
{
	struct cache *cache = cache_allocate(1, sizeof(*cache));
	size_t threads = (size_t)THREADS;
	if (!array)
		cache_fail("heddle_cache_open: the array is a null pointer");
	cache->policy = policy;
	cache->parts = cache_allocate(threads, sizeof(*cache->parts));
	cache->reach = cache_allocate(threads, sizeof(*cache->reach));
	cache->nothing = cache_allocate(threads, sizeof(*cache->nothing));
	cache->shown.size = size;
	cache->shown.limit = cache_length(bytes, size);
	cache->now.size = size;
	cache->next.size = size;
	cache_shape(cache, array, block);
	cache_lines_prepare(&cache->lines, size);
	cache_end_barrier();
	cache->shown.is_direct = cache_all_reach() && policy == HEDDLE_CACHE_ARBITRARY;
	if (!cache->shown.is_direct)
		cache->area = cache_take_area(cache_slot_size(chunk, size));
	return &cache->shown;
}

/* The elements of a thread's part have numbers of 31 bits. */
static void cache_check_place(const struct cache *cache, struct heddle_cache_place place, size_t index)
{
	if (place.local >= CACHE_RUN || index > SIZE_MAX / 2)
		cache_fail("index %ld is out of range: at most %lu elements of each thread, none negative", (long)index,
			(unsigned long)CACHE_RUN);
	(void)cache;
}

static void cache_check_size(const struct cache *cache, size_t size)
{
	if (size != cache->shown.size)
		cache_fail("a value of %lu bytes, but the array's elements have %lu: use a variable of the same type",
			(unsigned long)size, (unsigned long)cache->shown.size);
}

static struct cache_element *cache_add(
	struct cache *cache, struct cache_table *table, size_t index, struct heddle_cache_place place)
{
	struct cache_element *element;
	cache_check_place(cache, place, index);
	heddle_cache_length(&cache->shown, index + 1);
	element = cache_table_add(table, index, (uint32_t)place.owner, (uint32_t)place.local);
	return cache_memory(element, table->size);
}

void heddle_cache_hint_remote(heddle_cache_t *shown, size_t index, struct heddle_cache_place place)
{
	struct cache *cache = (struct cache *)shown;
	if (cache->reach[place.owner])
		return;
	if (cache->started[CACHE_DOWNLOAD])
		cache_fail("heddle_cache_hint: called between start_download and finish_download");
	if (cache_table_find(&cache->next, index) == CACHE_NONE)
		cache_add(cache, &cache->next, index, place);
}

/* Returns the value of an element that a message brings. */
static const void *cache_bring(struct cache *cache, size_t index, struct heddle_cache_place place)
{
	const char *value;
	char *own;
	cache_check_place(cache, place, index);
	heddle_cache_length(&cache->shown, index + 1);
	cache->counts.misses++;
	cache->counts.messages++;
	value = cache_lines_bring(cache, place);
	if (value)
		return value;
	cache_add(cache, &cache->now, index, place);
	own = cache_table_value(&cache->now, (uint32_t)(cache->now.count - 1));
	upc_memget(own, cache->parts[place.owner] + place.local * cache->shown.size, cache->shown.size);
	cache->counts.bytes += cache->shown.size;
	return own;
}

/* Does a get that waits for a message. */
static const void *cache_miss(
	struct cache *cache, size_t index, struct heddle_cache_place place, const char *file, int line)
{
	uint64_t before = cache->counts.bytes;
	const void *value = cache_bring(cache, index, place);
	CACHE_EVENT(GASP_UPC_CACHE_MISS, file, line, cache->shown.size, (size_t)(cache->counts.bytes - before));
	(void)before;
	return value;
}

/* Records the block around a directly reachable element, for the next gets. */
static void cache_remember(struct heddle_cache *shown, size_t index, struct heddle_cache_place place)
{
	struct heddle_cache_span *span = &shown->spans[index >> shown->span_shift & (HEDDLE_CACHE_SPANS - 1)];
	size_t before = shown->block == 0 ? index : place.local % shown->block;
	/* The array may begin inside of a block. */
	before = before > index ? index : before;
	span->from = index - before;
	span->count = shown->block == 0 ? SIZE_MAX / 2 : shown->block - place.local % shown->block + before;
	span->values = shown->get_from[place.owner] + (place.local - before) * shown->size;
	shown->last = *span;
}

static void cache_forget(struct heddle_cache *shown)
{
	shown->last.count = 0;
	for (int i = 0; i < HEDDLE_CACHE_SPANS; i++)
		shown->spans[i].count = 0;
}

const void *heddle_cache_find_at(heddle_cache_t *shown, size_t index, size_t size, const char *file, int line)
{
	struct cache *cache = (struct cache *)shown;
	struct heddle_cache_place place = heddle_cache_locate(shown, index);
	const char *value;
	uint32_t number;
	cache_check_size(cache, size);
	if (shown->get_from[place.owner]) {
		if (shown->block != 1)
			cache_remember(shown, index, place);
		return shown->get_from[place.owner] + place.local * size;
	}
	number = cache_table_find(&cache->now, index);
	value = number != CACHE_NONE ? cache_table_value(&cache->now, number) : NULL;
	if (cache->reach[place.owner])
		return value ? value : cache->reach[place.owner] + place.local * size;
	if (!value)
		value = cache_lines_find(cache, place);
	if (!value)
		return cache_miss(cache, index, place, file, line);
	CACHE_EVENT(GASP_UPC_CACHE_HIT, file, line, size);
	return value;
}

void heddle_cache_store_remote(
	heddle_cache_t *shown, size_t index, struct heddle_cache_place place, const void *value, size_t size)
{
	struct cache *cache = (struct cache *)shown;
	struct cache_element *element;
	uint32_t number;
	cache_check_size(cache, size);
	number = cache_table_find(&cache->now, index);
	if (number == CACHE_NONE) {
		cache_add(cache, &cache->now, index, place);
		number = (uint32_t)(cache->now.count - 1);
	}
	element = &cache->now.elements[number];
	cache->order += cache->order != UINT32_MAX;
	if (!element->dirty) {
		element->dirty = 1;
		element->order = cache->order;
		cache->counts.puts++;
	}
	cache_copy(cache_table_value(&cache->now, number), value, size);
	/* From now on, gets must search the table first. */
	if (cache->reach[place.owner] && shown->get_from != cache->nothing) {
		shown->get_from = cache->nothing;
		cache_forget(shown);
	}
}

void heddle_cache_start_download(heddle_cache_t *shown)
{
	struct cache *cache = (struct cache *)shown;
	cache_start(cache, CACHE_DOWNLOAD, "heddle_cache_start_download");
	if (cache->shown.is_direct)
		return;
	cache_list(cache, &cache->downloads, &cache->next, 0);
	cache_buffer_reserve(&cache->area->replies, cache->next.count * cache->shown.size);
	cache->counts.hints += cache->next.count;
	cache_send_all(cache, CACHE_DOWNLOAD, &cache->next, &cache->downloads);
	upc_barrier;
	cache_answer_all(cache);
	cache_notify();
}

/* Copies elements that were put in this tile to the next tile. */
static void cache_keep_puts(struct cache *cache, struct cache_table *now, struct cache_table *next)
{
	for (size_t i = 0; i < now->count; i++) {
		const struct cache_element *from = &now->elements[i];
		struct heddle_cache_place place = {from->owner, from->local};
		uint32_t number;

		if (!from->dirty)
			continue;
		number = cache_table_find(next, from->index);
		if (number == CACHE_NONE) {
			cache_add(cache, next, (size_t)from->index, place);
			number = (uint32_t)(next->count - 1);
		}
		next->elements[number].dirty = 1;
		next->elements[number].own = 1;
		next->elements[number].order = from->order;
		cache_copy(cache_table_value(next, number), cache_table_value(now, (uint32_t)i), next->size);
	}
}

/* Reports that the cache's elements are dropped, of which WRITTEN were sent to their owners. */
static void cache_report_emptied(const struct cache *cache, size_t elements, size_t written)
{
	if (elements + cache->lines.count != 0)
		CACHE_EVENT(GASP_UPC_CACHE_INVALIDATE, NULL, 0, written);
	(void)written;
}

void heddle_cache_finish_download(heddle_cache_t *shown)
{
	struct cache *cache = (struct cache *)shown;
	struct cache_table now = cache->now;
	size_t brought, size = cache->shown.size;
	cache_finish(cache, CACHE_DOWNLOAD, "heddle_cache_finish_download");
	if (cache->shown.is_direct)
		return;
	brought = cache->downloads.starts[shown->threads];
	cache_keep_puts(cache, &now, &cache->next);
	for (size_t i = 0; i < brought; i++) {
		uint32_t number = cache->downloads.numbers[i];

		if (!cache->next.elements[number].own)
			cache_copy(cache_table_value(&cache->next, number), cache->area->replies.at + i * size, size);
	}
	cache_report_emptied(cache, now.count, 0);
	cache_table_remove_all(&now);
	cache_lines_remove_all(&cache->lines);
	cache->now = cache->next;
	cache->now.cursor = 0;
	cache->next = now;
}

void heddle_cache_start_upload(heddle_cache_t *shown)
{
	struct cache *cache = (struct cache *)shown;
	cache_start(cache, CACHE_UPLOAD, "heddle_cache_start_upload");
	if (cache->shown.is_direct) {
		upc_fence;
		return;
	}
	cache_list(cache, &cache->uploads, &cache->now, 1);
	cache->own = cache_send_all(cache, CACHE_UPLOAD, &cache->now, &cache->uploads);
	cache_notify();
}

/*
 * Values that this thread put since a download was started replace those that it brings. Others that were put are kept,
 * too: until the next barrier, the owner may not have written them. Returns whether gets must search the table first.
 */
static int cache_overlay(struct cache *cache)
{
	int look = 0;
	for (size_t i = 0; i < cache->now.count; i++) {
		const struct cache_element *from = &cache->now.elements[i];
		struct heddle_cache_place place = {from->owner, from->local};
		uint32_t number;
		if (!from->dirty)
			continue;
		number = cache_table_find(&cache->next, from->index);
		if (number == CACHE_NONE) {
			cache_add(cache, &cache->next, (size_t)from->index, place);
			number = (uint32_t)(cache->next.count - 1);
		}
		cache->next.elements[number].own = 1;
		cache_copy(cache_table_value(&cache->next, number), cache_table_value(&cache->now, (uint32_t)i),
			cache->shown.size);
		look |= cache->reach[from->owner] && from->owner != (uint32_t)MYTHREAD;
	}
	return look;
}

void heddle_cache_finish_upload(heddle_cache_t *shown)
{
	struct cache *cache = (struct cache *)shown;
	int look;
	cache_finish(cache, CACHE_UPLOAD, "heddle_cache_finish_upload");
	if (cache->shown.is_direct)
		return;
	cache_apply_all(cache, cache->own);
	look = cache->started[CACHE_DOWNLOAD] && cache_overlay(cache);
	cache_report_emptied(cache, cache->now.count, cache->uploads.starts[shown->threads]);
	cache_table_remove_all(&cache->now);
	cache_lines_remove_all(&cache->lines);
	cache->order = 0;
	shown->get_from = look ? cache->nothing : cache->reach;
}

static void cache_free(struct cache *cache)
{
	cache_table_free(&cache->now);
	cache_table_free(&cache->next);
	cache_lines_free(&cache->lines);
	free(cache->downloads.numbers);
	free(cache->downloads.starts);
	free(cache->uploads.numbers);
	free(cache->uploads.starts);
	free(cache->scratch);
	free(cache->parts);
	free(cache->reach);
	free(cache->nothing);
	free(cache);
}

void heddle_cache_close(heddle_cache_t *shown)
{
	struct cache *cache = (struct cache *)shown;
	size_t left = 0;
	if (cache->started[CACHE_DOWNLOAD])
		heddle_cache_finish_download(shown);
	if (cache->started[CACHE_UPLOAD])
		heddle_cache_finish_upload(shown);
	for (size_t i = 0; i < cache->now.count; i++)
		left += cache->now.elements[i].dirty;
	if (left != 0)
		cache_fail("heddle_cache_close: %lu elements were put and not uploaded: call heddle_cache_start_upload",
			(unsigned long)left);
	if (cache->area) {
		cache->area->next = cache_free_areas;
		cache_free_areas = cache->area;
	}
	cache_free(cache);
}

struct heddle_cache_counts heddle_cache_count(const heddle_cache_t *cache)
{
	return ((const struct cache *)cache)->counts;
}
