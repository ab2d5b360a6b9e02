/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Summarizes one thread's accesses of a loop to a variable in bounded memory: how many there are, to how many different
 * elements, and in which order. `heddle advise` predicts from this what caching or coalescing these accesses would
 * save. This code must not allocate, read a clock, or depend on what a loop or a variable is.
 */
#ifndef HEDDLE_CORE_ACCESS_SKETCH_H
#define HEDDLE_CORE_ACCESS_SKETCH_H

#include "core/base/element_sample.h"
#include "core/base/hash.h"

/*
 * Returns the number of an element, made of the UPC thread that it has affinity to and its address there. The
 * difference of two such numbers is a stride; it contains both differences, so no block size is needed.
 */
#define HEDDLE_ELEMENT_ADDRESS_BITS 48
static inline uint64_t heddle__element_of(uint32_t owner, uint64_t address)
{
	return (uint64_t)owner << HEDDLE_ELEMENT_ADDRESS_BITS |
	       (address & (((uint64_t)1 << HEDDLE_ELEMENT_ADDRESS_BITS) - 1));
}

#define HEDDLE_DISTANCES 4

/* One execution of the loop. */
struct heddle_sketch_summary {
	uint64_t reads, writes;
	uint64_t runs;    /* sequences of accesses to adjacent elements, on the same thread or another */
	uint64_t regular; /* accesses in the same stride as the one before */
	/* `runs` by distance in memory, in elements: below 8, below 64, below 512, more. */
	uint64_t distances[HEDDLE_DISTANCES];
	/* Distinct elements, within the error that element_sample.h states. */
	struct heddle_element_counts elements;
	uint64_t lines; /* 4-KiB parts of a thread's memory */
};

/* A line is about as much memory as a software cache fetches at once. */
#define HEDDLE_LINE_BITS 12
#define HEDDLE_RECENT_LINES 128

/* A zeroed struct is a sketch without accesses. */
struct heddle_access_sketch {
	struct heddle_sketch_summary summary; /* of this execution, without `elements` and `lines` */
	uint64_t last, stride;                /* element of the last access; its difference to the one before */
	uint64_t recent[HEDDLE_RECENT_LINES]; /* lines added to `lines` recently: number + 1, by hash */
	struct heddle_element_sample elements, lines;
};

/* The distance of two elements' addresses in bytes, without sign, whichever threads they have affinity to. */
static inline uint64_t heddle__elements_distance(uint64_t first, uint64_t second)
{
	int64_t difference = (int64_t)((second - first) << (64 - HEDDLE_ELEMENT_ADDRESS_BITS));
	return (uint64_t)(difference < 0 ? -difference : difference) >> (64 - HEDDLE_ELEMENT_ADDRESS_BITS);
}

/* The index in `distances` of a distance that is greater than an element. */
static inline unsigned int heddle__distance_class(uint64_t distance, uint64_t size)
{
	return (distance >= 8 * size) + (distance >= 64 * size) + (distance >= 512 * size);
}

/* True if this execution of the loop has had no access yet. Context: owner thread. */
static inline bool heddle__sketch_is_empty(const struct heddle_access_sketch *sketch)
{
	return !sketch->elements.count;
}

/* Count an access of `size` bytes to an element. Context: owner thread, inside. */
static inline void heddle__sketch_access(
	struct heddle_access_sketch *sketch, uint64_t element, uint64_t size, enum heddle_element_use use)
{
	uint64_t last = sketch->last, stride = element - last;
	uint64_t distance = heddle__elements_distance(last, element), apart = distance > size;
	sketch->summary.runs += apart;
	sketch->summary.distances[heddle__distance_class(distance, size)] += apart;
	sketch->summary.regular += stride == sketch->stride;
	if (use == HEDDLE_ELEMENT_READ)
		sketch->summary.reads++;
	else
		sketch->summary.writes++;
	sketch->last = element;
	sketch->stride = stride;
	heddle__sample_add(&sketch->elements, element, use);
	uint64_t line = element >> HEDDLE_LINE_BITS, *recent = &sketch->recent[heddle__hash(line) >> 57];
	_Static_assert(HEDDLE_RECENT_LINES == 128, "seven bits of hash");
	if (*recent != line + 1) {
		*recent = line + 1;
		heddle__sample_add(&sketch->lines, line, use);
	}
}

/* Ends the execution: returns its summary, and empties the sketch for the next one. Context: owner thread, inside. */
struct heddle_sketch_summary heddle__sketch_end_execution(struct heddle_access_sketch *sketch);

#endif
