/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --threads`: what each thread spent its time on, with the threads of a process (of a rank) below it,
 * and how evenly the work was distributed.
 */
#include "analysis/text.h"
#include "analysis/thread_names.h"
#include "cli/base/thread_columns.h"
#include "cli/base/wrap.h"
#include "cli/report/report_parts.h"

#include <inttypes.h>

struct printed {
	const struct heddle_report *report;
	const struct heddle_thread_table *table;
	struct heddle_thread_columns columns;
};

static void print_heading(const struct printed *printed)
{
	const struct heddle_terminal *terminal = &printed->report->terminal;
	const struct heddle_thread_table *table = printed->table;
	const struct heddle_thread_columns *columns = &printed->columns;
	heddle__style(terminal, HEDDLE_STYLE_DIM);
	printf("%-*s %*s", columns->name_width, "thread", heddle__value_width(table->metric),
		profile_metric_name(table->metric));
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		if (s == HEDDLE_STATE_BARRIER_WAIT && columns->wait)
			printf(" %7s", "wait");
		if (columns->shown[s])
			printf(" %*s", heddle__state_width(s), heddle__state_word(s));
	}
	printf("%s%s  imb. %%\n", columns->other ? "   other" : "", columns->locks ? "   elapsed lock wait" : "");
	heddle__style(terminal, HEDDLE_STYLE_NORMAL);
}

static void print_share(const struct printed *printed, int width, uint64_t value, uint64_t total)
{
	printf(" %*s", width - 7, "");
	heddle__print_percent(&printed->report->terminal, value, total);
}

static void print_states(const struct printed *printed, const struct heddle_thread_row *row, uint64_t total)
{
	const struct heddle_thread_columns *columns = &printed->columns;
	char text[32];
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		if (s == HEDDLE_STATE_BARRIER_WAIT && columns->wait)
			print_share(printed, 7, heddle__thread_row_waiting(row), total);
		if (columns->shown[s])
			print_share(printed, heddle__state_width(s), row->states[s], total);
	}
	if (columns->other)
		print_share(printed, 7, heddle__thread_row_other(columns, row), total);
	if (!columns->locks)
		return;
	printf(" %9s", heddle__format_value(text, sizeof(text), row->elapsed, "ns"));
	print_share(printed, 9, row->lock_wait, row->elapsed);
}

static void print_row(const struct printed *printed, const struct heddle_thread_row *row)
{
	const struct heddle_thread_table *table = printed->table;
	const struct heddle_thread_columns *columns = &printed->columns;
	char text[32];
	uint64_t total = heddle__thread_row_total(row);
	heddle__style(&printed->report->terminal, row->sum ? HEDDLE_STYLE_BOLD : HEDDLE_STYLE_NORMAL);
	heddle__print_safely(stdout, row->name);
	heddle__style(&printed->report->terminal, HEDDLE_STYLE_NORMAL);
	printf("%*s", columns->name_width - (int)heddle__columns(row->name), "");
	printf(" %*s", heddle__value_width(table->metric),
		heddle__format_value(text, sizeof(text), total, profile_metric_unit(table->metric)));
	print_states(printed, row, total);
	if (row->sum && row->workers > 1 && row->work)
		printf(" %7.1f", heddle__thread_row_imbalance(row));
	putchar('\n');
}

static void print_balance(const struct printed *printed)
{
	const struct heddle_thread_row *all = &printed->table->all;
	struct heddle_capture capture;
	char name[160], workers[32];
	if (all->workers < 2 || !all->work)
		return;
	heddle__capture_begin(&capture);
	heddle__thread_in_words(name, sizeof(name), printed->table->measurement, all->busiest_process, all->busiest);
	fputs("\nimbalance: ", stdout);
	heddle__print_safely(stdout, name);
	printf(" worked %.0f %% longer than the average of %s threads\n", heddle__thread_row_imbalance(all),
		heddle__format_count(workers, sizeof(workers), all->workers));
	heddle__capture_end(&capture, (struct heddle_wrap){.width = printed->report->terminal.width});
}

static int print(const struct heddle_report *report)
{
	struct heddle_thread_table table;
	struct printed printed = {.report = report, .table = &table};
	if (report->metric == HEDDLE_METRIC_HELD) {
		puts("bytes-held has no values by thread, as any thread may free memory: choose bytes-allocated.");
		return 0;
	}
	int error = heddle__thread_table_make(&table, &report->session->measurement, report->metric);
	if (error)
		return error;
	heddle__thread_columns_fit(&printed.columns, &table, report->terminal.width);
	print_heading(&printed);
	for (size_t i = 0; i < table.count; i++)
		print_row(&printed, &table.rows[i]);
	if (table.listed > 1)
		print_row(&printed, &table.all);
	print_balance(&printed);
	bool locks = heddle__thread_table_has_locks(&table) && !printed.columns.locks;
	const struct heddle_column left_out[] = {
		{"other", 0, 0, printed.columns.no_other}, {"elapsed", 0, 0, locks}, {"lock wait", 0, 0, locks}};
	heddle__columns_print_omitted(&report->terminal, left_out, 3);
	heddle__thread_table_free(&table);
	return 0;
}

const struct heddle_report_part heddle__report_part_threads = {.print = print};
