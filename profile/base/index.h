/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hash table of the numbers of items that its owner stores in an array. Used for items that are found by their
 * contents: interned text, nodes of trees, paths, sites. Items are added, never removed. Not thread-safe.
 *
 *	uint32_t *bucket = profile_index_bucket(&set->index, &kind, set, &wanted, hash_of(&wanted));
 *	if (!bucket)
 *		return -ENOMEM;
 *	if (*bucket)
 *		return *bucket - 1;        the number of the item that is there
 *	...                                add it as number N
 *	profile_index_put(&set->index, bucket, N);
 */
#ifndef HEDDLE_PROFILE_INDEX_H
#define HEDDLE_PROFILE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An empty index is all zeros. */
struct profile_index {
	uint32_t *buckets; /* number + 1; 0: free; `size` is a power of two */
	size_t size, count;
};

/* How the items of an owner are hashed and compared with a wanted item. */
struct profile_index_kind {
	uint64_t (*hash)(const void *owner, uint32_t number);
	bool (*is)(const void *owner, uint32_t number, const void *wanted);
	size_t first_size; /* a power of two */
};

/* Makes room for one more item. Returns 0 or -ENOMEM. */
int profile_index_grow(struct profile_index *index, const struct profile_index_kind *kind, const void *owner);

void profile_index_free(struct profile_index *index);

/* Removes all numbers, but keeps the memory. */
void profile_index_clear(struct profile_index *index);

/* Returns the bucket of an item, or the free bucket where it belongs. There must be at least one free bucket. */
static inline uint32_t *profile_index_at(const struct profile_index *index, const struct profile_index_kind *kind,
	const void *owner, const void *wanted, uint64_t hash)
{
	size_t at = hash & (index->size - 1);
	while (index->buckets[at] && !kind->is(owner, index->buckets[at] - 1, wanted))
		at = (at + 1) & (index->size - 1);
	return &index->buckets[at];
}

/* Like profile_index_at, but first makes room for a new item; NULL: no memory. Valid until the next call. */
static inline uint32_t *profile_index_bucket(struct profile_index *index, const struct profile_index_kind *kind,
	const void *owner, const void *wanted, uint64_t hash)
{
	if (index->count * 2 >= index->size && profile_index_grow(index, kind, owner) != 0)
		return NULL;
	return profile_index_at(index, kind, owner, wanted, hash);
}

/* Returns the number of an item, or UINT32_MAX if it is not in the table. */
static inline uint32_t profile_index_find(const struct profile_index *index, const struct profile_index_kind *kind,
	const void *owner, const void *wanted, uint64_t hash)
{
	return index->size ? *profile_index_at(index, kind, owner, wanted, hash) - 1 : UINT32_MAX;
}

/* Stores a number in a bucket that profile_index_bucket returned. A bucket that was free adds to the count. */
static inline void profile_index_put(struct profile_index *index, uint32_t *bucket, uint32_t number)
{
	index->count += *bucket == 0;
	*bucket = number + 1;
}

#endif
