/* SPDX-License-Identifier: BSD-3-Clause */
/* STATISTICS sections: tables of spreads in a merged file, rows without values left out. */
#include "profile/errors.h"
#include "profile/spread.h"

#include <stdlib.h>

/* Room for the rows of a piece. */
struct piece {
	uint32_t rows[HEDDLE_PIECE], counts[HEDDLE_PIECE];
	uint64_t values[5][HEDDLE_PIECE];
	size_t count;
};

static void put_piece(struct heddle_section_writer *writer, struct piece *piece)
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
	if (piece->count)
		heddle__writer_put(writer, &message.base);
	piece->count = 0;
}

static void put_rows(
	struct heddle_section_writer *writer, const struct heddle_spread *table, size_t count, struct piece *piece)
{
	size_t before = 0;
	for (size_t i = 0; i < count; i++) {
		const struct heddle_spread *spread = &table[i];
		size_t n = piece->count;
		if (spread->threads == 0)
			continue;
		piece->rows[n] = (uint32_t)(i - before);
		piece->counts[n] = spread->threads;
		piece->values[0][n] = spread->least;
		piece->values[1][n] = spread->most;
		piece->values[2][n] = spread->sum;
		piece->values[3][n] = (uint64_t)spread->squares;
		piece->values[4][n] = (uint64_t)(spread->squares >> 64);
		before = i;
		if (++piece->count == HEDDLE_PIECE)
			put_piece(writer, piece);
	}
	put_piece(writer, piece);
}

void heddle__spreads_write(struct heddle_section_writer *writer, const struct heddle_spreads *spreads, uint64_t names)
{
	struct piece *piece = calloc(1, sizeof(*piece));
	if (!piece && !writer->error)
		writer->error = -ENOMEM;
	for (int m = 0; piece && m < HEDDLE_METRIC_LIMIT; m++) {
		for (int k = 0; k < HEDDLE_SPREAD_KINDS; k++) {
			Heddle__Profile__Statistics head = HEDDLE__PROFILE__STATISTICS__INIT;
			if (!spreads->of[m][k])
				continue;
			head.metric = heddle_metric_is_counter(m) ? HEDDLE_COUNTER_FIRST : (uint32_t)m;
			head.counter = (char *)(heddle_metric_is_counter(m) ? heddle_metric_name(m) : "");
			head.labels = k == HEDDLE_SPREAD_LABELS;
			head.names = names;
			head.threads = spreads->threads;
			heddle__writer_begin(writer, HEDDLE_SECTION_STATISTICS);
			heddle__writer_put(writer, &head.base);
			put_rows(writer, spreads->of[m][k], spreads->rows[k], piece);
			heddle__writer_end(writer);
		}
	}
	free(piece);
}

int heddle_spreads_save(const struct heddle_spreads *spreads, const char *path, uint64_t names)
{
	struct heddle_section_writer writer;
	heddle__writer_open(&writer, path);
	heddle__spreads_write(&writer, spreads, names);
	return heddle__writer_close(&writer);
}

/* ---- reading ---- */

static bool same_lengths(const Heddle__Profile__Statistics *message)
{
	size_t n = message->n_row;
	return message->n_count == n && message->n_minimum == n && message->n_maximum == n && message->n_sum == n &&
	       message->n_squares == n && message->n_squares_high == n;
}

static int add_rows(
	struct heddle_spreads *spreads, const Heddle__Profile__Statistics *message, enum heddle_metric metric)
{
	enum heddle_spread_rows kind = message->labels ? HEDDLE_SPREAD_LABELS : HEDDLE_SPREAD_PATHS;
	struct heddle_spread *table = spreads->of[metric][kind];
	uint64_t row = 0;
	if (!same_lengths(message))
		return -HEDDLE_INCONSISTENT;
	for (size_t i = 0; table && i < message->n_row; i++) {
		row += message->row[i];
		if (row >= spreads->rows[kind] || message->count[i] == 0 || message->count[i] > message->threads)
			return -HEDDLE_INCONSISTENT;
		struct heddle_spread one = {
			.least = message->minimum[i],
			.most = message->maximum[i],
			.sum = message->sum[i],
			.squares = (unsigned __int128)message->squares_high[i] << 64 | message->squares[i],
			.threads = message->count[i],
		};
		heddle__spread_add(&table[row], &one);
	}
	return 0;
}

static int add_section(
	struct heddle_spreads *spreads, const struct heddle_file_section *section, uint64_t names, uint32_t *threads)
{
	Heddle__Profile__Statistics *message = heddle__profile__statistics__unpack(NULL, section->size, section->data);
	if (!message)
		return -HEDDLE_INCONSISTENT;
	int metric =
		message->metric == HEDDLE_COUNTER_FIRST ? heddle_metric_find(message->counter) : (int)message->metric;
	int error = metric < 0 || metric >= HEDDLE_METRIC_LIMIT ? -HEDDLE_NEWER : 0;
	if (!error && message->names != names)
		error = -HEDDLE_RENAMED;
	if (!error)
		error = add_rows(spreads, message, (enum heddle_metric)metric);
	*threads = message->threads;
	heddle__profile__statistics__free_unpacked(message, NULL);
	return error;
}

static bool wants_any(const struct heddle_spreads *spreads)
{
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
		if (spreads->of[m][HEDDLE_SPREAD_PATHS] || spreads->of[m][HEDDLE_SPREAD_LABELS])
			return true;
	return false;
}

int heddle_spreads_load(struct heddle_spreads *spreads, const char *path, const struct heddle_view *view)
{
	struct heddle_file file;
	uint64_t names = heddle_view_fingerprint(view);
	uint32_t threads = 0;
	bool found = false;
	int error = heddle_file_open(&file, path);
	if (error)
		return error;
	for (size_t i = 0; !error && i < file.section_count; i++) {
		if (file.sections[i].type != HEDDLE_SECTION_STATISTICS)
			continue;
		found = true;
		error = add_section(spreads, &file.sections[i], names, &threads);
	}
	heddle_file_close(&file);
	spreads->threads += threads;
	return error || found || !wants_any(spreads) ? error : -HEDDLE_MERGED;
}
