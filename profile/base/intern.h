/* SPDX-License-Identifier: BSD-3-Clause */
/* Interned strings: equal strings get one number (0, 1, 2, ...) and one address that stays valid. Not thread-safe. */
#ifndef HEDDLE_PROFILE_INTERN_H
#define HEDDLE_PROFILE_INTERN_H

#include "profile/base/index.h"

#include <stddef.h>
#include <stdint.h>

#define HEDDLE_INTERN_NONE UINT32_MAX

struct profile_intern {
	char **texts;
	size_t *lengths;
	size_t count, capacity;
	struct profile_index index;
	struct profile_intern_block *blocks;
};

/* Returns the number of a string of `length` bytes (NULs allowed), added when new; HEDDLE_INTERN_NONE: no memory. */
uint32_t profile_intern_bytes(struct profile_intern *table, const void *bytes, size_t length);
uint32_t profile_intern(struct profile_intern *table, const char *text);

/* Returns the number of a string; HEDDLE_INTERN_NONE: it is not in the table. */
uint32_t profile_intern_find(const struct profile_intern *table, const void *bytes, size_t length);

/* Like profile_intern, but returns the interned string; NULL: no memory. */
const char *profile_intern_text(struct profile_intern *table, const char *text);
void profile_intern_free(struct profile_intern *table);

/* A 64-bit hash of bytes, and one step that mixes a word into a hash. */
uint64_t profile_hash_bytes(const void *bytes, size_t length);
static inline uint64_t profile_hash_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

/*
 * A hash of two numbers that may grow together, as the numbers of a node and its label do along a path. Mixing the
 * second directly into the first would cancel the same bits in all such pairs, and make their table one long chain.
 */
static inline uint64_t profile_hash_pair(uint64_t first, uint64_t second)
{
	return profile_hash_mix(profile_hash_mix(0, first), second);
}

/* Makes room for `need` elements of `size` bytes in *array. New elements are zeroed. Returns 0 or -ENOMEM. */
int profile_reserve(void *array, size_t *capacity, size_t need, size_t size);

#endif
