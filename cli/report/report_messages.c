/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --messages`: how many bytes each region moved, in accesses of which sizes, and how many accesses were
 * remote, that is, to another node; accesses to other threads on the same node are counted separately.
 */
#include "analysis/messages.h"
#include "cli/base/wrap.h"
#include "cli/report/report_parts.h"

#include <string.h>

#define BLOCKS_LIMIT 8 /* characters of a histogram */

enum {
	COLUMN_COUNT,
	COLUMN_GOT,
	COLUMN_PUT,
	COLUMN_SAME_NODE,
	COLUMN_REMOTE,
	COLUMN_LEAST,
	COLUMN_MEAN,
	COLUMN_MOST,
	COLUMN_SIZES,
	COLUMNS
};

/* The columns that fit, and how many buckets share a character of the histogram. */
struct table {
	const struct heddle_report *report;
	struct heddle_messages messages;
	struct heddle_column columns[COLUMNS];
	int first_bucket, buckets_a_block, block_count;
};

static void make_columns(struct table *table)
{
	static const struct heddle_column all[COLUMNS] = {
		[COLUMN_COUNT] = {"accesses", 10, 0, false},
		[COLUMN_GOT] = {"got", 9, 0, false},
		[COLUMN_PUT] = {"put", 9, 0, false},
		[COLUMN_SAME_NODE] = {"same-node %", 11, 1, false},
		[COLUMN_REMOTE] = {"remote %", 8, 0, false},
		[COLUMN_LEAST] = {"min size", 9, 5, false},
		[COLUMN_MEAN] = {"mean size", 9, 2, false},
		[COLUMN_MOST] = {"max size", 9, 4, false},
		[COLUMN_SIZES] = {"sizes", BLOCKS_LIMIT + 1, 3, false},
	};
	const struct heddle_terminal *terminal = &table->report->terminal;
	memcpy(table->columns, all, sizeof(all));
	if (table->messages.total.buckets[table->first_bucket] == 0)
		table->columns[COLUMN_SIZES] = (struct heddle_column){0};
	if (table->messages.exchanged) {
		table->columns[COLUMN_COUNT].heading = "calls";
		table->columns[COLUMN_GOT].heading = "received";
		table->columns[COLUMN_PUT].heading = "sent";
	}
	if (table->messages.exchanged && !table->messages.accessed)
		table->columns[COLUMN_REMOTE] = (struct heddle_column){0};
	if (table->messages.total.same_node == 0) /* one thread on each node, or nodes are unknown */
		table->columns[COLUMN_SAME_NODE] = (struct heddle_column){0};
	heddle__columns_fit(terminal, table->columns, COLUMNS, heddle__names_least(terminal, 24));
}

static void lay_out(struct table *table)
{
	int first = 0, last = HEDDLE_SIZE_BUCKETS - 1;
	while (first < last && table->messages.total.buckets[first] == 0)
		first++;
	while (last > first && table->messages.total.buckets[last] == 0)
		last--;
	table->first_bucket = first;
	table->buckets_a_block = (last - first) / BLOCKS_LIMIT + 1;
	table->block_count = (last - first) / table->buckets_a_block + 1;
	make_columns(table);
}

static void print_sizes(const struct table *table, const struct heddle_message_row *row)
{
	uint64_t blocks[BLOCKS_LIMIT] = {0};
	for (int b = table->first_bucket; b < HEDDLE_SIZE_BUCKETS; b++) {
		int block = (b - table->first_bucket) / table->buckets_a_block;
		if (block < table->block_count)
			blocks[block] += row->buckets[b];
	}
	fputs("  ", stdout);
	heddle__print_blocks(&table->report->terminal, blocks, (size_t)table->block_count);
	printf("%*s", BLOCKS_LIMIT - table->block_count, "");
}

/* Converts a size from a file, which may have any value. */
static uint64_t whole(double size)
{
	return size > 0 && size < 1e18 ? (uint64_t)(size + 0.5) : 0;
}

static void print_size(const struct heddle_column *column, const struct heddle_message_row *row, double size)
{
	char text[32];
	if (heddle__column_shown(column))
		printf(" %9s", row->sizes.count ? heddle__format_bytes(text, sizeof(text), whole(size)) : "-");
}

static void print_moved(uint64_t bytes)
{
	char text[32];
	printf(" %9s", bytes ? heddle__format_bytes(text, sizeof(text), bytes) : "-");
}

/* Prints a part's share of the accesses with a known owner. */
static void print_share(const struct heddle_column *column, const struct heddle_message_row *row, uint64_t part)
{
	uint64_t known = row->local + row->same_node + row->remote;
	if (!heddle__column_shown(column))
		return;
	if (known)
		printf(" %*.1f", (int)column->width, 100.0 * (double)part / (double)known);
	else
		printf(" %*s", (int)column->width, "?");
}

static size_t print_numbers(const struct table *table, const struct heddle_message_row *row)
{
	char text[32];
	printf("%10s", heddle__format_count(text, sizeof(text), heddle__message_count(row)));
	print_moved(row->got);
	print_moved(row->put);
	print_share(&table->columns[COLUMN_SAME_NODE], row, row->same_node);
	print_share(&table->columns[COLUMN_REMOTE], row, row->remote);
	print_size(&table->columns[COLUMN_LEAST], row, row->sizes.minimum);
	print_size(&table->columns[COLUMN_MEAN], row, row->sizes.sum / (double)row->sizes.count);
	print_size(&table->columns[COLUMN_MOST], row, row->sizes.maximum);
	if (heddle__column_shown(&table->columns[COLUMN_SIZES]))
		print_sizes(table, row);
	fputs("  ", stdout);
	return heddle__columns_width(table->columns, COLUMNS) + 2;
}

static void print_row(const struct table *table, const struct heddle_message_row *row)
{
	size_t used = print_numbers(table, row);
	heddle__print_label(&table->report->terminal, &table->report->session->view.labels[row->label], used);
	putchar('\n');
}

static void print_total(const struct table *table)
{
	heddle__style(&table->report->terminal, HEDDLE_STYLE_BOLD);
	print_numbers(table, &table->messages.total);
	fputs("all regions\n", stdout);
	heddle__style(&table->report->terminal, HEDDLE_STYLE_NORMAL);
}

static void print_legend(const struct table *table)
{
	char low[32], high[32];
	int first = table->first_bucket, end = first + table->buckets_a_block * table->block_count;
	if (!heddle__column_shown(&table->columns[COLUMN_SIZES]))
		return;
	heddle__style(&table->report->terminal, HEDDLE_STYLE_DIM);
	heddle__format_bytes(low, sizeof(low), first ? (uint64_t)1 << (first - 1) : 0);
	heddle__format_bytes(high, sizeof(high), (uint64_t)1 << (end - 1));
	printf("\nsizes: from %s to ", low);
	if (end < HEDDLE_SIZE_BUCKETS)
		printf("below %s", high);
	else
		fputs("the largest", stdout);
	if (table->buckets_a_block == 1)
		puts(", a column for each power of two");
	else
		printf(", a column for each %d powers of two\n", table->buckets_a_block);
	heddle__style(&table->report->terminal, HEDDLE_STYLE_NORMAL);
}

/*
 * A row is shown for its bytes or for its number of accesses: many small accesses matter as much as a few large ones.
 */
static bool is_hidden(const struct table *table, const struct heddle_message_row *row)
{
	double bytes = (double)heddle__message_bytes(&table->messages.total),
	       count = (double)heddle__message_count(&table->messages.total);
	double share = heddle__least_percent(table->report->min_percent, table->messages.count) / 100;
	return (double)heddle__message_bytes(row) < share * bytes && (double)heddle__message_count(row) < share * count;
}

static void print_table(struct table *table)
{
	size_t hidden = 0;
	uint64_t hidden_bytes = 0;
	lay_out(table);
	heddle__columns_print_heading(&table->report->terminal, table->columns, COLUMNS, "region");
	for (size_t i = 0; i < table->messages.count; i++) {
		const struct heddle_message_row *row = &table->messages.rows[i];
		if (!is_hidden(table, row)) {
			print_row(table, row);
			continue;
		}
		hidden++;
		hidden_bytes += heddle__message_bytes(row);
	}
	print_total(table);
	print_legend(table);
	heddle__print_hidden(
		table->report, hidden, "region", hidden_bytes, heddle__message_bytes(&table->messages.total));
	heddle__columns_print_omitted(&table->report->terminal, table->columns, COLUMNS);
}

static void print_nothing(const struct heddle_report *report)
{
	struct heddle_wrap how = {.out = stdout, .width = report->terminal.width};
	heddle__print_wrapped(&how,
		"No messages and no shared-memory accesses were recorded. MPI calls report messages (docs/mpi.md); UPC "
		"programs compiled with `heddle upcc --inst` report accesses (local ones with --inst-local).\n");
}

static int print(const struct heddle_report *report)
{
	struct table table = {.report = report};
	int error = heddle__messages_make(&table.messages, &report->session->view);
	if (error)
		return error;
	if (table.messages.count)
		print_table(&table);
	else
		print_nothing(report);
	if (table.messages.exchanged)
		error = heddle__report_message_paths(report);
	heddle__messages_free(&table.messages);
	if (!error)
		error = heddle__report_files(report);
	return error ? error : heddle__report_exchanges(report);
}

const struct heddle_report_part heddle__report_part_messages = {.own_metric = true, .print = print};
