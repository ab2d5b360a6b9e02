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

struct wanted {
	const void *bytes;
	size_t length;
};

static uint64_t hash_of(const void *owner, uint32_t number)
{
	const struct profile_intern *table = owner;
	return profile_hash_bytes(table->texts[number], table->lengths[number]);
}

static bool is_equal(const void *owner, uint32_t number, const void *key)
{
	const struct profile_intern *table = owner;
	const struct wanted *wanted = key;
	return table->lengths[number] == wanted->length &&
	       memcmp(table->texts[number], wanted->bytes, wanted->length) == 0;
}

static const struct profile_index_kind kind = {hash_of, is_equal, 64};

static uint32_t add_text(struct profile_intern *table, uint32_t *bucket, const void *bytes, size_t length)
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
	profile_index_put(&table->index, bucket, (uint32_t)table->count);
	return (uint32_t)table->count++;
}

uint32_t profile_intern_bytes(struct profile_intern *table, const void *bytes, size_t length)
{
	struct wanted wanted = {bytes, length};
	uint32_t *bucket =
		profile_index_bucket(&table->index, &kind, table, &wanted, profile_hash_bytes(bytes, length));
	if (!bucket)
		return HEDDLE_INTERN_NONE;
	return *bucket ? *bucket - 1 : add_text(table, bucket, bytes, length);
}

uint32_t profile_intern_find(const struct profile_intern *table, const void *bytes, size_t length)
{
	struct wanted wanted = {bytes, length};
	return profile_index_find(&table->index, &kind, table, &wanted, profile_hash_bytes(bytes, length));
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
	profile_index_free(&table->index);
	*table = (struct profile_intern){0};
}
