/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of the arguments of events: one distribution for each (node, argument, description), in a set that adds up the
 * distributions of many threads and processes.
 */
#ifndef HEDDLE_PROFILE_DISTRIBUTION_H
#define HEDDLE_PROFILE_DISTRIBUTION_H

#include "format/ids.h"
#include "profile/base/index.h"

#include <stddef.h>
#include <stdint.h>

/* The highest number of an argument: descriptions have no more conversions. Argument 0: access sizes, with buckets. */
#define HEDDLE_ARGUMENT_LIMIT 1000

struct profile_distribution {
	uint32_t node, argument;
	uint32_t text; /* index into the tree's strings + 1; 0: none */
	uint64_t count;
	double minimum, maximum, sum;
	double rest;       /* rounding error of `sum`, kept so that the result does not depend on the order of adding */
	uint64_t *buckets; /* HEDDLE_SIZE_BUCKETS of them; NULL: none */
};

struct profile_distributions {
	struct profile_distribution *items;
	size_t count, capacity;
	struct profile_index index; /* empty in a sorted set */
};

/* Adds a distribution to that of the same node, argument and text. Copies its buckets. Returns 0 or -ENOMEM. */
int profile_distributions_add(struct profile_distributions *set, const struct profile_distribution *more);

/* Sorts by node, description and argument, for profile_distributions_of. Nothing may be added afterwards. */
void profile_distributions_sort(struct profile_distributions *set);

/* Returns the distributions of a node, *count elements in a row; NULL: none. */
const struct profile_distribution *profile_distributions_of(
	const struct profile_distributions *set, uint32_t node, size_t *count);
void profile_distributions_free(struct profile_distributions *set);

#endif
