/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What values the arguments of events had: one distribution for each (node, argument, description), in a set that adds
 * up those of many threads and processes.
 */
#ifndef HEDDLE_PROFILE_DISTRIBUTION_H
#define HEDDLE_PROFILE_DISTRIBUTION_H

#include "format/ids.h"
#include "profile/base/index.h"

#include <stddef.h>
#include <stdint.h>

/* Argument 0: sizes of accesses, with buckets; a description has no more conversions than that. */
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
	struct profile_index index; /* not of a set that is sorted */
};

/* Adds a distribution to the one of the same node, argument and text. Copies its buckets. 0 or -ENOMEM. */
int profile_distributions_add(struct profile_distributions *set, const struct profile_distribution *more);

/* Sorts by node, description and argument, for profile_distributions_of. Nothing may be added afterwards. */
void profile_distributions_sort(struct profile_distributions *set);

/* The distributions of a node, *count of them side by side; NULL: none. */
const struct profile_distribution *profile_distributions_of(
	const struct profile_distributions *set, uint32_t node, size_t *count);
void profile_distributions_free(struct profile_distributions *set);

#endif
