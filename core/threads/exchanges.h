/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a thread exchanged with each rank, by communicator, partner, direction and size: a table per thread, filled in
 * by models whose ranks send messages, written as Exchanges of the file format. This knows no threads; struct
 * heddle_thread has one table. Rows are never moved.
 */
#ifndef HEDDLE_CORE_EXCHANGES_H
#define HEDDLE_CORE_EXCHANGES_H

#include <stdint.h>

#include "core/threads/rows.h"
#include "format/ids.h"

struct heddle_exchange {
	/* What it is found by. */
	uint32_t communicator; /* number of a string + 1; 0: not known */
	uint32_t partner;      /* a rank + 1; 0: a collective, or not known */
	uint32_t kind;         /* enum heddle_exchange_kind */
	uint32_t bucket;       /* of the size, as in distributions */

	uint64_t messages, bytes;
	uint64_t ticks; /* elapsed time of the calls */
};

/* A zeroed struct is an empty table. */
struct heddle_exchanges {
	struct heddle_rows rows;
	struct heddle_exchange *last[HEDDLE_EXCHANGE_KIND_COUNT]; /* of each kind: exchanges repeat themselves */
};

/*
 * The row of that communicator, partner (a rank; negative: none), kind and size in bytes, added if it is not there;
 * NULL: no memory. Context: owner thread, inside.
 */
struct heddle_exchange *heddle__exchange_find(struct heddle_exchanges *exchanges, uint32_t communicator,
	int32_t partner, enum heddle_exchange_kind kind, uint64_t size);

/* The row with that number; NULL: there is none. Context: any thread, signal. */
struct heddle_exchange *heddle__exchange_at(const struct heddle_exchanges *exchanges, uint32_t number);

/* Set all values to 0. Context: the child's only thread, after a fork. */
void heddle__exchanges_clear(struct heddle_exchanges *exchanges);

#endif
