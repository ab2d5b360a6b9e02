/* SPDX-License-Identifier: BSD-3-Clause */
/* What a thread's tables have in common in the file: columns of equal length, and texts that are stored once. */
#ifndef HEDDLE_PROFILE_COLUMNS_H
#define HEDDLE_PROFILE_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

struct profile_call_tree;

/* Returns an interned copy of a text, at an address that stays valid; NULL: no memory. Context: any thread. */
const char *profile_text_keep(const char *text);

/* Returns the number of a string in the tree + 1, as messages store it; 0: empty, or not a string of the tree. */
uint32_t profile_text_number(const struct profile_call_tree *tree, const char *text);

/* Allocates columns of `rows` zeros, which the message owns, even after an error. Returns 0 or -ENOMEM. */
int profile_columns_make(
	uint32_t **const words[], size_t word_count, uint64_t **const longs[], size_t long_count, size_t rows);

#endif
