/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one thread's accesses of a loop to a variable look like, in bounded memory: how many, to how many different
 * elements in each execution of the loop, in which strides. It is for what caching or coalescing these accesses would
 * save. It must not allocate, read a clock, or know what a loop or a variable is.
 */
#ifndef HEDDLE_CORE_ACCESS_SKETCH_H
#define HEDDLE_CORE_ACCESS_SKETCH_H

#include "core/base/element_sample.h"

/*
 * The number of an element: the UPC thread that it has affinity to, and its address there. The difference of two such
 * numbers is a stride. It holds both differences, so that no block size is needed here.
 */
#define HEDDLE_ELEMENT_ADDRESS_BITS 48
static inline uint64_t heddle__element_of(uint32_t owner, uint64_t address)
{
	return (uint64_t)owner << HEDDLE_ELEMENT_ADDRESS_BITS |
	       (address & (((uint64_t)1 << HEDDLE_ELEMENT_ADDRESS_BITS) - 1));
}

#define HEDDLE_STRIDES 4

/* A candidate for a frequent stride. */
struct heddle_stride {
	int64_t distance; /* of elements' numbers */
	uint64_t count;   /* at most the true number, and at least that less accesses / (HEDDLE_STRIDES + 1) */
};

/* Sums over the executions of the loop that have ended. */
struct heddle_sketch_sums {
	uint64_t executions;                 /* with at least one access */
	struct heddle_element_counts counts; /* different elements in each execution, added up */
	uint64_t most;                       /* different elements in one execution */
};

/* A zeroed struct is a sketch without accesses. */
struct heddle_access_sketch {
	uint64_t reads, writes;
	uint64_t runs; /* parts in which each access is beside the one before it: on its thread, or on the next */
	uint64_t last; /* element of the last access */
	struct heddle_stride strides[HEDDLE_STRIDES];
	struct heddle_sketch_sums ended;
	struct heddle_element_sample elements; /* of this execution */
};

/* Count the stride in none of the candidates. Context: owner thread. */
void heddle__sketch_other_stride(struct heddle_access_sketch *sketch, int64_t distance);

/* Whether the second is beside the first in the memory of its thread, or at such an address of another thread. */
static inline bool heddle__elements_adjoin(uint64_t first, uint64_t second, uint64_t size)
{
	/* The difference of the addresses, modulo 2^48, is at most `size` either way. */
	return ((second - first + size) << (64 - HEDDLE_ELEMENT_ADDRESS_BITS)) <=
	       (2 * size) << (64 - HEDDLE_ELEMENT_ADDRESS_BITS);
}

/* Count an access of `size` bytes to an element. Context: owner thread, inside. */
static inline void heddle__sketch_access(
	struct heddle_access_sketch *sketch, uint64_t element, uint64_t size, enum heddle_element_use use)
{
	uint64_t last = sketch->last;
	int64_t distance = (int64_t)(element - last);
	sketch->last = element;
	if (use == HEDDLE_ELEMENT_READ)
		sketch->reads++;
	else
		sketch->writes++;
	sketch->runs += !heddle__elements_adjoin(last, element, size);
	if (sketch->strides[0].distance == distance && sketch->strides[0].count)
		sketch->strides[0].count++;
	else
		heddle__sketch_other_stride(sketch, distance);
	heddle__sample_add(&sketch->elements, element, use);
}

/* The loop ended: the next access is of another execution. Context: owner thread, inside. */
void heddle__sketch_end_execution(struct heddle_access_sketch *sketch);

/* The sums, with the execution that has not ended yet. Context: owner thread; any thread, when frozen. */
struct heddle_sketch_sums heddle__sketch_sums(const struct heddle_access_sketch *sketch);

#endif
