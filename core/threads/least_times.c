/* SPDX-License-Identifier: BSD-3-Clause */
/* If a call is shorter than all earlier ones, these have waited longer than was counted (heddle__beyond_row). */
#include "core/threads/least_times.h"

#include <stddef.h>

static const struct heddle_row_layout row_layout = {
	.size = sizeof(struct heddle_least), .key_size = offsetof(struct heddle_least, calls)};

struct heddle_least *heddle__least_change(struct heddle_least_times *least, uint32_t node, uint32_t bits)
{
	const uint32_t key[] = {node, bits};
	return least->recent[heddle__least_index(node, bits)] = heddle__row_find(&least->rows, &row_layout, key);
}
