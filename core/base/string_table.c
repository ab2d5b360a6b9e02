/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs in signal handlers. Strings that a program passes (phases, functions, files, descriptions), each stored once and
 * never freed: found through a lock-free hash table, numbered through a table of blocks.
 */
#include "core/base/string_table.h"

#include <stdatomic.h>
#include <string.h>

#include "core/base/memory.h"

#define LENGTH_LIMIT 1000u
#define BUCKETS 65536u
#define BLOCK 1024u
#define BLOCKS 1024u

struct text {
	struct text *next;
	uint32_t number;
	uint32_t hash;
	char bytes[];
};

static struct text *_Atomic buckets[BUCKETS];
static struct text *_Atomic *_Atomic blocks[BLOCKS];
static _Atomic uint32_t count;

static uint32_t hash_of(const char *text, size_t length)
{
	uint32_t hash = 2166136261u;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash ^ hash >> 15;
}

static const struct text *search(
	const struct text *at, const struct text *end, const char *text, size_t length, uint32_t hash)
{
	for (; at != end; at = at->next) {
		if (at->hash == hash && strncmp(at->bytes, text, length) == 0 && !at->bytes[length])
			return at;
	}
	return NULL;
}

static struct text *_Atomic *block_of(uint32_t number)
{
	struct text *_Atomic *block = atomic_load_explicit(&blocks[number / BLOCK], memory_order_acquire);
	if (block)
		return block;
	struct text *_Atomic *fresh = heddle__alloc(BLOCK * sizeof(*fresh));
	if (!fresh || atomic_compare_exchange_strong(&blocks[number / BLOCK], &block, fresh))
		return fresh;
	return block;
}

/* Creates a string with a new number; whether it is used is decided when it is added to the bucket. */
static struct text *make(const char *text, size_t length, uint32_t hash)
{
	struct text *made = heddle__alloc(sizeof(*made) + length + 1);
	uint32_t number = atomic_load(&count);
	if (!made)
		return NULL;
	do {
		if (number >= BLOCK * BLOCKS || !block_of(number))
			return NULL;
	} while (!atomic_compare_exchange_weak(&count, &number, number + 1));
	made->number = number;
	made->hash = hash;
	memcpy(made->bytes, text, length);
	atomic_store_explicit(&block_of(number)[number % BLOCK], made, memory_order_release);
	return made;
}

uint32_t heddle__string_known(const char *text)
{
	size_t length = strnlen(text, LENGTH_LIMIT);
	uint32_t hash = hash_of(text, length);
	struct text *head = atomic_load_explicit(&buckets[hash % BUCKETS], memory_order_acquire);
	const struct text *found = search(head, NULL, text, length, hash);
	return found ? found->number : UINT32_MAX;
}

uint32_t heddle__string_number(const char *text)
{
	size_t length = strnlen(text, LENGTH_LIMIT);
	uint32_t hash = hash_of(text, length);
	struct text *_Atomic *bucket = &buckets[hash % BUCKETS];
	struct text *head = atomic_load_explicit(bucket, memory_order_acquire);
	const struct text *found = search(head, NULL, text, length, hash);
	if (found)
		return found->number;
	struct text *made = make(text, length, hash);
	if (!made)
		return UINT32_MAX;
	for (;;) {
		struct text *seen = head;
		made->next = head;
		if (atomic_compare_exchange_strong_explicit(
			    bucket, &head, made, memory_order_release, memory_order_acquire))
			return made->number;
		found = search(head, seen, text, length, hash);
		if (found)
			return found->number; /* another thread was faster; our number is a duplicate */
	}
}

uint32_t heddle__string_count(void)
{
	return atomic_load(&count);
}

const char *heddle__string(uint32_t number)
{
	struct text *_Atomic *block =
		number < BLOCK * BLOCKS ? atomic_load_explicit(&blocks[number / BLOCK], memory_order_acquire) : NULL;
	const struct text *text = block ? atomic_load_explicit(&block[number % BLOCK], memory_order_acquire) : NULL;
	return text ? text->bytes : "";
}
