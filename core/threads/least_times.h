/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The least time of calls with as many bytes at one node: what a call takes longer than that, it waits. A bound, since
 * the quickest one may have waited, too. A table of one thread; this knows neither threads nor what is called.
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
	struct heddle_least *recent[HEDDLE_RECENT_LEAST]; /* by node and size: calls of a loop have their own */
};

static inline uint32_t heddle__least_index(uint32_t node, uint32_t bits)
{
	return (node + bits) % HEDDLE_RECENT_LEAST;
}

/* The slow path of the one below: another row than the last one of its index. NULL: no memory. */
struct heddle_least *heddle__least_change(struct heddle_least_times *least, uint32_t node, uint32_t bits);

/* The row of a node and size, if it is the last one of its index; NULL: it is not. Context: owner thread, inside. */
static inline struct heddle_least *heddle__least_recent(
	const struct heddle_least_times *least, uint32_t node, uint32_t bits)
{
	struct heddle_least *row = least->recent[heddle__least_index(node, bits)];
	return HEDDLE_LIKELY(row && row->node == node && row->bits == bits) ? row : NULL;
}

/*
 * Counts a call. Returns by how much the waiting time of the node grows: the sum of what is returned is at any time
 * that of all calls beyond the least of their size, by powers of two. Context: owner thread, inside.
 */
static inline uint64_t heddle__beyond_row(struct heddle_least *row, uint64_t ticks)
{
	uint64_t calls = row->calls++, before = calls ? row->ticks : ticks;
	if (HEDDLE_LIKELY(calls && ticks >= before))
		return ticks - before;
	row->ticks = ticks;
	return calls * (before - ticks);
}

/* The same of the row of that node and size in bytes. */
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
