/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages of an exchange: for each owner, one message with the elements that a thread requests or has put; an
 * owner's answer with values, one for each requesting thread. Messages are written into the reader's slots (struct
 * cache_area); what does not fit stays in the sender's memory, and the reader fetches it. UPC.
 */
#ifndef HEDDLE_UPC_CACHE_MESSAGES_H
#define HEDDLE_UPC_CACHE_MESSAGES_H

#include "upc_cache_private.h"

/*
 * The beginning of a message. After it: local numbers, as 32-bit words, where a run of neighbours is one word with
 * CACHE_RUN and one with their count. In an upload, then: orders, 32 bits each, if the policy is first; values.
 */
struct cache_header {
	uint64_t serial; /* of the exchange; otherwise the slot has a message of an earlier one */
	uint32_t elements, words;
	uint64_t bytes;       /* after the header */
	cache_shared_t part;  /* the reader's part of the sender's array, which may be another one than the reader's */
	cache_shared_t rest;  /* the address of all of them in the sender's memory */
	cache_shared_t reply; /* the address for the values of a download */
};

#define CACHE_RUN UINT32_C(0x80000000)

/* A message that was opened for reading. */
struct cache_message {
	struct cache_header header;
	const char *words, *orders, *values;
};

static size_t cache_align(size_t size)
{
	return (size + 15) & ~(size_t)15;
}

/* The slot for one thread's message to another in the current exchange. */
static cache_shared_t cache_slot(const struct cache *cache, enum cache_kind kind, size_t reader, size_t writer)
{
	const struct cache_area *area = cache->area;
	size_t parity = area->serial[kind] & 1, threads = cache->shown.threads;
	return (cache_shared_t)(area->base + reader) + (((size_t)kind * 2 + parity) * threads + writer) * area->slot;
}

/* Lists the table's elements by owner: all, or only dirty ones. */
static void cache_list(struct cache *cache, struct cache_lists *lists, const struct cache_table *table, int dirty)
{
	size_t threads = cache->shown.threads;
	if (!lists->starts)
		lists->starts = cache_allocate(threads + 2, sizeof(*lists->starts));
	if (table->count > lists->room) {
		free(lists->numbers);
		lists->numbers = cache_allocate(table->room, sizeof(*lists->numbers));
		lists->room = table->room;
	}
	memset(lists->starts, 0, (threads + 2) * sizeof(*lists->starts));
	for (size_t i = 0; i < table->count; i++)
		lists->starts[table->elements[i].owner + 2] += !dirty || table->elements[i].dirty;
	for (size_t owner = 2; owner < threads + 2; owner++)
		lists->starts[owner] += lists->starts[owner - 1];
	for (size_t i = 0; i < table->count; i++) {
		if (!dirty || table->elements[i].dirty)
			lists->numbers[lists->starts[table->elements[i].owner + 1]++] = (uint32_t)i;
	}
}

/* Writes the local numbers of some elements; returns the number of words written, at most the number of elements. */
static uint32_t cache_encode(char *to, const struct cache_table *table, const uint32_t *numbers, size_t count)
{
	uint32_t words = 0;
	for (size_t i = 0, run; i < count; i += run) {
		uint32_t first = table->elements[numbers[i]].local, word = first;

		run = 1;
		while (i + run < count && table->elements[numbers[i + run]].local == first + run)
			run++;
		if (run > 1) {
			uint32_t length = (uint32_t)run;

			word |= CACHE_RUN;
			memcpy(to + 4 * (words + 1), &length, 4);
		}
		memcpy(to + 4 * words, &word, 4);
		words += run > 1 ? 2 : 1;
	}
	return words;
}

