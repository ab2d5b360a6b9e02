/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks exchanged, in sums: by pair of ranks, by size, by communicator. */
#ifndef HEDDLE_ANALYSIS_EXCHANGE_TABLE_H
#define HEDDLE_ANALYSIS_EXCHANGE_TABLE_H

#include "profile/file/measurement.h"

struct heddle_exchange_sum {
	uint64_t messages, bytes, time_ns;
};

/* Bytes that a rank sent to a partner: by messages, and by accesses to its window. */
struct heddle_exchange_pair {
	uint32_t from, to;
	struct heddle_exchange_sum sum;
};

struct heddle_exchange_communicator {
	const char *name; /* "": not known */
	struct heddle_exchange_sum sent, collective;
};

struct heddle_exchange_table {
	const char *rank;                   /* what the model of the ranks calls one: "MPI" */
	uint32_t ranks;                     /* the highest that occurs, + 1 */
	struct heddle_exchange_pair *pairs; /* by rank, then by partner */
	size_t pair_count;
	struct heddle_exchange_sum sent[HEDDLE_SIZE_BUCKETS], collective[HEDDLE_SIZE_BUCKETS]; /* by size */
	struct heddle_exchange_communicator *communicators; /* the most bytes first */
	size_t communicator_count;
};

/* 0 or -ENOMEM, and then there is nothing to free. Nothing was exchanged: no communicators. */
int heddle__exchange_table_make(struct heddle_exchange_table *table, const struct profile_measurement *measurement);
void heddle__exchange_table_free(struct heddle_exchange_table *table);

#endif
