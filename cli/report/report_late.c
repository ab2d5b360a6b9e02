/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --late`: barriers, collectives and messages by source line; for each, the threads that the others
 * waited for, and where these threads were.
 */
#include "analysis/late.h"
#include "analysis/thread_names.h"
#include "cli/base/wrap.h"
#include "cli/report/report_traced.h"

#include <string.h>

#define NAME_LIMIT 64
#define THREADS 4 /* number of latest threads shown for each barrier */
#define LABEL_COLUMN 39

struct table {
	const struct heddle_report *report;
	const struct profile_trace *trace;
	struct heddle_late late;
	bool of_calls; /* there are waits in collectives of communicators, or for messages */
};

static void print_share(const struct table *table, uint64_t ns)
{
	heddle__print_percent(&table->report->terminal, ns, table->late.elapsed_ns);
}

static void print_cause(
	const struct table *table, const struct heddle_late_row *row, const struct heddle_late_cause *cause)
{
	char name[NAME_LIMIT], time[32], times[32];
	heddle__traced_thread_name(name, sizeof(name), table->trace, cause->thread);
	printf("%9s ", heddle__format_time(time, sizeof(time), cause->caused_ns));
	print_share(table, cause->caused_ns);
	printf(" %9s %9s   for ", "", heddle__format_count(times, sizeof(times), cause->last));
	if (cause->label == row->label || !table->of_calls) {
		heddle__print_fitting(&table->report->terminal, name, LABEL_COLUMN + 5);
	} else {
		heddle__print_safely(stdout, name);
		fputs(" in ", stdout);
		heddle__print_label(&table->report->terminal, &table->report->session->view.labels[cause->label],
			LABEL_COLUMN + 9 + (int)strlen(name));
	}
	putchar('\n');
}

static void print_causes(const struct table *table, const struct heddle_late_row *row)
{
	char time[32], times[32];
	uint64_t ns = 0, last = 0;
	for (size_t i = 0; i < row->cause_count && i < THREADS; i++)
		print_cause(table, row, &row->causes[i]);
	if (row->cause_count <= THREADS)
		return;
	for (size_t i = THREADS; i < row->cause_count; i++) {
		ns += row->causes[i].caused_ns;
		last += row->causes[i].last;
	}
	printf("%9s ", heddle__format_time(time, sizeof(time), ns));
	print_share(table, ns);
	printf(" %9s %9s   for %zu other thread%s\n", "", heddle__format_count(times, sizeof(times), last),
		row->cause_count - THREADS, row->cause_count - THREADS == 1 ? "" : "s");
}

static void print_row(const struct table *table, const struct heddle_late_row *row)
{
	char time[32], longest[32], times[32];
	const struct heddle_report *report = table->report;
	heddle__style(&report->terminal, HEDDLE_STYLE_BOLD);
	printf("%9s", heddle__format_time(time, sizeof(time), row->waited_ns));
	heddle__style(&report->terminal, HEDDLE_STYLE_NORMAL);
	putchar(' ');
	print_share(table, row->waited_ns);
	printf(" %9s %9s  ", heddle__format_time(longest, sizeof(longest), row->longest_ns),
		heddle__format_count(times, sizeof(times), row->count));
	heddle__print_label(&report->terminal, &report->session->view.labels[row->label], LABEL_COLUMN);
	putchar('\n');
	print_causes(table, row);
}

static void print_base(const struct table *table)
{
	char time[32];
	struct heddle_capture capture;
	heddle__capture_begin(&capture);
	printf("\nshare %%: of all threads' elapsed time (%s)\n",
		heddle__format_time(time, sizeof(time), table->late.elapsed_ns));
	heddle__capture_end(&capture, (struct heddle_wrap){.width = table->report->terminal.width});
}

static void print_longest(const struct table *table, const struct heddle_late_row *row)
{
	char name[NAME_LIMIT], time[32], at[32];
	struct heddle_capture capture;
	heddle__traced_thread_name(name, sizeof(name), table->trace, row->longest_by);
	heddle__capture_begin(&capture);
	printf("longest wait: %s for ", heddle__format_time(time, sizeof(time), row->longest_ns));
	heddle__print_safely(stdout, name);
	printf(", until %s: ", heddle__format_time(at, sizeof(at), row->longest_at_ns));
	heddle__print_safely(stdout, table->report->session->view.labels[row->label].text);
	putchar('\n');
	heddle__capture_end(&capture, (struct heddle_wrap){.width = table->report->terminal.width});
}

/* Rows below `least` are left out, and counted. */
static void print_rows(
	const struct table *table, enum profile_trace_wait kind, double least, size_t *hidden, uint64_t *hidden_ns)
{
	const struct heddle_late *late = &table->late;
	for (size_t i = 0; i < late->count; i++) {
		const struct heddle_late_row *row = &late->rows[i];
		if (table->of_calls && row->kind != kind)
			continue;
		if ((double)row->waited_ns * 100 < least * (double)late->waited_ns) {
			++*hidden;
			*hidden_ns += row->waited_ns;
		} else {
			print_row(table, row);
		}
	}
}

static void print_kind(const struct table *table, enum profile_trace_wait kind)
{
	const struct heddle_report *report = table->report;
	char time[32];
	putchar('\n');
	heddle__style(&report->terminal, HEDDLE_STYLE_BOLD);
	printf("%9s ", heddle__format_time(time, sizeof(time), table->late.of_kind[kind]));
	print_share(table, table->late.of_kind[kind]);
	printf(" %9s %9s  %s\n", "", "", heddle__late_text(kind));
	heddle__style(&report->terminal, HEDDLE_STYLE_NORMAL);
}

/*
 * Prints kinds with most waiting first. Without calls that exchange data there is only one kind, which has no separate
 * line.
 */
static void print_table(const struct table *table)
{
	const struct heddle_report *report = table->report;
	const struct heddle_late *late = &table->late;
	size_t hidden = 0;
	uint64_t hidden_ns = 0;
	if (!late->count) {
		puts("late arrivals: none; no barrier was reached by several threads");
		return;
	}
	heddle__style(&report->terminal, HEDDLE_STYLE_DIM);
	printf("%9s %7s %9s %9s  %s\n", "waited", "share %", "longest", "times",
		table->of_calls ? "where, who was waited for" : "barrier, who was last");
	heddle__style(&report->terminal, HEDDLE_STYLE_NORMAL);
	const double least = heddle__least_percent(report->min_percent, late->count);
	for (size_t i = 0; table->of_calls && i < late->kind_count; i++) {
		print_kind(table, late->kinds[i]);
		print_rows(table, late->kinds[i], least, &hidden, &hidden_ns);
	}
	if (!table->of_calls)
		print_rows(table, HEDDLE_WAIT_BARRIER, least, &hidden, &hidden_ns);
	heddle__print_hidden(report, hidden, table->of_calls ? "place" : "barrier", hidden_ns, late->waited_ns);
	print_base(table);
	print_longest(table, heddle__late_longest(late));
}

static bool has_calls(const struct heddle_late *late)
{
	for (size_t i = 0; i < late->count; i++)
		if (late->rows[i].kind != HEDDLE_WAIT_BARRIER)
			return true;
	return false;
}

static int print(const struct heddle_report *report)
{
	const struct heddle_traced *traced = report->traced;
	struct table table = {.report = report, .trace = &traced->trace};
	heddle__traced_begin(traced);
	int error = heddle__late_make(&table.late, &report->session->view, &traced->trace, &traced->part);
	heddle__traced_end(traced);
	if (error)
		return error;
	table.of_calls = has_calls(&table.late);
	print_table(&table);
	heddle__late_free(&table.late);
	return 0;
}

const struct heddle_report_part heddle__report_part_late = {.traced = true, .own_metric = true, .print = print};
