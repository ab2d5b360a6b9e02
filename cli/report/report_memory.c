/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --memory`: how much memory was allocated, what was still allocated at the end, and by which paths. */
#include "analysis/memory.h"
#include "cli/base/wrap.h"
#include "cli/report/report_parts.h"
#include "profile/base/base_name.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define LABEL_COLUMN 37

static void print_totals(const struct heddle_report *report, const struct heddle_memory *memory)
{
	char text[32], count[32];
	struct heddle_capture capture;
	const struct profile_measurement *measurement = &report->session->measurement;
	const Heddle__Profile__Process *highest = memory->highest;
	heddle__capture_begin(&capture);
	printf("memory: %s in use at the end", heddle__format_bytes(text, sizeof(text), memory->in_use));
	if (memory->processes > 1)
		printf(" in %zu processes", memory->processes);
	printf("%sat most %s", report->terminal.dot, heddle__format_bytes(text, sizeof(text), highest->memory_peak));
	printf(", after %s", heddle__format_time(text, sizeof(text), highest->memory_peak_ns));
	if (memory->processes > 1)
		printf(", in process %" PRIu64, highest->pid);
	uint64_t allocations = profile_measurement_total(measurement, HEDDLE_METRIC_ALLOCATIONS);
	printf("\n%s allocation%s", heddle__format_count(count, sizeof(count), allocations),
		allocations == 1 ? "" : "s");
	uint64_t allocated = profile_measurement_total(measurement, HEDDLE_METRIC_ALLOCATED);
	printf(" of %s", heddle__format_bytes(text, sizeof(text), allocated));
	uint64_t freed = profile_measurement_total(measurement, HEDDLE_METRIC_FREED);
	printf("%s%s of it freed\n", report->terminal.dot, heddle__format_bytes(text, sizeof(text), freed));
	heddle__capture_end(&capture, heddle__wrap_facts(&report->terminal));
}

static void print_heading(const struct heddle_report *report, const char *title, const char *what)
{
	printf("\n%s:\n", title);
	heddle__style(&report->terminal, HEDDLE_STYLE_DIM);
	printf(" self %% bytes-allocated allocations  %s\n", what);
	heddle__style(&report->terminal, HEDDLE_STYLE_NORMAL);
}

static void print_row(const struct heddle_report *report, uint64_t allocated, uint64_t allocations, uint64_t total,
	const struct profile_label *label)
{
	char bytes[32], blocks[32];
	heddle__print_percent(&report->terminal, allocated, total);
	printf(" %15s %11s  ", heddle__format_bytes(bytes, sizeof(bytes), allocated),
		heddle__format_count(blocks, sizeof(blocks), allocations));
	heddle__print_label(&report->terminal, label, LABEL_COLUMN);
	putchar('\n');
}

/*
 * Prints the program's own functions. Memory that the C library and templates allocate for a function is the
 * function's.
 */
static int print_functions(const struct heddle_report *report)
{
	struct heddle_memory_function *rows;
	size_t count;
	uint64_t total = profile_measurement_total(&report->session->measurement, HEDDLE_METRIC_ALLOCATED);
	int error = heddle__memory_functions(&report->session->view, &rows, &count);
	double least = heddle__least_percent(report->min_percent, count);
	if (!error && count)
		print_heading(report, "Functions that allocate most", "function");
	for (size_t i = 0; !error && i < count && 100 * (double)rows[i].allocated >= least * (double)total; i++)
		print_row(report, rows[i].allocated, rows[i].allocations, total,
			&report->session->view.labels[rows[i].label]);
	free(rows);
	return error;
}

static int print_holders(struct heddle_report *report)
{
	report->metric = HEDDLE_METRIC_HELD;
	if (!profile_measurement_total(&report->session->measurement, report->metric)) {
		puts("\nNo call path holds memory at the end.");
		return 0;
	}
	puts("\nCall paths that hold memory at the end:");
	return heddle__report_tree(report);
}

/* Returns 0 or -ENOMEM. */
static int print_place(const struct heddle_report *report, const struct heddle_memory_place *row, uint64_t total)
{
	struct profile_label label = report->session->view.labels[row->label];
	char *text = NULL;
	if (row->file && row->line) {
		if (asprintf(&text, "%s %s:%" PRIu32, label.text, profile_base_name(row->file), row->line) < 0)
			return -ENOMEM;
		label.text = text;
	}
	print_row(report, row->allocated, row->allocations, total, &label);
	free(text);
	return 0;
}

/* Prints the program's own lines. */
static int print_places(const struct heddle_report *report)
{
	const struct heddle_session *session = report->session;
	struct heddle_memory_place *rows;
	size_t count, shown = 0;
	uint64_t total = profile_measurement_total(&session->measurement, HEDDLE_METRIC_ALLOCATED), hidden = 0;
	int error = heddle__memory_places(&session->view, &session->measurement.tree, &session->naming, &rows, &count);
	double least = heddle__least_percent(report->min_percent, count);
	if (!error && count)
		print_heading(report, "Memory allocated, by place", "place");
	for (; !error && shown < count && 100 * (double)rows[shown].allocated >= least * (double)total; shown++)
		error = print_place(report, &rows[shown], total);
	for (size_t i = shown; !error && i < count; i++)
		hidden += rows[i].allocated;
	if (!error)
		heddle__print_hidden(report, count - shown, "place", hidden, total);
	free(rows);
	return error;
}

static int print(const struct heddle_report *report)
{
	struct heddle_memory memory = heddle__memory_of(&report->session->measurement);
	struct heddle_report part = *report;
	part.stats = false; /* memory is often freed by another thread */
	part.arguments = false;
	part.counts = HEDDLE_METRIC_ALLOCATIONS;
	if (!memory.highest) {
		puts("Memory was not measured: measure with `heddle run --memory`.");
		return 0;
	}
	print_totals(report, &memory);
	int error = print_functions(&part);
	if (!error)
		error = print_holders(&part);
	return error ? error : print_places(&part);
}

const struct heddle_report_part heddle__report_part_memory = {.own_metric = true, .unfolded = true, .print = print};
