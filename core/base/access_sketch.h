/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one thread's accesses of a loop to a variable look like, in bounded memory: how many, to how many different
 * elements, in which order. It is for what caching or coalescing these accesses would save. It must not allocate, read
 * a clock, or know what a loop or a variable is.
 */
#ifndef HEDDLE_CORE_ACCESS_SKETCH_H
#define HEDDLE_CORE_ACCESS_SKETCH_H

#include "core/base/element_sample.h"
#include "core/base/hash.h"

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

#define HEDDLE_DISTANCES 4

/* One execution of the loop. */
struct heddle_sketch_summary {
	uint64_t reads, writes;
	uint64_t runs;    /* parts in which each access is beside the one before it: on its thread, or on another */
	uint64_t regular; /* accesses in the same stride as the one before */
	/* `runs` by distance in memory, in elements: below 8, below 64, below 512, more. */
	uint64_t distances[HEDDLE_DISTANCES];
	/* Distinct elements, within the error that element_sample.h states. */
	struct heddle_element_counts elements;
	uint64_t lines; /* 4-KiB parts of a thread's memory */
};

/* What a software cache brings at once, about. */
#define HEDDLE_LINE_BITS 12
#define HEDDLE_RECENT_LINES 128

/* A zeroed struct is a sketch without accesses. */
struct heddle_access_sketch {
	struct heddle_sketch_summary summary; /* of this execution, without the last two */
	uint64_t last, stride;                /* element of the last access; its difference to the one before */
	uint64_t recent[HEDDLE_RECENT_LINES]; /* lines that are in their sample, + 1, by hash */
	struct heddle_element_sample elements, lines;
};

/* Bytes between the addresses of two elements, either way, whichever threads they belong to. */
static inline uint64_t heddle__elements_distance(uint64_t first, uint64_t second)
{
	int64_t difference = (int64_t)((second - first) << (64 - HEDDLE_ELEMENT_ADDRESS_BITS));
	return (uint64_t)(difference < 0 ? -difference : difference) >> (64 - HEDDLE_ELEMENT_ADDRESS_BITS);
}

/* The class of a distance of more than an element. */
static inline unsigned int heddle__distance_class(uint64_t distance, uint64_t size)
{
	return (distance >= 8 * size) + (distance >= 64 * size) + (distance >= 512 * size);
}

/* True if nothing was accessed in this execution of the loop. Context: owner thread. */
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

/* The loop ended: the next access is of another execution. Context: owner thread, inside. */
struct heddle_sketch_summary heddle__sketch_end_execution(struct heddle_access_sketch *sketch);

#endif
