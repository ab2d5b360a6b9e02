/* SPDX-License-Identifier: BSD-3-Clause */
/* When a call is quicker than all before, these have waited longer than was thought. */
#include "core/threads/least_times.h"

#include <stddef.h>

struct heddle_least {
	uint32_t node, bucket;
	uint64_t calls, ticks;
};

static const struct heddle_row_layout row_layout = {
	.size = sizeof(struct heddle_least), .key_size = offsetof(struct heddle_least, calls)};

uint64_t heddle__beyond_least(struct heddle_least_times *least, uint32_t node, uint64_t size, uint64_t ticks)
{
	const uint32_t key[] = {node, size ? 64u - (uint32_t)__builtin_clzll(size) : 0};
	struct heddle_least **recent = &least->recent[node % HEDDLE_RECENT_LEAST], *row = *recent;
	uint64_t grown = 0;
	if (!row || row->node != key[0] || row->bucket != key[1])
		*recent = row = heddle__row_find(&least->rows, &row_layout, key);
	if (!row)
		return 0;
	if (!row->calls) {
		row->ticks = ticks;
	} else if (ticks < row->ticks) {
		grown = row->calls * (row->ticks - ticks);
		row->ticks = ticks;
	} else {
		grown = ticks - row->ticks;
	}
	row->calls++;
	return grown;
}
