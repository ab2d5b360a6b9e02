/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts rows with equal keys together, and adds them up. */
#include "analysis/access_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BY(key) (keys & HEDDLE_ACCESS_##key)

uint64_t heddle__access_count(const struct heddle_access_row *row)
{
	return row->count[HEDDLE_SIDE_LOCAL] + row->count[HEDDLE_SIDE_SAME_NODE] + row->count[HEDDLE_SIDE_REMOTE] +
	       row->unknown;
}

static int by_threads(const struct heddle_access_row *x, const struct heddle_access_row *y)
{
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->owner > y->owner) - (x->owner < y->owner);
}

static int by_keys(const void *a, const void *b)
{
	const struct heddle_access_row *x = a, *y = b;
	int order = by_threads(x, y);
	order = order ? order : strcmp(x->variable, y->variable);
	order = order ? order : strcmp(x->file, y->file);
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int by_time(const void *a, const void *b)
{
	const struct heddle_access_row *x = a, *y = b;
	uint64_t one = heddle__access_count(x), other = heddle__access_count(y);
	int order = by_threads(x, y);
	if (order)
		return order;
	if (x->time_ns != y->time_ns)
		return x->time_ns > y->time_ns ? -1 : 1;
	if (one != other)
		return one > other ? -1 : 1;
	return by_keys(a, b);
}

static void add_row(struct heddle_access_row *to, const struct heddle_access_row *from)
{
	for (int s = 0; s < HEDDLE_SIDES; s++)
		to->count[s] += from->count[s];
	to->unknown += from->unknown;
	to->moved += from->moved;
	to->time_ns += from->time_ns;
	to->flight_ns += from->flight_ns;
}

static void put_accesses(struct heddle_access_table *table, const struct profile_accesses *accesses, unsigned keys)
{
	for (size_t i = 0; i < accesses->row_count; i++) {
		const struct profile_access *from = &accesses->rows[i];
		struct heddle_access_row *row = &table->rows[table->count++];
		*row = (struct heddle_access_row){.variable = BY(VARIABLE) ? from->variable : "",
			.file = BY(LINE) ? from->file : "",
			.number = BY(LINE) ? from->line : 0,
			.unknown = from->unknown,
			.moved = from->bytes_got + from->bytes_put,
			.time_ns = from->time_ns,
			.flight_ns = from->flight_ns};
		memcpy(row->count, from->count, sizeof(row->count));
	}
}

static void put_pairs(struct heddle_access_table *table, const struct profile_accesses *accesses, unsigned keys)
{
	for (size_t i = 0; i < accesses->pair_count; i++) {
		const struct profile_pair *pair = &accesses->pairs[i];
		struct heddle_access_row *row = &table->rows[table->count++];
		*row = (struct heddle_access_row){.variable = BY(VARIABLE) ? pair->variable : "",
			.file = "",
			.thread = pair->thread,
			.owner = BY(OWNER) ? pair->owner : 0,
			.moved = pair->bytes_got + pair->bytes_put,
			.time_ns = pair->time_ns};
		row->count[pair->side] = pair->gets + pair->puts;
	}
}

static uint64_t wall_of(const struct profile_accesses *accesses, uint32_t rank)
{
	for (size_t i = 0; i < accesses->thread_count; i++)
		if (accesses->threads[i].rank == rank)
			return accesses->threads[i].wall_ns;
	return 0;
}

/* Sets the sums that each row is a part of. Rows of a thread are adjacent. */
static void set_wholes(struct heddle_access_table *table)
{
	for (size_t first = 0, end; first < table->count; first = end) {
		struct heddle_access_row all = {0};
		for (end = first; end < table->count && table->rows[end].thread == table->rows[first].thread; end++)
			add_row(&all, &table->rows[end]);
		for (size_t i = first; i < end; i++) {
			table->rows[i].all_ns = all.time_ns;
			table->rows[i].all_count = heddle__access_count(&all);
		}
	}
}

static void merge_equal(struct heddle_access_table *table)
{
	size_t kept = 0;
	qsort(table->rows, table->count, sizeof(*table->rows), by_keys);
	for (size_t i = 0; i < table->count; i++) {
		add_row(&table->total, &table->rows[i]);
		if (kept && by_keys(&table->rows[kept - 1], &table->rows[i]) == 0)
			add_row(&table->rows[kept - 1], &table->rows[i]);
		else
			table->rows[kept++] = table->rows[i];
	}
	table->count = kept;
	qsort(table->rows, table->count, sizeof(*table->rows), by_time);
}

int heddle__access_table_make(struct heddle_access_table *table, const struct profile_accesses *accesses, unsigned keys)
{
	*table = (struct heddle_access_table){
		.rows = calloc(accesses->row_count + accesses->pair_count + 1, sizeof(*table->rows))};
	if (!table->rows)
		return -ENOMEM;
	if (BY(THREAD))
		put_pairs(table, accesses, keys);
	else
		put_accesses(table, accesses, keys);
	merge_equal(table);
	set_wholes(table);
	for (size_t i = 0; i < table->count && BY(THREAD); i++)
		table->rows[i].wall_ns = wall_of(accesses, table->rows[i].thread);
	for (size_t i = 0; i < accesses->thread_count; i++)
		table->total.wall_ns += accesses->threads[i].wall_ns;
	return 0;
}

void heddle__access_table_free(struct heddle_access_table *table)
{
	free(table->rows);
	*table = (struct heddle_access_table){0};
}

uint32_t heddle__accesses_ranks(const struct profile_accesses *accesses)
{
	uint32_t ranks = 0;
	for (size_t i = 0; i < accesses->pair_count; i++) {
		const struct profile_pair *pair = &accesses->pairs[i];
		if (pair->thread != HEDDLE_NO_RANK && pair->thread >= ranks)
			ranks = pair->thread + 1;
		if (pair->owner != HEDDLE_NO_RANK && pair->owner >= ranks)
			ranks = pair->owner + 1;
	}
	return ranks;
}
