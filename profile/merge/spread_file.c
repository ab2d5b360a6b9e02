/* SPDX-License-Identifier: BSD-3-Clause */
/* STATISTICS sections: tables of spreads in a merged file, without rows that have no values. */
#include "profile/base/errors.h"
#include "profile/file/unpack.h"
#include "profile/merge/spread.h"
#include "profile/view/view_walk.h"

#include <stdlib.h>

/* Buffers for the rows of a piece. */
struct piece {
	uint32_t rows[HEDDLE_PIECE], counts[HEDDLE_PIECE];
	uint64_t values[5][HEDDLE_PIECE];
	protobuf_c_boolean mean_only[HEDDLE_PIECE];
	bool any_mean_only;
	size_t count;
};

static void put_piece(struct profile_section_writer *writer, struct piece *piece)
{
	Heddle__Profile__Statistics message = HEDDLE__PROFILE__STATISTICS__INIT;
	message.n_row = message.n_count = message.n_minimum = message.n_maximum = message.n_sum = message.n_squares =
		message.n_squares_high = piece->count;
	message.row = piece->rows;
	message.count = piece->counts;
	message.minimum = piece->values[0];
	message.maximum = piece->values[1];
	message.sum = piece->values[2];
	message.squares = piece->values[3];
	message.squares_high = piece->values[4];
	message.n_mean_only = piece->any_mean_only ? piece->count : 0;
	message.mean_only = piece->mean_only;
	if (piece->count)
		profile_writer_put(writer, &message.base);
	piece->count = 0;
	piece->any_mean_only = false;
}

/* Returns inclusive values by path or label; NULL: no memory. */
static uint64_t *sums_of(const struct profile_view *view, enum heddle_metric metric, enum profile_spread_rows kind)
{
	uint64_t *sums = view->values[metric] ? profile_view_inclusive(view, metric)
					      : calloc(view->node_count + 1, sizeof(*sums));
	if (kind == HEDDLE_SPREAD_PATHS || !sums)
		return sums;
	uint64_t *by_label = calloc(view->label_count + 1, sizeof(*by_label));
	bool *outermost = profile_view_outermost(view);
	for (size_t i = 0; by_label && outermost && i < view->node_count; i++)
		by_label[view->label_of[i]] += outermost[i] ? sums[i] : 0;
	if (!outermost) {
		free(by_label);
		by_label = NULL;
	}
	free(outermost);
	free(sums);
	return by_label;
}

/* A reader that has the sums can restore all other rows. */
static bool needs_row(const struct profile_spread *spread, uint64_t sum)
{
	return spread->threads > 1 || spread->sum != sum;
}

/* Without `sums`, writes all rows with values. */
static void put_rows(struct profile_section_writer *writer, const struct profile_spread *table, size_t count,
	const uint64_t *sums, struct piece *piece)
{
	size_t before = 0;
	for (size_t i = 0; i < count; i++) {
		const struct profile_spread *spread = &table[i];
		size_t n = piece->count;
		if (sums ? !needs_row(spread, sums[i]) : spread->threads == 0)
			continue;
		piece->rows[n] = (uint32_t)(i - before);
		piece->counts[n] = spread->threads;
		piece->values[0][n] = spread->least;
		piece->values[1][n] = spread->most;
		piece->values[2][n] = spread->sum;
		piece->values[3][n] = spread->squares;
		piece->values[4][n] = spread->squares_high;
		piece->mean_only[n] = spread->mean_only;
		piece->any_mean_only = piece->any_mean_only || spread->mean_only;
		before = i;
		if (++piece->count == HEDDLE_PIECE)
			put_piece(writer, piece);
	}
	put_piece(writer, piece);
}

static void put_table(struct profile_section_writer *writer, const struct profile_spreads *spreads,
	enum heddle_metric metric, Heddle__Profile__Statistics *head, const struct profile_view *view)
{
	enum profile_spread_rows kind = head->labels ? HEDDLE_SPREAD_LABELS : HEDDLE_SPREAD_PATHS;
	struct piece *piece = calloc(1, sizeof(*piece));
	uint64_t *sums = head->some ? sums_of(view, metric, kind) : NULL;
	if ((!piece || (head->some && !sums)) && !writer->error)
		writer->error = -ENOMEM;
	head->metric = profile_metric_is_counter(metric) ? HEDDLE_COUNTER_FIRST : (uint32_t)metric;
	head->counter = (char *)(profile_metric_is_counter(metric) ? profile_metric_name(metric) : "");
	head->threads = spreads->threads;
	profile_writer_begin(writer, HEDDLE_SECTION_STATISTICS);
	profile_writer_put(writer, &head->base);
	if (piece && !writer->error)
		put_rows(writer, spreads->of[metric][kind], spreads->rows[kind], sums, piece);
	profile_writer_end(writer);
	free(sums);
	free(piece);
}

void profile_spreads_write(struct profile_section_writer *writer, const struct profile_spreads *spreads,
	const struct profile_view *view, bool all)
{
	enum heddle_metric order[HEDDLE_METRIC_LIMIT];
	size_t count = profile_metric_order(order);
	uint64_t names = profile_view_fingerprint(view);
	for (size_t i = 0; i < count; i++) {
		for (int k = 0; k < HEDDLE_SPREAD_KINDS; k++) {
			Heddle__Profile__Statistics head = HEDDLE__PROFILE__STATISTICS__INIT;
			head.labels = k == HEDDLE_SPREAD_LABELS;
			head.names = names;
			head.some = !all;
			if (spreads->of[order[i]][k])
				put_table(writer, spreads, order[i], &head, view);
		}
	}
}

