/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Estimates in bounded memory how many different elements were accessed, by a sample of them. An element is in the
 * sample if its hash is below a limit, which is halved whenever the sample is full. So membership depends on the
 * element alone. Up to HEDDLE_SAMPLE_FULL - 1 elements are all in the sample, and counts are exact. Beyond that, the
 * standard error is 1 / sqrt(HEDDLE_SAMPLE_FULL / 2), 2.6 %. The hash is a permutation, so no two elements have the
 * same hash, whatever the pattern. A program could choose its elements so that the estimate is wrong.
 *
 * The memory belongs to the caller, who zeroes it; nothing is allocated. One thread at a time may use a sample.
 */
#ifndef HEDDLE_CORE_ELEMENT_SAMPLE_H
#define HEDDLE_CORE_ELEMENT_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/likely.h"

#define HEDDLE_SAMPLE_SLOTS 8192 /* a power of two */
#define HEDDLE_SAMPLE_FULL 3072

/* Elements are numbers below 2^62. */
#define HEDDLE_ELEMENT_BITS 62
#define HEDDLE_ELEMENT_MASK (((uint64_t)1 << HEDDLE_ELEMENT_BITS) - 1)

/* What was done with an element; combined by "or". */
enum heddle_element_use { HEDDLE_ELEMENT_READ = 1, HEDDLE_ELEMENT_WRITTEN = 2 };

struct heddle_element_sample {
	uint64_t entries[HEDDLE_SAMPLE_FULL]; /* hash << 2 | uses, in the order of their first access */
	uint16_t slots[HEDDLE_SAMPLE_SLOTS];  /* open addressing by hash: number of an entry + 1, or 0 */
	uint32_t count;                       /* of entries */
	uint32_t level;                       /* hashes below 2^(62 - level) are in the sample */
};

/* Estimates of how many different elements were accessed, and of those read and written. */
struct heddle_element_counts {
	uint64_t all, read, written;
};

/*
 * Maps the numbers below 2^62 to each other one to one: xor-shifts and multiplications by odd numbers are invertible.
 * Context: any thread, signal.
 */
static inline uint64_t heddle__element_hash(uint64_t element)
{
	uint64_t value = element & HEDDLE_ELEMENT_MASK;
	value ^= value >> 31;
	value = value * UINT64_C(0x7fb5d329728ea185) & HEDDLE_ELEMENT_MASK;
	value ^= value >> 27;
	value = value * UINT64_C(0x81dadef4bc2dd44d) & HEDDLE_ELEMENT_MASK;
	return value ^ value >> 33;
}

/* Adds a use of an element whose hash is below the limit. Context: owner thread. */
void heddle__sample_insert(struct heddle_element_sample *sample, uint64_t hash, enum heddle_element_use use);

/* Adds a use of an element if it is in the sample. Context: owner thread. */
static inline void heddle__sample_add(
	struct heddle_element_sample *sample, uint64_t element, enum heddle_element_use use)
{
	uint64_t hash = heddle__element_hash(element);
	if (hash >> (HEDDLE_ELEMENT_BITS - sample->level) == 0)
		heddle__sample_insert(sample, hash, use);
}

/* Context: owner thread; any thread, when frozen. */
struct heddle_element_counts heddle__sample_estimate(const struct heddle_element_sample *sample);

/* Removes all elements, at a cost proportional to their number. Context: owner thread. */
void heddle__sample_clear(struct heddle_element_sample *sample);

#endif
