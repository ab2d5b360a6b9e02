/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table of pointers by pairs of numbers, from which entries can be removed. Not thread-safe. */
#ifndef HEDDLE_PROFILE_TRACE_TABLE_H
#define HEDDLE_PROFILE_TRACE_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct profile_trace_slot {
	uint64_t first, second;
	void *value; /* NULL: free */
};

/* An empty table is all zeros. */
struct profile_trace_table {
	struct profile_trace_slot *slots; /* size: a power of two */
	size_t size, count;
};

/* Returns the value of a key; NULL: none. */
void *profile_trace_table_find(const struct profile_trace_table *table, uint64_t first, uint64_t second);

/* Returns the slot of a key's value, which may be replaced; valid until the table changes. NULL: no such key. */
void **profile_trace_table_at(const struct profile_trace_table *table, uint64_t first, uint64_t second);

/* Adds a value under a new key. Returns 0 or -ENOMEM. */
int profile_trace_table_add(struct profile_trace_table *table, uint64_t first, uint64_t second, void *value);

/* Returns the value of a key, or `size` zero bytes if there is none, which free() releases; NULL: no memory. */
void *profile_trace_table_make(struct profile_trace_table *table, uint64_t first, uint64_t second, size_t size);

/* Removes and returns a value; NULL: there is none. */
void *profile_trace_table_take(struct profile_trace_table *table, uint64_t first, uint64_t second);

/* Removes and returns any value; NULL: there is none, and the table's memory has been freed. */
void *profile_trace_table_drain(struct profile_trace_table *table);

#endif