/* Writes orders, if the policy needs them, and values; returns the end. */
static char *cache_encode_values(
	const struct cache *cache, char *to, const struct cache_table *table, const uint32_t *numbers, size_t count)
{
	size_t size = cache->shown.size;
	if (cache->policy == HEDDLE_CACHE_FIRST) {
		for (size_t i = 0; i < count; i++, to += 4)
			memcpy(to, &table->elements[numbers[i]].order, 4);
	}
	for (size_t i = 0; i < count; i++, to += size)
		cache_copy(to, cache_table_value(table, numbers[i]), size);
	return to;
}

/* The most bytes that messages with ELEMENTS elements in all take, one message for each thread. */
static size_t cache_messages_size(const struct cache *cache, enum cache_kind kind, size_t elements)
{
	size_t each = kind == CACHE_UPLOAD ? 4 + 4 + cache->shown.size : 4;
	return elements * each + cache->shown.threads * cache_align(sizeof(struct cache_header) + 15);
}

static void cache_send(struct cache *cache, enum cache_kind kind, size_t owner, const char *message, size_t size)
{
	size_t slot = cache->area->slot;
	if (owner == (size_t)MYTHREAD)
		return;
	upc_memput(cache_slot(cache, kind, owner, (size_t)MYTHREAD), message, size < slot ? size : slot);
	cache->counts.messages++;
	cache->counts.bytes += size;
}

/*
 * Sends each owner its list of elements of the table. Returns the address of the message for this thread itself, or
 * NULL if it is empty.
 */
static const char *cache_send_all(
	struct cache *cache, enum cache_kind kind, const struct cache_table *table, const struct cache_lists *lists)
{
	struct cache_buffer *buffer = &cache->area->outbox[kind][++cache->area->serial[kind] & 1];
	size_t threads = cache->shown.threads, at = 0;
	const char *own = NULL;
	cache_buffer_reserve(buffer, cache_messages_size(cache, kind, lists->starts[threads]));
	for (size_t owner = 0; owner < threads; owner++) {
		const uint32_t *numbers;
		size_t count = lists->starts[owner + 1] - lists->starts[owner];
		struct cache_header header = {cache->area->serial[kind], (uint32_t)count, 0, 0, NULL, NULL, NULL};
		char *start = buffer->at + at, *end = start + sizeof(header);

		if (count == 0)
			continue;
		numbers = lists->numbers + lists->starts[owner];
		header.words = cache_encode(end, table, numbers, count);
		end += 4 * (size_t)header.words;
		if (kind == CACHE_UPLOAD)
			end = cache_encode_values(cache, end, table, numbers, count);
		else
			header.reply = cache->area->replies.shared_at + lists->starts[owner] * cache->shown.size;
		header.part = cache->parts[owner];
		header.bytes = (uint64_t)(end - start) - sizeof(header);
		header.rest = buffer->shared_at + at + sizeof(header);
		memcpy(start, &header, sizeof(header));
		cache_send(cache, kind, owner, start, (size_t)(end - start));
		own = owner == (size_t)MYTHREAD ? start : own;
		at += cache_align((size_t)(end - start));
	}
	return own;
}

/* Reads the message at AT, of which AVAILABLE bytes are in the slot. Returns 0 if it is not of this exchange. */
static int cache_open_message(
	struct cache *cache, struct cache_message *message, enum cache_kind kind, const char *at, size_t available)
{
	const char *behind = at + sizeof(message->header);
	memcpy(&message->header, at, sizeof(message->header));
	if (message->header.serial != cache->area->serial[kind])
		return 0;
	if (sizeof(message->header) + message->header.bytes > available) {
		char *all = cache_scratch(cache, (size_t)message->header.bytes);

		upc_memget(all, message->header.rest, (size_t)message->header.bytes);
		behind = all;
	}
	message->words = behind;
	message->orders = behind + 4 * (size_t)message->header.words;
	message->values =
		message->orders + (cache->policy == HEDDLE_CACHE_FIRST ? 4 * (size_t)message->header.elements : 0);
	return 1;
}

