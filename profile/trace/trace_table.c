/* SPDX-License-Identifier: BSD-3-Clause */
/* Open addressing. Entries after a removed one are inserted again, so no deletion marks accumulate. */
#include "profile/trace/trace_table.h"

#include "profile/base/intern.h"

#include <errno.h>
#include <stdlib.h>

/* Returns the slot of a key, or the free slot where it belongs. There is always a free one. */
static struct profile_trace_slot *slot_of(const struct profile_trace_table *table, uint64_t first, uint64_t second)
{
	size_t at = profile_hash_pair(first, second) & (table->size - 1);
	while (table->slots[at].value && (table->slots[at].first != first || table->slots[at].second != second))
		at = (at + 1) & (table->size - 1);
	return &table->slots[at];
}

void *profile_trace_table_find(const struct profile_trace_table *table, uint64_t first, uint64_t second)
{
	return table->size ? slot_of(table, first, second)->value : NULL;
}

void **profile_trace_table_at(const struct profile_trace_table *table, uint64_t first, uint64_t second)
{
	struct profile_trace_slot *slot = table->size ? slot_of(table, first, second) : NULL;
	return slot && slot->value ? &slot->value : NULL;
}

static int grow(struct profile_trace_table *table)
{
	struct profile_trace_table more = {.size = table->size ? 2 * table->size : 64, .count = table->count};
	more.slots = calloc(more.size, sizeof(*more.slots));
	if (!more.slots)
		return -ENOMEM;
	for (size_t i = 0; i < table->size; i++)
		if (table->slots[i].value)
			*slot_of(&more, table->slots[i].first, table->slots[i].second) = table->slots[i];
	free(table->slots);
	*table = more;
	return 0;
}

int profile_trace_table_add(struct profile_trace_table *table, uint64_t first, uint64_t second, void *value)
{
	if (table->count * 2 >= table->size && grow(table) != 0)
		return -ENOMEM;
	*slot_of(table, first, second) = (struct profile_trace_slot){first, second, value};
	table->count++;
	return 0;
}

void *profile_trace_table_make(struct profile_trace_table *table, uint64_t first, uint64_t second, size_t size)
{
	void *value = profile_trace_table_find(table, first, second);
	if (value)
		return value;
	value = calloc(1, size);
	if (value && profile_trace_table_add(table, first, second, value) != 0) {
		free(value);
		return NULL;
	}
	return value;
}

void *profile_trace_table_take(struct profile_trace_table *table, uint64_t first, uint64_t second)
{
	struct profile_trace_slot *slot = table->size ? slot_of(table, first, second) : NULL;
	void *value = slot ? slot->value : NULL;
	if (!value)
		return NULL;
	slot->value = NULL;
	table->count--;
	size_t at = (size_t)(slot - table->slots);
	while (table->slots[at = (at + 1) & (table->size - 1)].value) {
		struct profile_trace_slot moved = table->slots[at];
		table->slots[at].value = NULL;
		*slot_of(table, moved.first, moved.second) = moved;
	}
	return value;
}

void *profile_trace_table_drain(struct profile_trace_table *table)
{
	while (table->size) {
		void *value = table->slots[--table->size].value;
		if (value)
			return value;
	}
	free(table->slots);
	*table = (struct profile_trace_table){0};
	return NULL;
}
