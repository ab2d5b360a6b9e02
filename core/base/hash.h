/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hash of a word, for tables in the measured process. One multiplication, no call, as each event and sample uses it.
 * Not for numbers that are stored in files.
 */
#ifndef HEDDLE_CORE_HASH_H
#define HEDDLE_CORE_HASH_H

#include <stdint.h>

/*
 * Multiplication by 2^64 divided by the golden ratio. A bit of the result depends only on bits of `value` up to its own
 * position: use the upper ones, `heddle__hash(value) >> (64 - bits)`. Context: any thread, signal.
 */
static inline uint64_t heddle__hash(uint64_t value)
{
	return value * 0x9e3779b97f4a7c15u;
}

#endif
