/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table of pointers by pairs of numbers, from which entries can be taken out again. Not thread-safe. */
#ifndef HEDDLE_PROFILE_TRACE_TABLE_H
#define HEDDLE_PROFILE_TRACE_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct profile_trace_slot {
	uint64_t first, second;
	void *value; /* NULL: free */
};

/* Zeroed: empty. */
struct profile_trace_table {
	struct profile_trace_slot *slots; /* size: a power of two */
	size_t size, count;
};

/* NULL: it is not there. */
void *profile_trace_table_find(const struct profile_trace_table *table, uint64_t first, uint64_t second);

/* Returns the slot of a key's value, which may be replaced; valid until the table changes. NULL: no such key. */
void **profile_trace_table_at(const struct profile_trace_table *table, uint64_t first, uint64_t second);

/* Adds a value under a key that is not there. 0 or -ENOMEM. */
int profile_trace_table_add(struct profile_trace_table *table, uint64_t first, uint64_t second, void *value);

/* The value of a key, made of `size` zero bytes if it is not there, which free() releases; NULL: no memory. */
void *profile_trace_table_make(struct profile_trace_table *table, uint64_t first, uint64_t second, size_t size);

/* Takes a value out; NULL: it is not there. */
void *profile_trace_table_take(struct profile_trace_table *table, uint64_t first, uint64_t second);

/* Any value that is left, taken out; NULL: none, and then the table has no memory any more. */
void *profile_trace_table_drain(struct profile_trace_table *table);

#endif
