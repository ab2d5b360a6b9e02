/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table that a thread fills in and the writer reads: rows are found by a key, never moved, and stored in the order of
 * their first use. This code depends neither on threads nor on what rows mean.
 */
#ifndef HEDDLE_CORE_ROWS_H
#define HEDDLE_CORE_ROWS_H

#include <stdatomic.h>
#include <stdint.h>

#define HEDDLE_ROW_CHUNKS 20
#define HEDDLE_FIRST_ROWS 64u

/* A row begins with its key, which has no padding. Sizes in bytes, multiples of 4. */
struct heddle_row_layout {
	uint32_t size, key_size;
};

/* A zeroed struct is an empty table. */
struct heddle_rows {
	unsigned char *_Atomic chunks[HEDDLE_ROW_CHUNKS]; /* chunk k holds HEDDLE_FIRST_ROWS << k */
	_Atomic uint32_t count;
	uint32_t room;   /* number of rows that the index has space for */
	uint32_t *index; /* open addressing, 2 * `room` entries: number of a row + 1; 0: free */
};

/* Returns the row of a key, which is added with zeroes if necessary; NULL: no memory. Context: owner thread, inside. */
void *heddle__row_find(struct heddle_rows *rows, const struct heddle_row_layout *layout, const void *key);

/* The row with that number; NULL: there is none. Context: any thread, signal. */
void *heddle__row_at(const struct heddle_rows *rows, const struct heddle_row_layout *layout, uint32_t number);

/* Sets everything except the keys to 0. Context: the child's only thread, after a fork. */
void heddle__rows_clear(struct heddle_rows *rows, const struct heddle_row_layout *layout);

#endif
