/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --messages`: how much each region moved, in accesses of what size, and how many of them were remote,
 * that is, went to another node; those to another thread on the same node are apart.
 */
#include "cli/base/wrap.h"
#include "cli/report/report_parts.h"

#include <errno.h>
#include <stdlib.h>
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

struct row {
	uint32_t label;
	uint64_t got, put, local, same_node, remote;
	struct profile_distribution sizes;
	uint64_t buckets[HEDDLE_SIZE_BUCKETS];
};

/* Which columns fit, and how the buckets that occur share the histogram's characters. */
struct table {
	const struct heddle_report *report;
	struct row *rows, total;
	size_t count; /* of rows with accesses */
	struct heddle_column columns[COLUMNS];
	int first_bucket, buckets_a_block, block_count;
};

static uint64_t bytes_of(const struct row *row)
{
	return row->got + row->put;
}

static uint64_t count_of(const struct row *row)
{
	return row->sizes.count ? row->sizes.count : row->local + row->same_node + row->remote;
}

static int by_bytes(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	if (bytes_of(x) != bytes_of(y))
		return bytes_of(x) > bytes_of(y) ? -1 : 1;
	if (count_of(x) != count_of(y))
		return count_of(x) > count_of(y) ? -1 : 1;
	return (x->label > y->label) - (x->label < y->label);
}

/* ---- summing up ---- */

static void add_sizes(struct row *row, const struct profile_distribution *more)
{
	struct profile_distribution *sizes = &row->sizes;
	if (sizes->count == 0 || more->minimum < sizes->minimum)
		sizes->minimum = more->minimum;
	if (sizes->count == 0 || more->maximum > sizes->maximum)
		sizes->maximum = more->maximum;
	sizes->count += more->count;
	sizes->sum += more->sum;
	for (int b = 0; more->buckets && b < HEDDLE_SIZE_BUCKETS; b++)
		row->buckets[b] += more->buckets[b];
}

static void add_row(struct row *sum, const struct row *row)
{
	struct profile_distribution sizes = row->sizes;
	sum->got += row->got;
	sum->put += row->put;
	sum->local += row->local;
	sum->remote += row->remote;
	sum->same_node += row->same_node;
	sizes.buckets = (uint64_t *)row->buckets;
	if (sizes.count)
		add_sizes(sum, &sizes);
}

static uint64_t value(const struct profile_view *view, enum heddle_metric metric, size_t node)
{
	return view->values[metric] ? view->values[metric][node] : 0;
}

static void fill_rows(struct table *table, const struct profile_view *view)
{
	for (uint32_t i = 0; i < view->label_count; i++)
		table->rows[i].label = i;
	for (size_t i = 0; i < view->node_count; i++) {
		struct row *row = &table->rows[view->label_of[i]];
		row->got += value(view, HEDDLE_METRIC_BYTES_GOT, i);
		row->put += value(view, HEDDLE_METRIC_BYTES_PUT, i);
		row->local += value(view, HEDDLE_METRIC_LOCAL, i);
		row->remote += value(view, HEDDLE_METRIC_REMOTE, i);
		row->same_node += value(view, HEDDLE_METRIC_SAME_NODE, i);
	}
	for (size_t i = 0; i < view->distributions.count; i++) {
		const struct profile_distribution *one = &view->distributions.items[i];
		if (one->argument == 0)
			add_sizes(&table->rows[view->label_of[one->node]], one);
	}
	for (uint32_t i = 0; i < view->label_count; i++) {
		table->count += count_of(&table->rows[i]) || bytes_of(&table->rows[i]);
		add_row(&table->total, &table->rows[i]);
	}
	qsort(table->rows, view->label_count, sizeof(*table->rows), by_bytes);
}

/* ---- the table ---- */

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
	const struct heddle_look *look = &table->report->look;
	memcpy(table->columns, all, sizeof(all));
	if (table->total.buckets[table->first_bucket] == 0)
		table->columns[COLUMN_SIZES] = (struct heddle_column){0};
	if (table->total.same_node == 0) /* one thread for each node, or nodes are unknown */
		table->columns[COLUMN_SAME_NODE] = (struct heddle_column){0};
	heddle__columns_fit(look, table->columns, COLUMNS, heddle__names_least(look, 24));
}

static void lay_out(struct table *table)
{
	int first = 0, last = HEDDLE_SIZE_BUCKETS - 1;
	while (first < last && table->total.buckets[first] == 0)
		first++;
	while (last > first && table->total.buckets[last] == 0)
		last--;
	table->first_bucket = first;
	table->buckets_a_block = (last - first) / BLOCKS_LIMIT + 1;
	table->block_count = (last - first) / table->buckets_a_block + 1;
	make_columns(table);
}

static void print_sizes(const struct table *table, const struct row *row)
{
	uint64_t blocks[BLOCKS_LIMIT] = {0};
	for (int b = table->first_bucket; b < HEDDLE_SIZE_BUCKETS; b++) {
		int block = (b - table->first_bucket) / table->buckets_a_block;
		if (block < table->block_count)
			blocks[block] += row->buckets[b];
	}
	fputs("  ", stdout);
	heddle__print_blocks(&table->report->look, blocks, (size_t)table->block_count);
	printf("%*s", BLOCKS_LIMIT - table->block_count, "");
}

/* From a file: may have any value. */
static uint64_t whole(double size)
{
	return size > 0 && size < 1e18 ? (uint64_t)(size + 0.5) : 0;
}

static void print_size(const struct heddle_column *column, const struct row *row, double size)
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

/* Of the accesses whose owner is known. */
static void print_share(const struct heddle_column *column, const struct row *row, uint64_t part)
{
	uint64_t known = row->local + row->same_node + row->remote;
	if (!heddle__column_shown(column))
		return;
	if (known)
		printf(" %*.1f", (int)column->width, 100.0 * (double)part / (double)known);
	else
		printf(" %*s", (int)column->width, "?");
}

static size_t print_numbers(const struct table *table, const struct row *row)
{
	char text[32];
	printf("%10s", heddle__format_count(text, sizeof(text), count_of(row)));
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

static void print_row(const struct table *table, const struct row *row)
{
	size_t used = print_numbers(table, row);
	heddle__print_label(&table->report->look, &table->report->session->view.labels[row->label], used);
	putchar('\n');
}

static void print_total(const struct table *table)
{
	heddle__style(&table->report->look, HEDDLE_STYLE_BOLD);
	print_numbers(table, &table->total);
	fputs("all regions\n", stdout);
	heddle__style(&table->report->look, HEDDLE_STYLE_NORMAL);
}

static void print_legend(const struct table *table)
{
	char low[32], high[32];
	int first = table->first_bucket, end = first + table->buckets_a_block * table->block_count;
	if (!heddle__column_shown(&table->columns[COLUMN_SIZES]))
		return;
	heddle__style(&table->report->look, HEDDLE_STYLE_DIM);
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
	heddle__style(&table->report->look, HEDDLE_STYLE_NORMAL);
}

/*
 * A row is shown for its bytes or for its number of accesses: many small accesses matter as much as a few large ones.
 */
static bool is_hidden(const struct table *table, const struct row *row)
{
	double bytes = (double)bytes_of(&table->total), count = (double)count_of(&table->total);
	double share = heddle__least_percent(table->report->min_percent, table->count) / 100;
	return (double)bytes_of(row) < share * bytes && (double)count_of(row) < share * count;
}

static void print_table(struct table *table)
{
	size_t hidden = 0;
	uint64_t hidden_bytes = 0;
	lay_out(table);
	heddle__columns_print_heading(&table->report->look, table->columns, COLUMNS, "region");
	for (size_t i = 0; i < table->report->session->view.label_count; i++) {
		const struct row *row = &table->rows[i];
		if (count_of(row) == 0 && bytes_of(row) == 0)
			continue;
		if (!is_hidden(table, row)) {
			print_row(table, row);
			continue;
		}
		hidden++;
		hidden_bytes += bytes_of(row);
	}
	print_total(table);
	print_legend(table);
	heddle__print_hidden(table->report, hidden, "region", hidden_bytes, bytes_of(&table->total));
	heddle__columns_print_omitted(&table->report->look, table->columns, COLUMNS);
}

static void print_nothing(const struct heddle_report *report)
{
	struct heddle_wrap how = {.out = stdout, .width = report->look.width};
	heddle__print_wrapped(&how,
		"Nothing tells of accesses to shared memory: UPC programs do, compiled by `heddle upcc "
		"--inst` (local accesses too: --inst-local).\n");
}

int heddle__report_messages(const struct heddle_report *report)
{
	const struct profile_view *view = &report->session->view;
	struct table table = {.report = report, .rows = calloc(view->label_count, sizeof(*table.rows))};
	if (!table.rows)
		return -ENOMEM;
	fill_rows(&table, view);
	if (count_of(&table.total) || bytes_of(&table.total))
		print_table(&table);
	else
		print_nothing(report);
	free(table.rows);
	return 0;
}
