/* SPDX-License-Identifier: BSD-3-Clause */
/* See core/threads/rows.h. */
#include "core/threads/exchanges.h"

#include <stddef.h>

static const struct heddle_row_layout row_layout = {
	.size = sizeof(struct heddle_exchange), .key_size = offsetof(struct heddle_exchange, messages)};

static uint32_t bucket_of(uint64_t size)
{
	uint32_t bucket = size ? 64u - (uint32_t)__builtin_clzll(size) : 0;
	return bucket < HEDDLE_SIZE_BUCKETS ? bucket : HEDDLE_SIZE_BUCKETS - 1;
}

struct heddle_exchange *heddle__exchange_find(struct heddle_exchanges *exchanges, uint32_t communicator,
	int32_t partner, enum heddle_exchange_kind kind, uint64_t size)
{
	const uint32_t key[] = {communicator, partner < 0 ? 0 : (uint32_t)partner + 1, kind, bucket_of(size)};
	struct heddle_exchange *last = exchanges->last[kind];
	if (last && last->communicator == key[0] && last->partner == key[1] && last->bucket == key[3])
		return last;
	return exchanges->last[kind] = heddle__row_find(&exchanges->rows, &row_layout, key);
}

struct heddle_exchange *heddle__exchange_at(const struct heddle_exchanges *exchanges, uint32_t number)
{
	return heddle__row_at(&exchanges->rows, &row_layout, number);
}

void heddle__exchanges_clear(struct heddle_exchanges *exchanges)
{
	heddle__rows_clear(&exchanges->rows, &row_layout);
}
