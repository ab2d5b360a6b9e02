/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Both sides of a message count it: pairs, sizes and communicators use the sender's count, which is known when the
 * message starts, and the time of both sides. Data of a get from a window is sent by the target, but counted by the
 * rank that gets it.
 */
#include "analysis/exchange_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void add_sum(struct heddle_exchange_sum *sum, const struct heddle_exchange_sum *more)
{
	sum->messages += more->messages;
	sum->bytes += more->bytes;
	sum->time_ns += more->time_ns;
}

static struct heddle_exchange_communicator *communicator_of(struct heddle_exchange_table *table, const char *name)
{
	for (size_t i = 0; i < table->communicator_count; i++)
		if (table->communicators[i].name == name)
			return &table->communicators[i];
	struct heddle_exchange_communicator *more =
		realloc(table->communicators, (table->communicator_count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	table->communicators = more;
	more += table->communicator_count++;
	*more = (struct heddle_exchange_communicator){.name = name};
	return more;
}

static void add_pair(
	struct heddle_exchange_table *table, uint32_t from, uint32_t to, const struct heddle_exchange_sum *sum)
{
	table->pairs[table->pair_count++] = (struct heddle_exchange_pair){from, to, *sum};
	table->ranks = from >= table->ranks ? from + 1 : table->ranks;
	table->ranks = to >= table->ranks ? to + 1 : table->ranks;
}

static int add_unfinished(struct heddle_exchange_table *table, uint32_t rank, const struct profile_exchange *row)
{
	size_t count = table->unfinished_count;
	struct heddle_exchange_unfinished *last = count ? &table->unfinished[count - 1] : NULL;
	if (last && last->rank == rank && last->partner == row->partner && last->communicator == row->communicator &&
		last->kind == row->kind) {
		last->count += row->messages;
		return 0;
	}
	last = realloc(table->unfinished, (count + 1) * sizeof(*last));
	if (!last)
		return -ENOMEM;
	table->unfinished = last;
	table->unfinished[table->unfinished_count++] =
		(struct heddle_exchange_unfinished){rank, row->partner, row->kind, row->communicator, row->messages};
	return 0;
}

static int add_row(struct heddle_exchange_table *table, uint32_t rank, const struct profile_exchange *row)
{
	bool sends = row->kind == HEDDLE_EXCHANGE_SENT || row->kind == HEDDLE_EXCHANGE_PUT;
	bool gets = row->kind == HEDDLE_EXCHANGE_GOT, collective = row->kind == HEDDLE_EXCHANGE_COLLECTIVE;
	bool receives = row->kind == HEDDLE_EXCHANGE_RECEIVED; /* adds its time: the sender counts the message */
	if (HEDDLE_EXCHANGE_IS_UNFINISHED(row->kind))
		return add_unfinished(table, rank, row);
	if (!sends && !gets && !collective && !receives)
		return 0;
	struct heddle_exchange_communicator *communicator = communicator_of(table, row->communicator);
	if (!communicator)
		return -ENOMEM;
	struct heddle_exchange_sum sum = {row->messages, row->bytes, row->time_ns};
	if (receives)
		sum.messages = sum.bytes = 0;
	add_sum(collective ? &communicator->collective : &communicator->sent, &sum);
	add_sum(collective ? &table->collective[row->bucket] : &table->sent[row->bucket], &sum);
	if (!collective && rank != HEDDLE_NO_PARTNER && row->partner != HEDDLE_NO_PARTNER)
		add_pair(table, sends ? rank : row->partner, sends ? row->partner : rank, &sum);
	return 0;
}

/* Returns the rank of the process's first thread that has one. */
uint32_t heddle__exchange_rank(const struct profile_process *process)
{
	for (size_t t = 0; t < process->thread_count; t++)
		if (process->threads[t].rank)
			return process->threads[t].rank - 1;
	return HEDDLE_NO_PARTNER;
}

const char *heddle__exchange_kind_name(enum heddle_exchange_kind kind)
{
	static const char *const names[HEDDLE_EXCHANGE_KIND_COUNT] = {
		[HEDDLE_EXCHANGE_SENT] = "sent",
		[HEDDLE_EXCHANGE_RECEIVED] = "received",
		[HEDDLE_EXCHANGE_COLLECTIVE] = "collective",
		[HEDDLE_EXCHANGE_PUT] = "put",
		[HEDDLE_EXCHANGE_GOT] = "got",
		[HEDDLE_EXCHANGE_UNFINISHED] = "unfinished",
		[HEDDLE_EXCHANGE_UNFINISHED_FILE] = "unfinished access to a file",
		[HEDDLE_EXCHANGE_UNFINISHED_COLLECTIVE] = "unfinished collective",
	};
	return names[kind];
}

const char *heddle__exchange_unfinished_with(const struct heddle_exchange_unfinished *row)
{
	if (row->kind == HEDDLE_EXCHANGE_UNFINISHED_FILE)
		return "a file";
	return row->kind == HEDDLE_EXCHANGE_UNFINISHED_COLLECTIVE ? "all" : NULL;
}

static const char *name_of_rank(const struct profile_measurement *measurement)
{
	for (size_t p = 0; p < measurement->process_count; p++)
		for (size_t t = 0; t < measurement->processes[p].thread_count; t++)
			if (measurement->processes[p].threads[t].rank)
				return profile_models_named(
					&measurement->tree.models, measurement->processes[p].threads[t].rank_model)
					->rank;
	return "";
}

static int by_pair(const void *a, const void *b)
{
	const struct heddle_exchange_pair *x = a, *y = b;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

static int by_bytes(const void *a, const void *b)
{
	const struct heddle_exchange_communicator *x = a, *y = b;
	uint64_t one = x->sent.bytes + x->collective.bytes, other = y->sent.bytes + y->collective.bytes;
	if (one != other)
		return one > other ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void merge_pairs(struct heddle_exchange_table *table)
{
	size_t count = 0;
	if (table->pair_count)
		qsort(table->pairs, table->pair_count, sizeof(*table->pairs), by_pair);
	for (size_t i = 0; i < table->pair_count; i++) {
		const struct heddle_exchange_pair *pair = &table->pairs[i];
		struct heddle_exchange_pair *last = count ? &table->pairs[count - 1] : NULL;
		if (last && last->from == pair->from && last->to == pair->to) {
			add_sum(&last->sum, &pair->sum);
		} else {
			table->pairs[count++] = *pair;
		}
	}
	table->pair_count = count;
}

/* Ranks without a process are on the first host. */
static int find_hosts(struct heddle_exchange_table *table, const struct profile_measurement *measurement)
{
	table->host_of = calloc((size_t)table->ranks + 1, sizeof(*table->host_of));
	if (!table->host_of)
		return -ENOMEM;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		uint32_t rank = process->error ? HEDDLE_NO_PARTNER : heddle__exchange_rank(process);
		if (rank == HEDDLE_NO_PARTNER || rank >= table->ranks)
			continue;
		table->host_of[rank] = profile_intern(&table->hosts, process->info->host);
		if (table->host_of[rank] == HEDDLE_INTERN_NONE)
			return -ENOMEM;
	}
	return 0;
}

int heddle__exchange_table_make(struct heddle_exchange_table *table, const struct profile_measurement *measurement)
{
	size_t rows = 0;
	int error = 0;
	*table = (struct heddle_exchange_table){.rank = name_of_rank(measurement)};
	for (size_t p = 0; p < measurement->process_count; p++)
		for (size_t t = 0; t < measurement->processes[p].thread_count; t++)
			rows += measurement->processes[p].threads[t].exchanges.count;
	table->pairs = calloc(rows + 1, sizeof(*table->pairs));
	if (!table->pairs)
		return -ENOMEM;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		uint32_t rank = heddle__exchange_rank(process);
		for (size_t t = 0; t < process->thread_count; t++)
			for (size_t i = 0; i < process->threads[t].exchanges.count && !error; i++)
				error = add_row(table, rank, &process->threads[t].exchanges.rows[i]);
	}
	if (error) {
		heddle__exchange_table_free(table);
		return error;
	}
	merge_pairs(table);
	error = find_hosts(table, measurement);
	if (error) {
		heddle__exchange_table_free(table);
		return error;
	}
	if (table->communicator_count)
		qsort(table->communicators, table->communicator_count, sizeof(*table->communicators), by_bytes);
	return 0;
}

void heddle__exchange_table_free(struct heddle_exchange_table *table)
{
	free(table->pairs);
	free(table->communicators);
	free(table->unfinished);
	free(table->host_of);
	profile_intern_free(&table->hosts);
	*table = (struct heddle_exchange_table){0};
}
