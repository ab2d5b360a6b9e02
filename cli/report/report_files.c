/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --messages` of programs whose ranks read and write files by calls of their model: by file. */
#include "analysis/file_table.h"
#include "analysis/text.h"
#include "cli/report/report_parts.h"

#include <stdio.h>

#define FILES_MOST 20
#define NAMES_LEAST 24

enum {
	COLUMN_RANKS,
	COLUMN_OPENS,
	COLUMN_OPEN_TIME,
	COLUMN_READS,
	COLUMN_READ,
	COLUMN_READ_TIME,
	COLUMN_WRITES,
	COLUMN_WRITTEN,
	COLUMN_WRITE_TIME,
	COLUMN_OTHER_TIME,
	COLUMN_BANDWIDTH,
	COLUMNS
};

static void make_columns(struct heddle_column columns[COLUMNS], const struct heddle_terminal *terminal)
{
	columns[COLUMN_RANKS] = (struct heddle_column){"ranks", 5, 5, false};
	columns[COLUMN_OPENS] = (struct heddle_column){"opens", 6, 4, false};
	columns[COLUMN_OPEN_TIME] = (struct heddle_column){"opening", 9, 1, false};
	columns[COLUMN_READS] = (struct heddle_column){"reads", 8, 3, false};
	columns[COLUMN_READ] = (struct heddle_column){"read", 9, 0, false};
	columns[COLUMN_READ_TIME] = (struct heddle_column){"read time", 9, 0, false};
	columns[COLUMN_WRITES] = (struct heddle_column){"writes", 8, 3, false};
	columns[COLUMN_WRITTEN] = (struct heddle_column){"written", 9, 0, false};
	columns[COLUMN_WRITE_TIME] = (struct heddle_column){"write time", 10, 0, false};
	columns[COLUMN_OTHER_TIME] = (struct heddle_column){"other", 9, 6, false};
	columns[COLUMN_BANDWIDTH] = (struct heddle_column){"per second", 10, 2, false};
	heddle__columns_fit(terminal, columns, COLUMNS, heddle__names_least(terminal, NAMES_LEAST));
}

typedef char *format(char *text, size_t size, uint64_t value);

static void print_cell(const struct heddle_column *columns, int column, format *as, uint64_t value)
{
	char text[32];
	if (heddle__column_shown(&columns[column]))
		printf("%s%*s", column ? " " : "", columns[column].width, value ? as(text, sizeof(text), value) : "-");
}

static void print_file(
	const struct heddle_terminal *terminal, const struct heddle_column *columns, const struct heddle_file *file)
{
	print_cell(columns, COLUMN_RANKS, heddle__format_count, file->ranks);
	print_cell(columns, COLUMN_OPENS, heddle__format_count, file->opens);
	print_cell(columns, COLUMN_OPEN_TIME, heddle__format_time, file->open_ns);
	print_cell(columns, COLUMN_READS, heddle__format_count, file->reads);
	print_cell(columns, COLUMN_READ, heddle__format_bytes, file->bytes_read);
	print_cell(columns, COLUMN_READ_TIME, heddle__format_time, file->read_ns);
	print_cell(columns, COLUMN_WRITES, heddle__format_count, file->writes);
	print_cell(columns, COLUMN_WRITTEN, heddle__format_bytes, file->bytes_written);
	print_cell(columns, COLUMN_WRITE_TIME, heddle__format_time, file->write_ns);
	print_cell(columns, COLUMN_OTHER_TIME, heddle__format_time, file->other_ns);
	print_cell(columns, COLUMN_BANDWIDTH, heddle__format_bytes, heddle__file_bandwidth(file));
	fputs("  ", stdout);
	heddle__print_fitting(terminal, file->shown, heddle__columns_width(columns, COLUMNS) + 2);
	putchar('\n');
}

static void print_rest(const struct heddle_terminal *terminal, const struct heddle_file_table *table, size_t shown)
{
	char text[32], time[32];
	uint64_t ns = 0;
	for (size_t i = shown; i < table->count; i++)
		ns += heddle__file_ns(&table->files[i]);
	if (shown == table->count)
		return;
	heddle__style(terminal, HEDDLE_STYLE_DIM);
	printf("and %s more file%s with %s: --min 0 shows all\n",
		heddle__format_count(text, sizeof(text), table->count - shown), table->count - shown == 1 ? "" : "s",
		heddle__format_time(time, sizeof(time), ns));
	heddle__style(terminal, HEDDLE_STYLE_NORMAL);
}

int heddle__report_files(const struct heddle_report *report)
{
	struct heddle_column columns[COLUMNS];
	struct heddle_file_table table;
	size_t shown = 0;
	int error = heddle__file_table_make(&table, &report->session->measurement);
	if (error)
		return error;
	if (table.count) {
		make_columns(columns, &report->terminal);
		putchar('\n');
		heddle__columns_print_heading(&report->terminal, columns, COLUMNS, "MPI-IO by file");
	}
	for (; shown < table.count && (shown < FILES_MOST || report->min_percent == 0); shown++)
		print_file(&report->terminal, columns, &table.files[shown]);
	print_rest(&report->terminal, &table, shown);
	if (table.count)
		heddle__columns_print_omitted(&report->terminal, columns, COLUMNS);
	heddle__file_table_free(&table);
	return 0;
}
