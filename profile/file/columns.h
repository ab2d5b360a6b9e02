/* SPDX-License-Identifier: BSD-3-Clause */
/* What tables of a thread have in common in the file: columns of equal length, and texts that are kept once. */
#ifndef HEDDLE_PROFILE_COLUMNS_H
#define HEDDLE_PROFILE_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

struct profile_call_tree;

/* The text, at an address that is the same for equal ones and stays valid; NULL: no memory. Any thread. */
const char *profile_text_keep(const char *text);

/* The number of a string of the tree + 1, as messages have it; 0: empty, or none of its strings. */
uint32_t profile_text_number(const struct profile_call_tree *tree, const char *text);

/* Allocates columns of `rows` zeros. 0 or -ENOMEM; what was allocated is the message's. */
int profile_columns_make(
	uint32_t **const words[], size_t word_count, uint64_t **const longs[], size_t long_count, size_t rows);

#endif
