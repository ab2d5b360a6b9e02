/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --late`: barriers by source line, and which threads the others waited for there. A sum over the run
 * may be even although each single barrier is late, when another thread is late each time.
 */
#include "analysis/thread_names.h"
#include "cli/base/wrap.h"
#include "cli/report/report_traced.h"

#include "profile/trace/trace_late.h"

#include <errno.h>
#include <stdlib.h>

#define NAME_LIMIT 64
#define THREADS 4 /* that came last, of each barrier */
#define LABEL_COLUMN 39

/* Barriers of the same label. */
struct row {
	struct profile_trace_lateness sum;
	uint32_t label;
};

struct table {
	const struct heddle_report *report;
	const struct heddle_traced *traced;
	struct row *rows;
	size_t count;
	uint64_t elapsed_ns; /* of all threads */
};

static int by_waiting(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	if (x->sum.waited_ns != y->sum.waited_ns)
		return x->sum.waited_ns > y->sum.waited_ns ? -1 : 1;
	return (x->label > y->label) - (x->label < y->label);
}

static void add(struct profile_trace_lateness *sum, const struct profile_trace_lateness *more, size_t threads)
{
	sum->count += more->count;
	sum->waited_ns += more->waited_ns;
	for (size_t t = 0; t < threads; t++) {
		sum->last[t] += more->last[t];
		sum->caused_ns[t] += more->caused_ns[t];
	}
	if (more->longest_ns <= sum->longest_ns)
		return;
	sum->longest_ns = more->longest_ns;
	sum->longest_at_ns = more->longest_at_ns;
	sum->longest_by = more->longest_by;
}

/* The rows take over the arrays of `late`. */
static int make_rows(struct table *table, struct profile_trace_late *late)
{
	const struct profile_view *view = &table->report->session->view;
	table->rows = calloc(late->count + 1, sizeof(*table->rows));
	if (!table->rows)
		return -ENOMEM;
	for (size_t i = 0; i < late->count; i++) {
		uint32_t label = view->label_of[view->of_node[late->items[i].node]];
		size_t r = 0;
		while (r < table->count && table->rows[r].label != label)
			r++;
		if (r == table->count)
			table->rows[table->count++] = (struct row){late->items[i], label};
		else
			add(&table->rows[r].sum, &late->items[i], late->thread_count);
	}
	qsort(table->rows, table->count, sizeof(*table->rows), by_waiting);
	return 0;
}

/* The thread that most waiting was for, of those not printed yet. */
static size_t next_cause(const struct row *row, const bool *printed, size_t threads)
{
	size_t most = threads;
	for (size_t t = 0; t < threads; t++) {
		if (printed[t] || !row->sum.last[t])
			continue;
		if (most == threads || row->sum.caused_ns[t] > row->sum.caused_ns[most])
			most = t;
	}
	return most;
}

static void print_cause(const struct table *table, const struct row *row, size_t thread)
{
	char name[NAME_LIMIT], time[32], times[32];
	heddle__traced_thread_name(name, sizeof(name), &table->traced->trace, thread);
	printf("%9s ", heddle__format_time(time, sizeof(time), row->sum.caused_ns[thread]));
	heddle__print_percent(&table->report->look, row->sum.caused_ns[thread], row->sum.waited_ns);
	printf(" %9s %9s   for ", "", heddle__format_count(times, sizeof(times), row->sum.last[thread]));
	heddle__print_fitting(&table->report->look, name, LABEL_COLUMN + 5);
	putchar('\n');
}

static void print_causes(const struct table *table, const struct row *row)
{
	char time[32], times[32];
	size_t threads = table->traced->trace.thread_count, left = 0;
	uint64_t ns = 0, last = 0;
	bool *printed = calloc(threads + 1, sizeof(*printed));
	for (size_t i = 0, t; printed && i < THREADS && (t = next_cause(row, printed, threads)) < threads; i++) {
		print_cause(table, row, t);
		printed[t] = true;
	}
	for (size_t t = 0; printed && t < threads; t++) {
		left += !printed[t] && row->sum.last[t];
		ns += printed[t] ? 0 : row->sum.caused_ns[t];
		last += printed[t] ? 0 : row->sum.last[t];
	}
	free(printed);
	if (!left)
		return;
	printf("%9s ", heddle__format_time(time, sizeof(time), ns));
	heddle__print_percent(&table->report->look, ns, row->sum.waited_ns);
	printf(" %9s %9s   for %zu other threads\n", "", heddle__format_count(times, sizeof(times), last), left);
}

static void print_row(const struct table *table, const struct row *row)
{
	char time[32], longest[32], times[32];
	const struct heddle_report *report = table->report;
	heddle__style(&report->look, HEDDLE_STYLE_BOLD);
	printf("%9s", heddle__format_time(time, sizeof(time), row->sum.waited_ns));
	heddle__style(&report->look, HEDDLE_STYLE_NORMAL);
	putchar(' ');
	heddle__print_percent(&report->look, row->sum.waited_ns, table->elapsed_ns);
	printf(" %9s %9s  ", heddle__format_time(longest, sizeof(longest), row->sum.longest_ns),
		heddle__format_count(times, sizeof(times), row->sum.count));
	heddle__print_label(&report->look, &report->session->view.labels[row->label], LABEL_COLUMN);
	putchar('\n');
	print_causes(table, row);
}

static void print_longest(const struct table *table, const struct row *row)
{
	char name[NAME_LIMIT], time[32], at[32];
	struct heddle_capture capture;
	heddle__traced_thread_name(name, sizeof(name), &table->traced->trace, row->sum.longest_by);
	heddle__capture_begin(&capture);
	printf("\nlongest wait: %s for ", heddle__format_time(time, sizeof(time), row->sum.longest_ns));
	heddle__print_safely(stdout, name);
	printf(", which arrived at %s: ", heddle__format_time(at, sizeof(at), row->sum.longest_at_ns));
	heddle__print_safely(stdout, table->report->session->view.labels[row->label].text);
	putchar('\n');
	heddle__capture_end(&capture, (struct heddle_wrap){.width = table->report->look.width});
}

static void print_table(struct table *table)
{
	const struct heddle_report *report = table->report;
	const struct row *longest = NULL;
	size_t hidden = 0;
	uint64_t total = 0, hidden_ns = 0;
	if (!table->count) {
		puts("late arrivals: no barrier at which several threads met");
		return;
	}
	for (size_t i = 0; i < table->count; i++)
		total += table->rows[i].sum.waited_ns;
	heddle__style(&report->look, HEDDLE_STYLE_DIM);
	printf("%9s %7s %9s %9s  %s\n", "waited", "elapsed", "longest", "times", "barrier, who was last");
	heddle__style(&report->look, HEDDLE_STYLE_NORMAL);
	const double least = heddle__least_percent(report->min_percent, table->count);
	for (size_t i = 0; i < table->count; i++) {
		const struct row *row = &table->rows[i];
		if (!longest || row->sum.longest_ns > longest->sum.longest_ns)
			longest = row;
		if ((double)row->sum.waited_ns * 100 < least * (double)total) {
			hidden++;
			hidden_ns += row->sum.waited_ns;
		} else {
			print_row(table, row);
		}
	}
	heddle__print_hidden(report, hidden, "barrier", hidden_ns, total);
	print_longest(table, longest);
}

int heddle__report_late(const struct heddle_report *report, const struct heddle_traced *traced)
{
	struct table table = {.report = report, .traced = traced};
	struct profile_trace_late late;
	size_t *order = calloc(traced->trace.thread_count + 1, sizeof(*order));
	heddle__traced_begin(traced);
	int error = profile_trace_late_make(&late, &traced->trace, &traced->part);
	heddle__traced_end(traced);
	if (!error)
		error = order ? make_rows(&table, &late) : -ENOMEM;
	if (!error) {
		table.elapsed_ns = heddle__traced_thread_order(&traced->trace, order) *
				   (traced->part.to_ns - traced->part.from_ns);
		print_table(&table);
	}
	profile_trace_late_free(&late);
	free(table.rows);
	free(order);
	return error;
}
