/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The least time of calls with as many bytes at one node: what a call takes longer than that, it waits. A bound, since
 * the quickest one may have waited, too. A table of one thread; this knows neither threads nor what is called.
 */
#ifndef HEDDLE_CORE_LEAST_TIMES_H
#define HEDDLE_CORE_LEAST_TIMES_H

#include <stdint.h>

#include "core/threads/rows.h"

#define HEDDLE_RECENT_LEAST 16u

struct heddle_least;

/* A zeroed struct is an empty table. */
struct heddle_least_times {
	struct heddle_rows rows;
	struct heddle_least *recent[HEDDLE_RECENT_LEAST]; /* by node */
};

/*
 * Counts a call. Returns by how much the waiting time of the node grows: the sum of what is returned is at any time
 * that of all calls beyond the least of their size, by powers of two. Context: owner thread, inside.
 */
uint64_t heddle__beyond_least(struct heddle_least_times *least, uint32_t node, uint64_t size, uint64_t ticks);

#endif
