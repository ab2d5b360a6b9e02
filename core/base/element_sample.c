/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sample of elements by hash (Wegman's adaptive sampling), with the uses of each. Entries are stored densely, in the
 * order of their insertion, so halving and clearing need not search the table.
 */
#include "core/base/element_sample.h"

#include <string.h>

static uint32_t home_of(uint64_t hash)
{
	return (uint32_t)hash & (HEDDLE_SAMPLE_SLOTS - 1);
}

static bool is_in(const struct heddle_element_sample *sample, uint64_t hash)
{
	return hash >> (HEDDLE_ELEMENT_BITS - sample->level) == 0;
}

/* The slot of the entry with that hash, or the free slot for it. More than half of all slots are always free. */
static uint16_t *find_slot(struct heddle_element_sample *sample, uint64_t hash)
{
	uint32_t at = home_of(hash);
	while (sample->slots[at] && sample->entries[sample->slots[at] - 1] >> 2 != hash)
		at = (at + 1) & (HEDDLE_SAMPLE_SLOTS - 1);
	return &sample->slots[at];
}

/* Halves the limit and drops the entries above it. */
static void halve(struct heddle_element_sample *sample)
{
	uint32_t kept = 0;
	sample->level++;
	memset(sample->slots, 0, sizeof(sample->slots));
	for (uint32_t i = 0; i < sample->count; i++) {
		uint64_t entry = sample->entries[i];
		if (!is_in(sample, entry >> 2))
			continue;
		*find_slot(sample, entry >> 2) = (uint16_t)(kept + 1);
		sample->entries[kept++] = entry;
	}
	sample->count = kept;
}

void heddle__sample_insert(struct heddle_element_sample *sample, uint64_t hash, enum heddle_element_use use)
{
	uint16_t *slot = find_slot(sample, hash);
	if (HEDDLE_LIKELY(*slot)) {
		sample->entries[*slot - 1] |= use;
		return;
	}
	sample->entries[sample->count++] = hash << 2 | use;
	*slot = (uint16_t)sample->count;
	while (sample->count == HEDDLE_SAMPLE_FULL && sample->level < HEDDLE_ELEMENT_BITS - 1)
		halve(sample);
}

struct heddle_element_counts heddle__sample_estimate(const struct heddle_element_sample *sample)
{
	struct heddle_element_counts counts = {0};
	for (uint32_t i = 0; i < sample->count; i++) {
		counts.read += (sample->entries[i] & HEDDLE_ELEMENT_READ) != 0;
		counts.written += (sample->entries[i] & HEDDLE_ELEMENT_WRITTEN) != 0;
	}
	counts.all = (uint64_t)sample->count << sample->level;
	counts.read <<= sample->level;
	counts.written <<= sample->level;
	return counts;
}

/*
 * Every entry is in the run of used slots that begins at its home slot. Clearing always empties a run up to its end, so
 * what remains of a run still begins at the home slot of each entry in it.
 */
static void clear_runs(struct heddle_element_sample *sample)
{
	for (uint32_t i = 0; i < sample->count; i++)
		for (uint32_t at = home_of(sample->entries[i] >> 2); sample->slots[at];
			at = (at + 1) & (HEDDLE_SAMPLE_SLOTS - 1))
			sample->slots[at] = 0;
}

void heddle__sample_clear(struct heddle_element_sample *sample)
{
	if (sample->count < HEDDLE_SAMPLE_SLOTS / 32)
		clear_runs(sample);
	else
		memset(sample->slots, 0, sizeof(sample->slots));
	sample->count = 0;
	sample->level = 0;
}
