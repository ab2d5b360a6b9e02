/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A set of distributions: a hash table by (node, argument, description), and sums that do not depend on the order of
 * adding.
 */
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

static size_t slot_of(const struct profile_distributions *set, const struct profile_distribution *one)
{
	uint64_t hash = profile_hash_pair((uint64_t)one->node << 32 | one->text, one->argument);
	size_t at = hash & (set->table_size - 1);
	while (set->table[at] && compare(&set->items[set->table[at] - 1], one) != 0)
		at = (at + 1) & (set->table_size - 1);
	return at;
}

static int rehash(struct profile_distributions *set)
{
	size_t size = set->table_size ? set->table_size * 2 : 64;
	uint32_t *fresh = calloc(size, sizeof(*fresh));
	if (!fresh)
		return -ENOMEM;
	free(set->table);
	set->table = fresh;
	set->table_size = size;
	for (size_t i = 0; i < set->count; i++)
		fresh[slot_of(set, &set->items[i])] = (uint32_t)i + 1;
	return 0;
}

static struct profile_distribution *find_or_add(
	struct profile_distributions *set, const struct profile_distribution *one)
{
	if (set->count * 2 >= set->table_size && rehash(set) != 0)
		return NULL;
	size_t slot = slot_of(set, one);
	if (set->table[slot])
		return &set->items[set->table[slot] - 1];
	if (profile_reserve(&set->items, &set->capacity, set->count + 1, sizeof(*one)) != 0)
		return NULL;
	struct profile_distribution *fresh = &set->items[set->count++];
	*fresh = (struct profile_distribution){.node = one->node,
		.argument = one->argument,
		.text = one->text,
		.minimum = one->minimum,
		.maximum = one->maximum};
	set->table[slot] = (uint32_t)set->count;
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

/* Knuth's TwoSum: what `sum + value` loses is kept beside it. */
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
	free(set->table);
	set->table = NULL;
	set->table_size = 0;
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
	free(set->table);
	*set = (struct profile_distributions){0};
}
