/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of `heddle report --accesses` about software caches: how many gets they served, by source line. */
#include "cli/base/columns.h"
#include "cli/report/report_accesses.h"
#include "profile/base/base_name.h"
#include "profile/view/cached.h"
#include "profile/view/view.h"

#include <inttypes.h>
#include <stdlib.h>

enum { COLUMN_GETS, COLUMN_HITS, COLUMN_MISSES, COLUMNS };

static void print_row(const struct heddle_column *columns, const struct profile_cached *row)
{
	char gets[32], misses[32];
	uint64_t all = row->hits + row->misses;
	printf("%*s %*.1f %*s  ", columns[COLUMN_GETS].width, heddle__format_count(gets, sizeof(gets), all),
		columns[COLUMN_HITS].width, 100. * (double)row->hits / (double)all, columns[COLUMN_MISSES].width,
		heddle__format_count(misses, sizeof(misses), row->misses));
}

static void print_rows(const struct heddle_terminal *terminal, const struct profile_cached *rows, size_t count)
{
	static const struct heddle_column columns[COLUMNS] = {
		[COLUMN_GETS] = {"gets", 10, 0, false},
		[COLUMN_HITS] = {"hit %", 7, 0, false},
		[COLUMN_MISSES] = {"misses", 10, 0, false},
	};
	struct profile_cached all = {.file = ""};
	fputs("\nGets from a software cache (heddle/upc_cache.h):\n", stdout);
	heddle__columns_print_heading(terminal, columns, COLUMNS, "line");
	for (size_t i = 0; i < count; i++) {
		print_row(columns, &rows[i]);
		heddle__print_safely(stdout, *rows[i].file ? profile_base_name(rows[i].file) : "?");
		printf(":%" PRIu32 "\n", rows[i].line);
		all.hits += rows[i].hits;
		all.misses += rows[i].misses;
	}
	heddle__style(terminal, HEDDLE_STYLE_BOLD);
	print_row(columns, &all);
	fputs("all gets\n", stdout);
	heddle__style(terminal, HEDDLE_STYLE_NORMAL);
}

int heddle__report_cached(const struct heddle_report *report)
{
	struct profile_cached *rows;
	size_t count;
	int error = profile_cached_make(&report->session->measurement.tree, &rows, &count);
	if (error)
		return error;
	if (count)
		print_rows(&report->terminal, rows, count);
	free(rows);
	return 0;
}
