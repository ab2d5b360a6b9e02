/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks sent to each other, and shared in collectives: by size, by communicator, and by pair, most bytes first;
 * and what they read and wrote, by file.
 */
#include "cli/browse/browse.h"

#include "analysis/exchange_table.h"
#include "analysis/file_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS_MOST 1000

enum { COLUMN_MESSAGES, COLUMN_BYTES, COLUMN_TIME, COLUMN_SHARED, COLUMN_SHARED_BYTES, COLUMN_SHARED_TIME, COLUMNS };

/* A line; a title has no sums. */
struct line {
	char text[96];
	const struct heddle_exchange_sum *sent, *shared; /* NULL: none */
	bool title;
};

struct messages {
	struct heddle_exchange_table table;
	struct heddle_file_table files;
	struct heddle_exchange_sum *file_sums; /* of each file: read, written */
	struct line *lines;
	size_t count, capacity;
	bool known;
};

static struct messages *messages_of(const struct heddle_browse *browse)
{
	return browse->states[HEDDLE_BROWSE_messages].own;
}

static void release(void *own)
{
	struct messages *messages = own;
	if (messages->known)
		heddle__exchange_table_free(&messages->table);
	heddle__file_table_free(&messages->files);
	free(messages->file_sums);
	free(messages->lines);
}

/* ---- lines ---- */

static struct line *add_line(
	struct messages *messages, const struct heddle_exchange_sum *sent, const struct heddle_exchange_sum *shared)
{
	if (profile_reserve(&messages->lines, &messages->capacity, messages->count + 1, sizeof(*messages->lines)) != 0)
		return NULL;
	messages->lines[messages->count] = (struct line){.sent = sent, .shared = shared};
	return &messages->lines[messages->count++];
}

static int add_title(struct messages *messages, const char *title)
{
	struct line *line = add_line(messages, NULL, NULL);
	if (!line)
		return -ENOMEM;
	line->title = true;
	snprintf(line->text, sizeof(line->text), "%s", title);
	return 0;
}

static int add_sizes(struct messages *messages)
{
	const struct heddle_exchange_table *table = &messages->table;
	char bytes[32];
	int error = add_title(messages, "by size");
	for (unsigned int b = 0; b < HEDDLE_SIZE_BUCKETS && !error; b++) {
		if (!table->sent[b].messages && !table->collective[b].messages)
			continue;
		struct line *line = add_line(messages, &table->sent[b], &table->collective[b]);
		if (!line)
			return -ENOMEM;
		bool last = b + 1 == HEDDLE_SIZE_BUCKETS;
		snprintf(line->text, sizeof(line->text), "  %s%s", last ? "any larger" : "below ",
			last ? "" : heddle__format_bytes(bytes, sizeof(bytes), (uint64_t)1 << b));
	}
	return error;
}

static int add_communicators(struct messages *messages)
{
	const struct heddle_exchange_table *table = &messages->table;
	int error = add_title(messages, "by communicator");
	for (size_t i = 0; i < table->communicator_count && !error; i++) {
		const struct heddle_exchange_communicator *row = &table->communicators[i];
		struct line *line = add_line(messages, &row->sent, &row->collective);
		if (!line)
			return -ENOMEM;
		snprintf(line->text, sizeof(line->text), "  %.80s", *row->name ? row->name : "(not known)");
	}
	return error;
}

static int by_bytes(const void *one, const void *other)
{
	const struct heddle_exchange_pair *a = one, *b = other;
	if (a->sum.bytes != b->sum.bytes)
		return a->sum.bytes < b->sum.bytes ? 1 : -1;
	return a->from != b->from ? (a->from > b->from) - (a->from < b->from) : (a->to > b->to) - (a->to < b->to);
}

