/* SPDX-License-Identifier: BSD-3-Clause */
/* See core/threads/rows.h. */
#include "core/threads/exchanges.h"

#include <stddef.h>

static const struct heddle_row_layout row_layout = {
	.size = sizeof(struct heddle_exchange), .key_size = offsetof(struct heddle_exchange, messages)};

struct heddle_exchange *heddle__exchange_change(struct heddle_exchanges *exchanges, uint32_t communicator,
	uint32_t partner, enum heddle_exchange_kind kind, uint32_t bucket)
{
	const uint32_t key[] = {communicator, partner, kind, bucket};
	struct heddle_exchange *row = heddle__row_find(&exchanges->rows, &row_layout, key);
	return exchanges->recent[kind][heddle__exchange_index(partner, bucket)] = row;
}

struct heddle_exchange *heddle__exchange_at(const struct heddle_exchanges *exchanges, uint32_t number)
{
	return heddle__row_at(&exchanges->rows, &row_layout, number);
}

void heddle__exchanges_clear(struct heddle_exchanges *exchanges)
{
	heddle__rows_clear(&exchanges->rows, &row_layout);
}