/* Reads the message that another thread sent to this one. Returns 0 if there is none. */
static int cache_receive(struct cache *cache, struct cache_message *message, enum cache_kind kind, size_t writer)
{
	const char *slot = (const char *)cache_slot(cache, kind, (size_t)MYTHREAD, writer);
	return writer != (size_t)MYTHREAD && cache_open_message(cache, message, kind, slot, cache->area->slot);
}

/* Reads one run of the local numbers in a message: advances *AT, returns the run's length. */
static size_t cache_decode(const char **at, size_t *first)
{
	uint32_t word, count = 1;
	memcpy(&word, *at, 4);
	*at += 4;
	*first = word & ~CACHE_RUN;
	if (word & CACHE_RUN) {
		memcpy(&count, *at, 4);
		*at += 4;
	}
	return count;
}

/* Answers the download of one thread. */
static void cache_answer(struct cache *cache, const struct cache_message *message)
{
	const char *part = (const char *)message->header.part, *at = message->words;
	size_t size = cache->shown.size, bytes = message->header.elements * size;
	char *values = malloc(bytes), *to = values;
	cache_memory(values, bytes);
	while (at < message->orders) {
		size_t first, count = cache_decode(&at, &first);

		cache_copy(to, part + first * size, count * size);
		to += count * size;
	}
	upc_memput(message->header.reply, values, bytes);
	free(values);
	cache->counts.messages++;
	cache->counts.bytes += bytes;
}

static void cache_answer_all(struct cache *cache)
{
	size_t threads = cache->shown.threads;
	struct cache_message message;
	/* Each thread begins with another one, so that thread 0 does not get all answers at the same time. */
	for (size_t i = 1; i < threads; i++) {
		if (cache_receive(cache, &message, CACHE_DOWNLOAD, ((size_t)MYTHREAD + i) % threads))
			cache_answer(cache, &message);
	}
}

/*
 * Writes the elements of a message that this thread owns. `winners` has the addresses of those written in this
 * exchange, or is NULL.
 */
static void cache_apply(struct cache *cache, const struct cache_message *message, struct cache_table *winners)
{
	const char *at = message->words, *values = message->values, *orders = message->orders;
	size_t size = cache->shown.size;
	char *part = (char *)message->header.part;
	while (at < message->orders) {
		size_t first, count = cache_decode(&at, &first);

		if (!winners) {
			cache_copy(part + first * size, values, count * size);
			values += count * size;
			continue;
		}
		for (size_t i = 0; i < count; i++, values += size, orders += 4) {
			char *to = part + (first + i) * size;
			uint32_t order, number = cache_table_find(winners, (size_t)to);
			struct cache_element *winner = number == CACHE_NONE ? NULL : &winners->elements[number];

			memcpy(&order, orders, 4);
			if (winner && winner->order <= order)
				continue;
			if (!winner)
				winner = cache_memory(cache_table_add(winners, (size_t)to, 0, 0), sizeof(*winner));
			winner->order = order;
			cache_copy(to, values, size);
		}
	}
}

/*
 * Writes all elements that threads, including this one, have put, so that the policy's winner remains: the lowest
 * thread writes last. With FIRST, the lowest order wins, and among equals the lowest thread.
 */
static void cache_apply_all(struct cache *cache, const char *own)
{
	struct cache_table winners = {.size = 1};
	size_t threads = cache->shown.threads;
	int first = cache->policy == HEDDLE_CACHE_FIRST;
	for (size_t i = 0; i < threads; i++) {
		size_t writer = first ? i : threads - 1 - i;
		struct cache_message message;
		int there = writer == (size_t)MYTHREAD
				    ? own && cache_open_message(cache, &message, CACHE_UPLOAD, own, SIZE_MAX)
				    : cache_receive(cache, &message, CACHE_UPLOAD, writer);

		if (there)
			cache_apply(cache, &message, first ? &winners : NULL);
	}
	cache_table_free(&winners);
}

#endif
