/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table that a thread fills in and the writer reads: rows that are found by a key and never moved, in the order of
 * their first use. This knows neither threads nor what rows mean.
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
	uint32_t room;   /* rows that the index is made for */
	uint32_t *index; /* open addressing: number of a row + 1; 0: free. Twice as many as rows have room */
};

/* The row of that key, added if it is not there, with zeroes; NULL: no memory. Context: owner thread, inside. */
void *heddle__row_find(struct heddle_rows *rows, const struct heddle_row_layout *layout, const void *key);

/* The row with that number; NULL: there is none. Context: any thread, signal. */
void *heddle__row_at(const struct heddle_rows *rows, const struct heddle_row_layout *layout, uint32_t number);

/* Set all but the keys to 0. Context: the child's only thread, after a fork. */
void heddle__rows_clear(struct heddle_rows *rows, const struct heddle_row_layout *layout);

#endif
