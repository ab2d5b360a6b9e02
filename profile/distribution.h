/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What values the arguments of events had: one distribution for each (node, argument, description), in a set that adds
 * up those of many threads and processes.
 */
#ifndef HEDDLE_PROFILE_DISTRIBUTION_H
#define HEDDLE_PROFILE_DISTRIBUTION_H

#include "format/ids.h"

#include <stddef.h>
#include <stdint.h>

/* Argument 0: sizes of accesses, with buckets; a description has no more conversions than that. */
#define HEDDLE_ARGUMENT_LIMIT 1000

struct heddle_distribution {
	uint32_t node, argument;
	uint32_t text; /* index into the tree's strings + 1; 0: none */
	uint64_t count;
	double minimum, maximum, sum;
	double rest;       /* what rounding took from the sum: so it is the same in any order */
	uint64_t *buckets; /* HEDDLE_SIZE_BUCKETS of them; NULL: none */
};

struct heddle_distributions {
	struct heddle_distribution *items;
	size_t count, capacity;
	uint32_t *table; /* index into items + 1; 0: free */
	size_t table_size;
};

/* Adds one up with that of the same node, argument and text; copies its buckets. 0 or -ENOMEM. */
int heddle__distributions_add(struct heddle_distributions *set, const struct heddle_distribution *more);

/* By node, description and argument, for heddle__distributions_of; nothing may be added afterwards. */
void heddle__distributions_sort(struct heddle_distributions *set);

/* Those of a node, *count of them side by side; NULL: none. */
const struct heddle_distribution *heddle__distributions_of(
	const struct heddle_distributions *set, uint32_t node, size_t *count);
void heddle__distributions_free(struct heddle_distributions *set);

#endif
