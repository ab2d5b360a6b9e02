/* SPDX-License-Identifier: BSD-3-Clause */
/* Interned strings and growing arrays: the two containers that the rest of profile/ is built on. */
#include "profile/base/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 * 1024)

struct profile_intern_block {
	struct profile_intern_block *next;
	size_t used, size;
	char bytes[];
};

int profile_reserve(void *array, size_t *capacity, size_t need, size_t size)
{
	if (need <= *capacity)
		return 0;
	size_t grown = *capacity < 8 ? 8 : *capacity + *capacity / 2;
	if (grown < need)
		grown = need;
	if (grown > SIZE_MAX / 2 / size)
		return -ENOMEM;
	void *old;
	memcpy(&old, array, sizeof(old));
	char *fresh = realloc(old, grown * size);
	if (!fresh)
		return -ENOMEM;
	memset(fresh + *capacity * size, 0, (grown - *capacity) * size);
	memcpy(array, &fresh, sizeof(fresh));
	*capacity = grown;
	return 0;
}

uint64_t profile_hash_bytes(const void *bytes, size_t length)
{
	const unsigned char *at = bytes;
	uint64_t hash = length;
	for (; length >= 8; at += 8, length -= 8) {
		uint64_t word;
		memcpy(&word, at, 8);
		hash = profile_hash_mix(hash, word);
	}
	uint64_t rest = 0;
	if (length)
		memcpy(&rest, at, length);
	return profile_hash_mix(hash, rest);
}

static char *keep(struct profile_intern *table, const void *bytes, size_t length)
{
	struct profile_intern_block *block = table->blocks;
	if (!block || block->size - block->used <= length) {
		size_t size = length + 1 > BLOCK_SIZE ? length + 1 : BLOCK_SIZE;
		block = malloc(sizeof(*block) + size);
		if (!block)
			return NULL;
		*block = (struct profile_intern_block){.next = table->blocks, .size = size};
		table->blocks = block;
	}
	char *text = block->bytes + block->used;
	if (length)
		memcpy(text, bytes, length);
	text[length] = '\0';
	block->used += length + 1;
	return text;
}

static size_t bucket_of(const struct profile_intern *table, const void *bytes, size_t length)
{
	size_t at = profile_hash_bytes(bytes, length) & (table->bucket_count - 1);
	for (; table->buckets[at]; at = (at + 1) & (table->bucket_count - 1)) {
		uint32_t number = table->buckets[at] - 1;
		if (table->lengths[number] == length && memcmp(table->texts[number], bytes, length) == 0)
			break;
	}
	return at;
}

static int rehash(struct profile_intern *table)
{
	size_t count = table->bucket_count ? table->bucket_count * 2 : 64;
	uint32_t *fresh = calloc(count, sizeof(*fresh));
	if (!fresh)
		return -ENOMEM;
	free(table->buckets);
	table->buckets = fresh;
	table->bucket_count = count;
	for (uint32_t number = 0; number < table->count; number++)
		fresh[bucket_of(table, table->texts[number], table->lengths[number])] = number + 1;
	return 0;
}

static uint32_t add(struct profile_intern *table, size_t bucket, const void *bytes, size_t length)
{
	size_t capacity = table->capacity;
	if (profile_reserve(&table->texts, &capacity, table->count + 1, sizeof(*table->texts)) != 0 ||
		profile_reserve(&table->lengths, &table->capacity, table->count + 1, sizeof(*table->lengths)) != 0)
		return HEDDLE_INTERN_NONE;
	char *text = keep(table, bytes, length);
	if (!text)
		return HEDDLE_INTERN_NONE;
	table->texts[table->count] = text;
	table->lengths[table->count] = length;
	table->buckets[bucket] = (uint32_t)++table->count;
	return (uint32_t)(table->count - 1);
}

uint32_t profile_intern_bytes(struct profile_intern *table, const void *bytes, size_t length)
{
	if (table->count * 2 >= table->bucket_count && rehash(table) != 0)
		return HEDDLE_INTERN_NONE;
	size_t bucket = bucket_of(table, bytes, length);
	return table->buckets[bucket] ? table->buckets[bucket] - 1 : add(table, bucket, bytes, length);
}

uint32_t profile_intern_find(const struct profile_intern *table, const void *bytes, size_t length)
{
	uint32_t found = table->bucket_count ? table->buckets[bucket_of(table, bytes, length)] : 0;
	return found ? found - 1 : HEDDLE_INTERN_NONE;
}

uint32_t profile_intern(struct profile_intern *table, const char *text)
{
	return profile_intern_bytes(table, text, strlen(text));
}

const char *profile_intern_text(struct profile_intern *table, const char *text)
{
	uint32_t number = profile_intern(table, text);
	return number == HEDDLE_INTERN_NONE ? NULL : table->texts[number];
}

void profile_intern_free(struct profile_intern *table)
{
	while (table->blocks) {
		struct profile_intern_block *next = table->blocks->next;
		free(table->blocks);
		table->blocks = next;
	}
	free(table->texts);
	free(table->lengths);
	free(table->buckets);
	*table = (struct profile_intern){0};
}