int profile_spreads_save(const struct profile_spreads *spreads, const char *path, const struct profile_view *view)
{
	struct profile_section_writer writer;
	profile_writer_open(&writer, path);
	profile_spreads_write(&writer, spreads, view, true);
	return profile_writer_close(&writer);
}

/* ---- reading ---- */

static bool same_lengths(const Heddle__Profile__Statistics *message)
{
	size_t n = message->n_row;
	return message->n_count == n && message->n_minimum == n && message->n_maximum == n && message->n_sum == n &&
	       message->n_squares == n && message->n_squares_high == n &&
	       (message->n_mean_only == n || message->n_mean_only == 0);
}

static int add_rows(
	struct profile_spreads *spreads, const Heddle__Profile__Statistics *message, enum heddle_metric metric)
{
	enum profile_spread_rows kind = message->labels ? HEDDLE_SPREAD_LABELS : HEDDLE_SPREAD_PATHS;
	struct profile_spread *table = spreads->of[metric][kind];
	uint64_t row = 0;
	if (!same_lengths(message))
		return -HEDDLE_INCONSISTENT;
	for (size_t i = 0; table && i < message->n_row; i++) {
		row += message->row[i];
		if (row >= spreads->rows[kind] || message->count[i] > message->threads)
			return -HEDDLE_INCONSISTENT;
		struct profile_spread one = {
			.least = message->minimum[i],
			.most = message->maximum[i],
			.sum = message->sum[i],
			.squares = message->squares[i],
			.squares_high = message->squares_high[i],
			.threads = message->count[i],
			.mean_only = message->n_mean_only && message->mean_only[i],
		};
		if (message->some)
			table[row] = one;
		else
			profile_spread_add(&table[row], &one);
	}
	return 0;
}

/* Restores rows that were left out: a single thread has the whole value. */
static int make_single_rows(struct profile_spreads *spreads, const Heddle__Profile__Statistics *message,
	enum heddle_metric metric, const struct profile_view *view)
{
	enum profile_spread_rows kind = message->labels ? HEDDLE_SPREAD_LABELS : HEDDLE_SPREAD_PATHS;
	struct profile_spread *table = spreads->of[metric][kind];
	uint64_t *sums = table && message->some ? sums_of(view, metric, kind) : NULL;
	if (!table || !message->some)
		return 0;
	for (size_t i = 0; sums && i < spreads->rows[kind]; i++)
		table[i] = profile_spread_of(sums[i], 1);
	free(sums);
	return sums ? 0 : -ENOMEM;
}

/* The tables found in a file. Each has a row for every path, so a table must not occur twice. */
struct loaded {
	bool tables[HEDDLE_METRIC_LIMIT][HEDDLE_SPREAD_KINDS];
	uint32_t threads;
};

static int add_section(struct profile_spreads *spreads, const struct profile_file_section *section,
	const struct profile_view *view, uint64_t names, struct loaded *loaded)
{
	Heddle__Profile__Statistics *message =
		profile_unpack(&heddle__profile__statistics__descriptor, section->size, section->data);
	if (!message)
		return -HEDDLE_INCONSISTENT;
	int metric =
		message->metric == HEDDLE_COUNTER_FIRST ? profile_metric_find(message->counter) : (int)message->metric;
	int error = metric < 0 || metric >= HEDDLE_METRIC_LIMIT ? -HEDDLE_NEWER : 0;
	if (!error && message->names != names)
		error = -HEDDLE_RENAMED;
	if (!error && loaded->tables[metric][message->labels])
		error = -HEDDLE_INCONSISTENT;
	if (!error)
		error = make_single_rows(spreads, message, (enum heddle_metric)metric, view);
	if (!error)
		error = add_rows(spreads, message, (enum heddle_metric)metric);
	if (!error)
		loaded->tables[metric][message->labels] = true;
	loaded->threads = message->threads;
	heddle__profile__statistics__free_unpacked(message, NULL);
	return error;
}

static bool wants_any(const struct profile_spreads *spreads)
{
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
		if (spreads->of[m][HEDDLE_SPREAD_PATHS] || spreads->of[m][HEDDLE_SPREAD_LABELS])
			return true;
	return false;
}

int profile_spreads_load(struct profile_spreads *spreads, const char *path, const struct profile_view *view)
{
	struct profile_file file;
	uint64_t names = profile_view_fingerprint(view);
	struct loaded loaded = {.threads = 0};
	bool found = false;
	int error = profile_file_open(&file, path);
	if (error)
		return error;
	for (size_t i = 0; !error && i < file.section_count; i++) {
		if (file.sections[i].type != HEDDLE_SECTION_STATISTICS)
			continue;
		found = true;
		error = add_section(spreads, &file.sections[i], view, names, &loaded);
	}
	profile_file_close(&file);
	spreads->threads += loaded.threads;
	return error || found || !wants_any(spreads) ? error : -HEDDLE_MERGED;
}
