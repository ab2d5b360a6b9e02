/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes of sizes by powers of two, as the file format counts them. Must not do more than classify one size. */
#ifndef HEDDLE_CORE_SIZE_CLASS_H
#define HEDDLE_CORE_SIZE_CLASS_H

#include <stdint.h>

#include "format/ids.h"

/* The number of bits of a size in bytes; 0 for none. Context: any thread, signal. */
static inline uint32_t heddle__size_bits(uint64_t size)
{
	return size ? ((uint32_t)__builtin_clzll(size) ^ 63u) + 1 : 0; /* one instruction and an addition */
}

/* The bucket in which a size is counted: the largest sizes share the last one. Context: any thread, signal. */
static inline uint32_t heddle__size_bucket(uint64_t size)
{
	uint32_t bits = heddle__size_bits(size);
	return bits < HEDDLE_SIZE_BUCKETS ? bits : HEDDLE_SIZE_BUCKETS - 1;
}

#endif
