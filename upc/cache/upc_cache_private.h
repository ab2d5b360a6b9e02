/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the cache share: its state on one thread, errors, buffers in shared memory. UPC. */
#ifndef HEDDLE_UPC_CACHE_PRIVATE_H
#define HEDDLE_UPC_CACHE_PRIVATE_H

#include <stdarg.h>
#include <stdio.h>
#include <upc_relaxed.h>

#include <heddle/upc_cache.h>

#include "upc_cache_table.h"

/*
 * Events of GASP 1.5, table 9, at a place in the program. The library is compiled a second time for programs with
 * --inst; in that version, the bundled run-time system sends the events. Otherwise there are none.
 */
#ifdef CACHE_EVENTS
#include <heddle/gasp_upc.h>
#include <heddle/pupc.h>
#define CACHE_EVENT(event, file, line, ...) hupc_event(GASP_ATOMIC, (file), (line), (event), __VA_ARGS__)
#else
#define CACHE_EVENT(event, file, line, ...) ((void)(file), (void)(line))
#endif

typedef shared[] char *cache_shared_t; /* bytes of one thread */

enum cache_kind { CACHE_DOWNLOAD, CACHE_UPLOAD, CACHE_KINDS };

/* Shared memory of this thread, which grows on demand. */
struct cache_buffer {
	cache_shared_t shared_at;
	char *at;
	size_t size;
};

/*
 * Slots in which threads write messages for each other: each thread has one for each other thread, kind, and parity of
 * the exchange. A slot is written again two exchanges later, after a barrier, so its reader has finished.
 */
struct cache_area {
	struct cache_area *next;
	shared char *base;
	size_t slot;                  /* bytes */
	uint64_t serial[CACHE_KINDS]; /* of the last exchange; the same on all threads */
	/* This thread's messages. Readers may still read from that of the previous exchange. */
	struct cache_buffer outbox[CACHE_KINDS][2];
	struct cache_buffer replies;
};

/* The elements that this thread sends in an exchange: their numbers, by owner. */
struct cache_lists {
	uint32_t *numbers;
	size_t room;
	size_t *starts; /* for each owner, and the end */
};

/* A part of a line: elements that were brought by one message. */
struct cache_granule {
	char *values; /* of the element `from` */
	uint32_t from, to;
	int used;
};

struct cache_lines {
	struct cache_map map; /* from owner and number of the granule on it to the number in `granules` */
	struct cache_granule *granules;
	size_t count, room;
	char **blocks; /* to be freed */
	size_t block_count, block_room;
	size_t bytes;
	size_t granule;         /* elements */
	size_t length, longest; /* of a line, in granules */
	unsigned int misses;    /* since the length was adapted, and: */
	size_t brought, used;   /* granules */
};

struct cache {
	struct heddle_cache shown; /* first */
	enum heddle_cache_policy policy;
	size_t lower;          /* place of index 0, as `first` */
	cache_shared_t *parts; /* each thread's part of the array: of the element with the local number 0 */
	char **reach;          /* the same as private pointers; NULL: not reachable */
	char **nothing;        /* NULLs */
	struct cache_table now, next;
	struct cache_lines lines;
	struct cache_lists downloads, uploads;
	const char *own; /* the upload for this thread itself */
	struct cache_area *area;
	char *scratch;
	size_t scratch_size;
	uint32_t order; /* puts in this tile */
	int started[CACHE_KINDS];
	struct heddle_cache_counts counts;
};

static void cache_fail(const char *format, ...)
{
	char text[200];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fprintf(stderr, "heddle_cache: thread %d: %s\n", MYTHREAD, text);
	fflush(stderr);
	upc_global_exit(1);
}

static void *cache_memory(void *memory, size_t size)
{
	if (!memory && size != 0)
		cache_fail("no memory for %lu bytes: use smaller tiles", (unsigned long)size);
	return memory;
}

static void *cache_allocate(size_t count, size_t size)
{
	return cache_memory(calloc(count, size), count * size);
}

/* At least SIZE bytes; the contents are lost. */
static char *cache_scratch(struct cache *cache, size_t size)
{
	if (size > cache->scratch_size) {
		free(cache->scratch);
		cache->scratch = cache_memory(malloc(size + size / 2), size);
		cache->scratch_size = size + size / 2;
	}
	return cache->scratch;
}

static void cache_buffer_free(struct cache_buffer *buffer)
{
	if (buffer->size != 0)
		upc_free(buffer->shared_at);
	buffer->size = 0;
}

/* At least SIZE bytes; the contents are lost. */
static void cache_buffer_reserve(struct cache_buffer *buffer, size_t size)
{
	if (size <= buffer->size)
		return;
	cache_buffer_free(buffer);
	size += size / 2;
	buffer->shared_at = (cache_shared_t)upc_alloc(size);
	if (!buffer->shared_at)
		cache_fail("no shared memory for %lu bytes: use smaller tiles", (unsigned long)size);
	buffer->at = (char *)buffer->shared_at;
	buffer->size = size;
}

#endif