static int add_pairs(struct messages *messages)
{
	struct heddle_exchange_table *table = &messages->table;
	int error = table->pair_count ? add_title(messages, "from rank to rank, in messages and through windows") : 0;
	qsort(table->pairs, table->pair_count, sizeof(*table->pairs), by_bytes);
	for (size_t i = 0; i < table->pair_count && i < PAIRS_MOST && !error; i++) {
		const struct heddle_exchange_pair *pair = &table->pairs[i];
		struct line *line = add_line(messages, &pair->sum, NULL);
		if (!line)
			return -ENOMEM;
		snprintf(line->text, sizeof(line->text), "  %.20s %" PRIu32 " to %" PRIu32, table->rank, pair->from,
			pair->to);
	}
	return error;
}

static int add_files(struct messages *messages)
{
	const struct heddle_file_table *files = &messages->files;
	int error = files->count ? add_title(messages, "by file: reads at the left, writes at the right") : 0;
	messages->file_sums = calloc(2 * files->count + 1, sizeof(*messages->file_sums));
	if (!messages->file_sums)
		return -ENOMEM;
	for (size_t i = 0; i < files->count && !error; i++) {
		const struct heddle_file *file = &files->files[i];
		struct heddle_exchange_sum *sums = &messages->file_sums[2 * i];
		sums[0] = (struct heddle_exchange_sum){file->reads, file->bytes_read, file->read_ns};
		sums[1] = (struct heddle_exchange_sum){file->writes, file->bytes_written, file->write_ns};
		struct line *line = add_line(messages, &sums[0], &sums[1]);
		if (!line)
			return -ENOMEM;
		snprintf(line->text, sizeof(line->text), "  %.80s", file->shown);
	}
	return error;
}

static int make(struct heddle_browse *browse)
{
	struct messages *messages = messages_of(browse);
	int error = heddle__exchange_table_make(&messages->table, &browse->data.session.measurement);
	if (error)
		return error;
	messages->known = true;
	error = heddle__file_table_make(&messages->files, &browse->data.session.measurement);
	if (!error && messages->table.communicator_count)
		error = add_sizes(messages);
	if (!error && messages->table.communicator_count)
		error = add_communicators(messages);
	if (!error)
		error = add_files(messages);
	return error ? error : add_pairs(messages);
}

static const char *missing(struct heddle_browse *browse)
{
	bool made = browse->states[HEDDLE_BROWSE_messages].made;
	return made && !messages_of(browse)->count ? "no rank sent a message; only MPI programs do" : NULL;
}

static size_t count(const struct heddle_browse *browse)
{
	return messages_of(browse)->count;
}

/* ---- drawing ---- */

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	(void)browse;
	columns[COLUMN_MESSAGES] = (struct heddle_column){"messages", 10, 0, false};
	columns[COLUMN_BYTES] = (struct heddle_column){"bytes", 9, 0, false};
	columns[COLUMN_TIME] = (struct heddle_column){"time", 9, 1, false};
	columns[COLUMN_SHARED] = (struct heddle_column){"collective", 10, 1, false};
	columns[COLUMN_SHARED_BYTES] = (struct heddle_column){"bytes", 9, 2, false};
	columns[COLUMN_SHARED_TIME] = (struct heddle_column){"time", 9, 2, false};
	return COLUMNS;
}

static void put(struct heddle_browse_cell *cells, const struct heddle_exchange_sum *sum)
{
	if (!sum || !sum->messages)
		return;
	heddle__format_count(cells[0].text, sizeof(cells[0].text), sum->messages);
	heddle__format_bytes(cells[1].text, sizeof(cells[1].text), sum->bytes);
	heddle__format_time(cells[2].text, sizeof(cells[2].text), sum->time_ns);
}

static void draw(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row)
{
	const struct line *line = &messages_of(browse)->lines[index];
	put(&row->cells[COLUMN_MESSAGES], line->sent);
	put(&row->cells[COLUMN_SHARED], line->shared);
	row->text = line->text;
	row->length = strlen(line->text);
	row->style = line->title ? HEDDLE_STYLE_BOLD : HEDDLE_STYLE_NORMAL;
}

const struct heddle_browse_view heddle__browse_view_messages = {
	.name = "messages",
	.names = "messages and collectives of ranks",
	.own_size = sizeof(struct messages),
	.missing = missing,
	.make = make,
	.release = release,
	.count = count,
	.columns = columns,
	.row = draw,
};
