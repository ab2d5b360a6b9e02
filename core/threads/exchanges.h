/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages that a thread exchanged with each rank, by communicator, partner, direction and size: a table for each
 * thread, filled in by models whose ranks send messages, written as Exchanges of the file format. This code does not
 * depend on threads; struct heddle_thread has one table. Rows are never moved.
 */
#ifndef HEDDLE_CORE_EXCHANGES_H
#define HEDDLE_CORE_EXCHANGES_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/likely.h"
#include "core/base/size_class.h"
#include "core/threads/rows.h"
#include "format/ids.h"

#define HEDDLE_RECENT_EXCHANGES 8u

struct heddle_exchange {
	/* The key. */
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
	struct heddle_exchange *recent[HEDDLE_EXCHANGE_KIND_COUNT][HEDDLE_RECENT_EXCHANGES];
};

/* Programs repeat exchanges, with the neighbours of a grid or with a sequence of sizes, so rows are cached by both. */
static inline uint32_t heddle__exchange_index(uint32_t partner, uint32_t bucket)
{
	return (partner + bucket) % HEDDLE_RECENT_EXCHANGES;
}

/* The slow path of heddle__exchange_find(): the row is not the last one of its kind and index. */
struct heddle_exchange *heddle__exchange_change(struct heddle_exchanges *exchanges, uint32_t communicator,
	uint32_t partner, enum heddle_exchange_kind kind, uint32_t bucket);

/*
 * Returns the row of that communicator, partner (a rank; negative: none), kind and bucket if it is the last one of its
 * kind and index, else NULL. Context: owner thread, inside.
 */
static inline struct heddle_exchange *heddle__exchange_recent(struct heddle_exchanges *exchanges, uint32_t communicator,
	int32_t partner, enum heddle_exchange_kind kind, uint32_t bucket)
{
	uint32_t number = partner < 0 ? 0 : (uint32_t)partner + 1;
	struct heddle_exchange *last = exchanges->recent[kind][heddle__exchange_index(number, bucket)];
	return HEDDLE_LIKELY(
		       last && last->communicator == communicator && last->partner == number && last->bucket == bucket)
		       ? last
		       : NULL;
}

/* Returns the row for a size in bytes, which is added if it does not exist; NULL: no memory. */
static inline struct heddle_exchange *heddle__exchange_find(struct heddle_exchanges *exchanges, uint32_t communicator,
	int32_t partner, enum heddle_exchange_kind kind, uint64_t size)
{
	uint32_t bucket = heddle__size_bucket(size);
	struct heddle_exchange *last = heddle__exchange_recent(exchanges, communicator, partner, kind, bucket);
	if (HEDDLE_LIKELY(last))
		return last;
	return heddle__exchange_change(exchanges, communicator, partner < 0 ? 0 : (uint32_t)partner + 1, kind, bucket);
}

/* The row with that number; NULL: there is none. Context: any thread, signal. */
struct heddle_exchange *heddle__exchange_at(const struct heddle_exchanges *exchanges, uint32_t number);

/* Set all values to 0. Context: the child's only thread, after a fork. */
void heddle__exchanges_clear(struct heddle_exchanges *exchanges);

#endif
