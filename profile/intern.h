/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings kept once: equal strings get equal numbers 0, 1, 2, ... and one address that stays valid. Not thread-safe. */
#ifndef HEDDLE_PROFILE_INTERN_H
#define HEDDLE_PROFILE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#define HEDDLE_INTERN_NONE UINT32_MAX

struct heddle_intern {
	char **texts;
	size_t *lengths;
	size_t count, capacity;
	uint32_t *buckets; /* number + 1; 0: free */
	size_t bucket_count;
	struct heddle_intern_block *blocks;
};

/* The number of a string of `length` bytes (NULs allowed), added when new; HEDDLE_INTERN_NONE: no memory. */
uint32_t heddle__intern_bytes(struct heddle_intern *table, const void *bytes, size_t length);
uint32_t heddle__intern(struct heddle_intern *table, const char *text);

/* The number of a string that is there; HEDDLE_INTERN_NONE: it is not. */
uint32_t heddle__intern_find(const struct heddle_intern *table, const void *bytes, size_t length);

/* As heddle__intern, but the kept string itself; NULL: no memory. */
const char *heddle__intern_text(struct heddle_intern *table, const char *text);
void heddle__intern_free(struct heddle_intern *table);

/* A 64-bit hash of bytes, and one step that mixes a word into a hash. */
uint64_t heddle__hash_bytes(const void *bytes, size_t length);
static inline uint64_t heddle__hash_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

/* Makes room for `need` elements of `size` bytes in *array; 0 or -ENOMEM. New room is zeroed. */
int heddle__reserve(void *array, size_t *capacity, size_t need, size_t size);

#endif
