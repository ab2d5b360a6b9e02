/* SPDX-License-Identifier: BSD-3-Clause */
/* The accesses of a thread: rows of a message of columns, checked while they are read. */
#include "profile/file/partners.h"

#include "profile/base/errors.h"
#include "profile/file/call_tree.h"
#include "profile/file/columns.h"

#include <stdlib.h>

static int check(const Heddle__Profile__Partners *message, const Heddle__Profile__Process *process)
{
	size_t count = message->n_variable;
	if (message->n_owner != count || message->n_side != count || message->n_gets != count ||
		message->n_puts != count || message->n_bytes_got != count || message->n_bytes_put != count ||
		message->n_time_ns != count)
		return -HEDDLE_INCONSISTENT;
	for (size_t i = 0; i < count; i++)
		if (message->variable[i] > process->n_strings || message->side[i] >= HEDDLE_SIDES)
			return -HEDDLE_INCONSISTENT;
	return 0;
}

int profile_partners_decode(struct profile_partners *partners, const Heddle__Profile__Partners *message,
	const Heddle__Profile__Process *process)
{
	*partners = (struct profile_partners){0};
	int error = message ? check(message, process) : 0;
	if (error || !message || !message->n_variable)
		return error;
	partners->rows = calloc(message->n_variable, sizeof(*partners->rows));
	if (!partners->rows)
		return -ENOMEM;
	for (size_t i = 0; i < message->n_variable; i++) {
		struct profile_partner *row = &partners->rows[i];
		row->variable =
			profile_text_keep(message->variable[i] ? process->strings[message->variable[i] - 1] : "");
		row->owner = message->owner[i];
		row->side = (enum profile_side)message->side[i];
		row->gets = message->gets[i];
		row->puts = message->puts[i];
		row->bytes_got = message->bytes_got[i];
		row->bytes_put = message->bytes_put[i];
		row->time_ns = message->time_ns[i];
		if (!row->variable) {
			profile_partners_free(partners);
			return -ENOMEM;
		}
	}
	partners->count = message->n_variable;
	return 0;
}

static int make_columns(Heddle__Profile__Partners *message, size_t count)
{
	uint32_t **words[] = {&message->variable, &message->owner, &message->side};
	uint64_t **longs[] = {
		&message->gets, &message->puts, &message->bytes_got, &message->bytes_put, &message->time_ns};
	return profile_columns_make(
		words, sizeof(words) / sizeof(*words), longs, sizeof(longs) / sizeof(*longs), count);
}

Heddle__Profile__Partners *profile_partners_encode(
	const struct profile_partners *partners, const struct profile_call_tree *tree)
{
	Heddle__Profile__Partners *message = malloc(sizeof(*message));
	size_t count = partners->count;
	if (!message)
		return NULL;
	heddle__profile__partners__init(message);
	if (make_columns(message, count) != 0) {
		heddle__profile__partners__free_unpacked(message, NULL);
		return NULL;
	}
	message->n_variable = message->n_owner = message->n_side = message->n_gets = message->n_puts = count;
	message->n_bytes_got = message->n_bytes_put = message->n_time_ns = count;
	for (size_t i = 0; i < count; i++) {
		const struct profile_partner *row = &partners->rows[i];
		message->variable[i] = profile_text_number(tree, row->variable);
		message->owner[i] = row->owner;
		message->side[i] = row->side;
		message->gets[i] = row->gets;
		message->puts[i] = row->puts;
		message->bytes_got[i] = row->bytes_got;
		message->bytes_put[i] = row->bytes_put;
		message->time_ns[i] = row->time_ns;
	}
	return message;
}

void profile_partners_free(struct profile_partners *partners)
{
	free(partners->rows);
	*partners = (struct profile_partners){0};
}
