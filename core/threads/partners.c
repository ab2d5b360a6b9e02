/* SPDX-License-Identifier: BSD-3-Clause */
/* See core/threads/rows.h. */
#include "core/threads/partners.h"

#include <stddef.h>

static const struct heddle_row_layout row_layout = {
	.size = sizeof(struct heddle_partner), .key_size = offsetof(struct heddle_partner, side)};

struct heddle_partner *heddle__partner_find(struct heddle_partners *partners, uint32_t variable, uint32_t owner)
{
	const uint32_t key[] = {variable, owner};
	return heddle__row_find(&partners->rows, &row_layout, key);
}

struct heddle_partner *heddle__partner_at(const struct heddle_partners *partners, uint32_t number)
{
	return heddle__row_at(&partners->rows, &row_layout, number);
}

void heddle__partners_clear(struct heddle_partners *partners)
{
	struct heddle_partner *row;
	for (uint32_t i = 0; (row = heddle__partner_at(partners, i)) != NULL; i++)
		row->gets = row->puts = row->bytes_got = row->bytes_put = row->ticks = 0;
}
