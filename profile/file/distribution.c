/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of distributions: a hash table by (node, argument, description). Sums do not depend on the order of adding. */
#include "profile/file/distribution.h"

#include "profile/base/intern.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const struct profile_distribution *x = a, *y = b;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->text != y->text)
		return x->text < y->text ? -1 : 1;
	return (x->argument > y->argument) - (x->argument < y->argument);
}

static uint64_t hash_one(const struct profile_distribution *one)
{
	return profile_hash_pair((uint64_t)one->node << 32 | one->text, one->argument);
}

static uint64_t hash_of(const void *owner, uint32_t number)
{
	const struct profile_distributions *set = owner;
	return hash_one(&set->items[number]);
}

static bool is_of(const void *owner, uint32_t number, const void *wanted)
{
	const struct profile_distributions *set = owner;
	return compare(&set->items[number], wanted) == 0;
}

static const struct profile_index_kind kind = {hash_of, is_of, 64};

static struct profile_distribution *find_or_add(
	struct profile_distributions *set, const struct profile_distribution *one)
{
	uint32_t *bucket = profile_index_bucket(&set->index, &kind, set, one, hash_one(one));
	if (bucket && *bucket)
		return &set->items[*bucket - 1];
	if (!bucket || profile_reserve(&set->items, &set->capacity, set->count + 1, sizeof(*one)) != 0)
		return NULL;
	profile_index_put(&set->index, bucket, (uint32_t)set->count);
	struct profile_distribution *fresh = &set->items[set->count++];
	*fresh = (struct profile_distribution){.node = one->node,
		.argument = one->argument,
		.text = one->text,
		.minimum = one->minimum,
		.maximum = one->maximum};
	return fresh;
}

static int add_buckets(struct profile_distribution *sum, const struct profile_distribution *more)
{
	if (!more->buckets)
		return 0;
	if (!sum->buckets && !(sum->buckets = calloc(HEDDLE_SIZE_BUCKETS, sizeof(*sum->buckets))))
		return -ENOMEM;
	for (int b = 0; b < HEDDLE_SIZE_BUCKETS; b++)
		sum->buckets[b] += more->buckets[b];
	return 0;
}

/* Knuth's TwoSum: stores the rounding error of `sum + value` beside the sum. */
static void add_exactly(struct profile_distribution *sum, double value, double rest)
{
	double both = sum->sum + value, part = both - sum->sum;
	double lost = (sum->sum - (both - part)) + (value - part) + sum->rest + rest;
	sum->sum = both + lost;
	sum->rest = lost - (sum->sum - both);
	if (!isfinite(both)) {
		sum->sum = both;
		sum->rest = 0;
	}
}

int profile_distributions_add(struct profile_distributions *set, const struct profile_distribution *more)
{
	struct profile_distribution *sum = find_or_add(set, more);
	if (!sum)
		return -ENOMEM;
	sum->count += more->count;
	add_exactly(sum, more->sum, more->rest);
	if (more->minimum < sum->minimum)
		sum->minimum = more->minimum;
	if (more->maximum > sum->maximum)
		sum->maximum = more->maximum;
	return add_buckets(sum, more);
}

void profile_distributions_sort(struct profile_distributions *set)
{
	if (set->count)
		qsort(set->items, set->count, sizeof(*set->items), compare);
	profile_index_free(&set->index);
}

const struct profile_distribution *profile_distributions_of(
	const struct profile_distributions *set, uint32_t node, size_t *count)
{
	size_t low = 0, high = set->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (set->items[middle].node < node)
			low = middle + 1;
		else
			high = middle;
	}
	*count = 0;
	while (low + *count < set->count && set->items[low + *count].node == node)
		++*count;
	return *count ? &set->items[low] : NULL;
}

void profile_distributions_free(struct profile_distributions *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->items[i].buckets);
	free(set->items);
	profile_index_free(&set->index);
	*set = (struct profile_distributions){0};
}
