/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --messages` of programs whose ranks exchange data: the calls by call path. */
#include "analysis/message_paths.h"
#include "analysis/text.h"
#include "cli/report/report_parts.h"

#include <errno.h>
#include <stdlib.h>

#define PATHS_MOST 20
#define NAMES_LEAST 40

enum { COLUMN_CALLS, COLUMN_TIME, COLUMN_RECEIVED, COLUMN_SENT, COLUMNS };

struct table {
	const struct heddle_report *report;
	struct heddle_message_paths paths;
	struct heddle_column columns[COLUMNS];
};

static void print_bytes(uint64_t bytes)
{
	char text[32];
	printf(" %9s", bytes ? heddle__format_bytes(text, sizeof(text), bytes) : "-");
}

static int print_row(const struct table *table, const struct heddle_message_path *row)
{
	char text[32];
	char *path = heddle__message_path_text(&table->report->session->view, row->node);
	if (!path)
		return -ENOMEM;
	printf("%10s", heddle__format_count(text, sizeof(text), row->calls));
	if (heddle__column_shown(&table->columns[COLUMN_TIME]))
		printf(" %9s", heddle__format_time(text, sizeof(text), row->in_ns));
	print_bytes(row->received);
	print_bytes(row->sent);
	fputs("  ", stdout);
	heddle__print_fitting(&table->report->terminal, path, heddle__columns_width(table->columns, COLUMNS) + 2);
	putchar('\n');
	free(path);
	return 0;
}

static void make_columns(struct table *table)
{
	const struct heddle_terminal *terminal = &table->report->terminal;
	table->columns[COLUMN_CALLS] = (struct heddle_column){"calls", 10, 0, false};
	table->columns[COLUMN_TIME] = (struct heddle_column){"time", 9, 1, false};
	table->columns[COLUMN_RECEIVED] = (struct heddle_column){"received", 9, 0, false};
	table->columns[COLUMN_SENT] = (struct heddle_column){"sent", 9, 0, false};
	heddle__columns_fit(terminal, table->columns, COLUMNS, heddle__names_least(terminal, NAMES_LEAST));
}

static void print_rest(const struct table *table, size_t count, uint64_t bytes)
{
	char number[32], text[32];
	if (!count)
		return;
	heddle__style(&table->report->terminal, HEDDLE_STYLE_DIM);
	printf("and %s more path%s with %s: --min 0 shows all\n", heddle__format_count(number, sizeof(number), count),
		count == 1 ? "" : "s", heddle__format_bytes(text, sizeof(text), bytes));
	heddle__style(&table->report->terminal, HEDDLE_STYLE_NORMAL);
}

/* Prints the first rows, unless --min selects rows. The line below them has the sum of the others. */
static int print_rows(const struct table *table)
{
	const struct heddle_message_paths *paths = &table->paths;
	double percent = table->report->min_percent, least = percent < 0 ? 0 : percent / 100 * (double)paths->bytes;
	size_t shown = 0;
	uint64_t bytes = 0;
	int error = 0;
	for (; !error && shown < paths->count && (percent == 0 || shown < PATHS_MOST); shown++) {
		const struct heddle_message_path *row = &paths->rows[shown];
		if ((double)(row->received + row->sent) < least)
			break;
		bytes += row->received + row->sent;
		error = print_row(table, row);
	}
	print_rest(table, paths->count - shown, paths->bytes - bytes);
	return error;
}

int heddle__report_message_paths(const struct heddle_report *report)
{
	struct table table = {.report = report};
	int error = heddle__message_paths_make(&table.paths, &report->session->view);
	if (error)
		return error;
	if (table.paths.count) {
		make_columns(&table);
		putchar('\n');
		heddle__columns_print_heading(&report->terminal, table.columns, COLUMNS, "by call path");
		error = print_rows(&table);
		heddle__columns_print_omitted(&report->terminal, table.columns, COLUMNS);
	}
	heddle__message_paths_free(&table.paths);
	return error;
}
