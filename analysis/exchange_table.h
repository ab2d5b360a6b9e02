/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks exchanged, summed by pair of ranks, by size, and by communicator. */
#ifndef HEDDLE_ANALYSIS_EXCHANGE_TABLE_H
#define HEDDLE_ANALYSIS_EXCHANGE_TABLE_H

#include "profile/base/intern.h"
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
	const char *name;                            /* "": unknown */
	struct heddle_exchange_sum sent, collective; /* `sent` includes the time of receiving */
};

/* Operations of a rank that it never completed. */
struct heddle_exchange_unfinished {
	uint32_t rank, partner;         /* HEDDLE_NO_PARTNER: any, or unknown */
	enum heddle_exchange_kind kind; /* one that HEDDLE_EXCHANGE_IS_UNFINISHED */
	const char *communicator;       /* or the file's name */
	uint64_t count;
};

struct heddle_exchange_table {
	const char *rank;                   /* what the model of the ranks calls one: "MPI" */
	uint32_t ranks;                     /* the highest rank that occurs, plus 1 */
	struct heddle_exchange_pair *pairs; /* by rank, then by partner */
	size_t pair_count;
	struct heddle_exchange_sum sent[HEDDLE_SIZE_BUCKETS], collective[HEDDLE_SIZE_BUCKETS]; /* by size */
	struct heddle_exchange_communicator *communicators; /* with most bytes first */
	size_t communicator_count;
	struct heddle_exchange_unfinished *unfinished; /* by rank */
	size_t unfinished_count;
	struct profile_intern hosts; /* host names of the ranks; "" counts as one */
	uint32_t *host_of;           /* by rank */
};

/* Returns the rank of a process; HEDDLE_NO_PARTNER: it has none. */
uint32_t heddle__exchange_rank(const struct profile_process *process);

/*
 * Returns "sent", "received", "collective", "put", "got", "unfinished", or a name that begins with "unfinished"; not
 * for other kinds with files.
 */
const char *heddle__exchange_kind_name(enum heddle_exchange_kind kind);

/* Returns the partner of the operation if it is not a rank: "a file", or "all" for a collective; else NULL. */
const char *heddle__exchange_unfinished_with(const struct heddle_exchange_unfinished *row);

/* Returns 0 or -ENOMEM, after which there is nothing to free. If nothing was exchanged, there are no communicators. */
int heddle__exchange_table_make(struct heddle_exchange_table *table, const struct profile_measurement *measurement);
void heddle__exchange_table_free(struct heddle_exchange_table *table);

#endif
