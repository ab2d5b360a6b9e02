/* SPDX-License-Identifier: BSD-3-Clause */
/* The exchanges of a thread: rows of a message of columns, checked while they are read. */
#include "profile/file/exchanges.h"

#include "profile/base/errors.h"
#include "profile/file/call_tree.h"
#include "profile/file/columns.h"

#include <stdlib.h>

static int check(const Heddle__Profile__Exchanges *message, const Heddle__Profile__Process *process)
{
	size_t count = message->n_communicator;
	if (message->n_partner != count || message->n_kind != count || message->n_bucket != count ||
		message->n_messages != count || message->n_bytes != count || message->n_time_ns != count)
		return -HEDDLE_INCONSISTENT;
	for (size_t i = 0; i < count; i++)
		if (message->communicator[i] > process->n_strings || message->kind[i] == 0 ||
			message->kind[i] >= HEDDLE_EXCHANGE_KIND_COUNT || message->bucket[i] >= HEDDLE_SIZE_BUCKETS)
			return -HEDDLE_INCONSISTENT;
	return 0;
}

int profile_exchanges_decode(struct profile_exchanges *exchanges, const Heddle__Profile__Exchanges *message,
	const Heddle__Profile__Process *process)
{
	*exchanges = (struct profile_exchanges){0};
	int error = message ? check(message, process) : 0;
	if (error || !message || !message->n_communicator)
		return error;
	exchanges->rows = calloc(message->n_communicator, sizeof(*exchanges->rows));
	if (!exchanges->rows)
		return -ENOMEM;
	for (size_t i = 0; i < message->n_communicator; i++) {
		struct profile_exchange *row = &exchanges->rows[i];
		uint32_t text = message->communicator[i];
		row->communicator = profile_text_keep(text ? process->strings[text - 1] : "");
		row->partner = message->partner[i] ? message->partner[i] - 1 : HEDDLE_NO_PARTNER;
		row->kind = (enum heddle_exchange_kind)message->kind[i];
		row->bucket = message->bucket[i];
		row->messages = message->messages[i];
		row->bytes = message->bytes[i];
		row->time_ns = message->time_ns[i];
		if (!row->communicator) {
			profile_exchanges_free(exchanges);
			return -ENOMEM;
		}
	}
	exchanges->count = message->n_communicator;
	return 0;
}

static int make_columns(Heddle__Profile__Exchanges *message, size_t count)
{
	uint32_t **words[] = {&message->communicator, &message->partner, &message->kind, &message->bucket};
	uint64_t **longs[] = {&message->messages, &message->bytes, &message->time_ns};
	return profile_columns_make(
		words, sizeof(words) / sizeof(*words), longs, sizeof(longs) / sizeof(*longs), count);
}

Heddle__Profile__Exchanges *profile_exchanges_encode(
	const struct profile_exchanges *exchanges, const struct profile_call_tree *tree)
{
	Heddle__Profile__Exchanges *message = malloc(sizeof(*message));
	size_t count = exchanges->count;
	if (!message)
		return NULL;
	heddle__profile__exchanges__init(message);
	if (make_columns(message, count) != 0) {
		heddle__profile__exchanges__free_unpacked(message, NULL);
		return NULL;
	}
	message->n_communicator = message->n_partner = message->n_kind = message->n_bucket = count;
	message->n_messages = message->n_bytes = message->n_time_ns = count;
	for (size_t i = 0; i < count; i++) {
		const struct profile_exchange *row = &exchanges->rows[i];
		message->communicator[i] = profile_text_number(tree, row->communicator);
		message->partner[i] = row->partner == HEDDLE_NO_PARTNER ? 0 : row->partner + 1;
		message->kind[i] = row->kind;
		message->bucket[i] = row->bucket;
		message->messages[i] = row->messages;
		message->bytes[i] = row->bytes;
		message->time_ns[i] = row->time_ns;
	}
	return message;
}

void profile_exchanges_free(struct profile_exchanges *exchanges)
{
	free(exchanges->rows);
	*exchanges = (struct profile_exchanges){0};
}
