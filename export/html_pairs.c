/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The matrix of threads: accesses to each other's memory, or messages from rank to rank. If there are too many cells,
 * consecutive threads are combined into groups, then variables into one: sums stay exact.
 */
#include "export/html_views.h"

#include "analysis/access_table.h"
#include "analysis/exchange_table.h"
#include "export/json_text.h"
#include "profile/view/accesses.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define CELLS_LIMIT 16384u

/* The sum of pairs with equal keys; `thread` and `owner` are groups. */
struct cell {
	uint32_t variable, thread, owner;
	uint64_t accesses, remote, bytes, time_ns;
};

struct matrix {
	struct cell *cells;
	size_t count;
	uint32_t ranks, groups; /* group `groups`: threads without a rank */
	struct profile_intern variables;
};

static int by_keys(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;
	if (x->variable != y->variable)
		return x->variable < y->variable ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->owner > y->owner) - (x->owner < y->owner);
}

/* Adds up cells of equal keys. */
static void merge_equal(struct matrix *matrix)
{
	size_t kept = 0;
	qsort(matrix->cells, matrix->count, sizeof(*matrix->cells), by_keys);
	for (size_t i = 0; i < matrix->count; i++) {
		const struct cell *from = &matrix->cells[i];
		struct cell *to = kept ? &matrix->cells[kept - 1] : NULL;
		if (!to || by_keys(to, from) != 0) {
			matrix->cells[kept++] = *from;
			continue;
		}
		to->accesses += from->accesses;
		to->remote += from->remote;
		to->bytes += from->bytes;
		to->time_ns += from->time_ns;
	}
	matrix->count = kept;
}

/* The input of the matrix. */
struct source {
	const struct profile_accesses *accesses;
	const struct heddle_exchange_table *exchanges; /* NULL: accesses */
};

static uint32_t group_of(const struct matrix *matrix, uint32_t rank)
{
	return rank == HEDDLE_NO_RANK ? matrix->groups : (uint32_t)((uint64_t)rank * matrix->groups / matrix->ranks);
}

static int fill_accesses(struct matrix *matrix, const struct profile_accesses *accesses)
{
	for (size_t i = 0; i < accesses->pair_count; i++) {
		const struct profile_pair *pair = &accesses->pairs[i];
		struct cell *cell = &matrix->cells[matrix->count++];
		*cell = (struct cell){
			.variable = profile_intern(&matrix->variables, pair->variable),
			.thread = group_of(matrix, pair->thread),
			.owner = group_of(matrix, pair->owner),
			.accesses = pair->gets + pair->puts,
			.remote = pair->side == HEDDLE_SIDE_REMOTE ? pair->gets + pair->puts : 0,
			.bytes = pair->bytes_got + pair->bytes_put,
			.time_ns = pair->time_ns,
		};
		if (cell->variable == HEDDLE_INTERN_NONE)
			return -ENOMEM;
	}
	return 0;
}

/* Adds messages, and accesses to windows. */
static void fill_exchanges(struct matrix *matrix, const struct heddle_exchange_table *table)
{
	for (size_t i = 0; i < table->pair_count; i++) {
		const struct heddle_exchange_pair *pair = &table->pairs[i];
		bool remote = table->host_of[pair->from] != table->host_of[pair->to];
		matrix->cells[matrix->count++] = (struct cell){
			.thread = group_of(matrix, pair->from),
			.owner = group_of(matrix, pair->to),
			.accesses = pair->sum.messages,
			.remote = remote ? pair->sum.messages : 0,
			.bytes = pair->sum.bytes,
			.time_ns = pair->sum.time_ns,
		};
	}
}

static int fill(struct matrix *matrix, const struct source *source, uint32_t groups)
{
	const struct heddle_exchange_table *exchanges = source->exchanges;
	size_t count = exchanges ? exchanges->pair_count : source->accesses->pair_count;
	free(matrix->cells);
	matrix->count = 0;
	matrix->ranks = exchanges ? exchanges->ranks : heddle__accesses_ranks(source->accesses);
	matrix->groups = matrix->ranks < groups ? matrix->ranks : groups;
	matrix->cells = calloc(count + 1, sizeof(*matrix->cells));
	if (!matrix->cells)
		return -ENOMEM;
	if (!exchanges)
		return fill_accesses(matrix, source->accesses);
	fill_exchanges(matrix, exchanges);
	return 0;
}

/*
 * Shows every thread if there are few enough cells; otherwise groups of threads; otherwise also all variables as one.
 */
static int make(struct matrix *matrix, const struct source *source)
{
	int error = fill(matrix, source, UINT32_MAX);
	if (!error)
		merge_equal(matrix);
	if (!error && matrix->count > CELLS_LIMIT && matrix->groups > EXPORT_PAGE_BINS) {
		error = fill(matrix, source, EXPORT_PAGE_BINS);
		merge_equal(matrix);
	}
	if (error || matrix->count <= CELLS_LIMIT)
		return error;
	for (size_t i = 0; i < matrix->count; i++)
		matrix->cells[i].variable = 0;
	merge_equal(matrix);
	profile_intern_free(&matrix->variables);
	matrix->variables = (struct profile_intern){0};
	return 0;
}

/* Writes "cells": [variable, thread, owner, accesses, remote ones, bytes, ns]; without "variables" they are of all. */
static void write_matrix(const struct matrix *matrix, const char *rank, bool messages, FILE *out)
{
	fputs("\"pairs\":{\"rank\":", out);
	export_json_string(out, rank);
	fprintf(out, ",\"messages\":%s", messages ? "true" : "false");
	fprintf(out, ",\"threads\":%" PRIu32 ",\"groups\":%" PRIu32 ",\"variables\":[", matrix->ranks, matrix->groups);
	for (size_t i = 0; i < matrix->variables.count; i++) {
		fputs(i ? "," : "", out);
		export_json_string(out, matrix->variables.texts[i]);
	}
	fputs("],\n\"cells\":[", out);
	for (size_t i = 0; i < matrix->count; i++) {
		const struct cell *cell = &matrix->cells[i];
		fprintf(out, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]",
			i ? ",\n" : "", cell->variable, cell->thread, cell->owner, cell->accesses, cell->remote,
			cell->bytes, cell->time_ns);
	}
	fputs("]}", out);
}

static int write_pairs(const struct export_page *page, const struct source *source, FILE *out)
{
	struct matrix matrix = {0};
	const char *rank = source->exchanges ? source->exchanges->rank : source->accesses->rank;
	int error = make(&matrix, source);
	if (page->part)
		matrix.count = 0; /* pairs are known only for the whole run */
	if (!error)
		write_matrix(&matrix, rank, source->exchanges, out);
	free(matrix.cells);
	profile_intern_free(&matrix.variables);
	return error;
}

int export_page_pairs(const struct export_page *page, FILE *out)
{
	struct profile_accesses accesses;
	struct heddle_exchange_table exchanges;
	struct source source = {&accesses, NULL};
	int error = profile_accesses_make(&accesses, page->request->measurement);
	if (error)
		return error;
	error = heddle__exchange_table_make(&exchanges, page->request->measurement);
	if (!error) {
		if (!accesses.pair_count && exchanges.pair_count)
			source.exchanges = &exchanges;
		error = write_pairs(page, &source, out);
		heddle__exchange_table_free(&exchanges);
	}
	profile_accesses_free(&accesses);
	return error;
}
