/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shortest time of calls at a node, by number of bytes. The time that other calls take beyond it counts as waiting:
 * a lower bound, since the shortest call may have waited, too. One thread's table; the code depends neither on threads
 * nor on what is called.
 */
#ifndef HEDDLE_CORE_LEAST_TIMES_H
#define HEDDLE_CORE_LEAST_TIMES_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/likely.h"
#include "core/base/size_class.h"
#include "core/threads/rows.h"

#define HEDDLE_RECENT_LEAST 64u

/* The shortest times of calls at a node, for messages whose size has that many bits. */
struct heddle_least {
	uint32_t node, bits;
	uint64_t calls, ticks;
};

/* A zeroed struct is an empty table. */
struct heddle_least_times {
	struct heddle_rows rows;
	struct heddle_least *recent[HEDDLE_RECENT_LEAST]; /* by node and size: each call of a loop has an entry */
};

static inline uint32_t heddle__least_index(uint32_t node, uint32_t bits)
{
	return (node + bits) % HEDDLE_RECENT_LEAST;
}

/* The slow path of heddle__beyond_least(): the row is not the last one of its index. NULL: no memory. */
struct heddle_least *heddle__least_change(struct heddle_least_times *least, uint32_t node, uint32_t bits);

/* Returns the row of a node and size if it is the last one of its index, else NULL. Context: owner thread, inside. */
static inline struct heddle_least *heddle__least_recent(
	const struct heddle_least_times *least, uint32_t node, uint32_t bits)
{
	struct heddle_least *row = least->recent[heddle__least_index(node, bits)];
	return HEDDLE_LIKELY(row && row->node == node && row->bits == bits) ? row : NULL;
}

/*
 * Counts a call. Returns by how much the waiting time of the node increases. At any time, the sum of the returned
 * values is the time of all calls beyond the shortest one of their size class. Context: owner thread, inside.
 */
static inline uint64_t heddle__beyond_row(struct heddle_least *row, uint64_t ticks)
{
	uint64_t calls = row->calls++, before = calls ? row->ticks : ticks;
	if (HEDDLE_LIKELY(calls && ticks >= before))
		return ticks - before;
	row->ticks = ticks;
	return calls * (before - ticks);
}

/* Counts a call at that node, with a size in bytes; see heddle__beyond_row(). */
static inline uint64_t heddle__beyond_least(
	struct heddle_least_times *least, uint32_t node, uint64_t size, uint64_t ticks)
{
	uint32_t bits = heddle__size_bits(size);
	struct heddle_least *row = heddle__least_recent(least, node, bits);
	if (HEDDLE_UNLIKELY(!row))
		row = heddle__least_change(least, node, bits);
	return HEDDLE_LIKELY(row) ? heddle__beyond_row(row, ticks) : 0;
}

#endif
