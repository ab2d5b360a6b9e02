/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses to shared memory by variable, source line, thread or pair of threads. Sums by thread come from the table of
 * pairs, the others from the call-path tree.
 */
#ifndef HEDDLE_ANALYSIS_ACCESS_TABLE_H
#define HEDDLE_ANALYSIS_ACCESS_TABLE_H

#include "profile/view/accesses.h"

/* The keys that rows are distinguished by, as bits. */
enum heddle_access_key {
	HEDDLE_ACCESS_VARIABLE = 1,
	HEDDLE_ACCESS_LINE = 2,
	HEDDLE_ACCESS_THREAD = 4,
	HEDDLE_ACCESS_OWNER = 8
};

/* The sum of accesses with equal keys; unused keys are empty or 0. The accesses own the texts. */
struct heddle_access_row {
	const char *variable, *file;
	uint32_t number; /* of the source line */
	uint32_t thread, owner;
	uint64_t count[HEDDLE_SIDES], unknown, moved, time_ns, flight_ns;
	uint64_t wall_ns;           /* of the thread */
	uint64_t all_ns, all_count; /* of all rows; with the key THREAD, of all rows of the thread */
};

/* Sorted by thread, then by owner, then by cost, the most expensive first. */
struct heddle_access_table {
	struct heddle_access_row *rows, total; /* total.wall_ns: of all threads */
	size_t count;
};

/* `keys` is a set of enum heddle_access_key. Returns 0 or -ENOMEM. */
int heddle__access_table_make(
	struct heddle_access_table *table, const struct profile_accesses *accesses, unsigned keys);
void heddle__access_table_free(struct heddle_access_table *table);

/* Returns the number of a row's accesses to memory of any side. */
uint64_t heddle__access_count(const struct heddle_access_row *row);

/* Returns the number of ranks: the highest rank in pairs of threads, plus 1. */
uint32_t heddle__accesses_ranks(const struct profile_accesses *accesses);

#endif
