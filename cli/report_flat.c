/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --flat` and `--lines`: functions or source lines by their own cost, wherever they were called from. */
#include "cli/report_parts.h"
#include "profile/view_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FLAT_NUMBERS_WIDTH 18 /* columns in front of the name, without the metric's */

struct row {
	uint64_t exclusive, inclusive, visits;
	uint32_t label;
};

static int by_cost(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	if (x->exclusive != y->exclusive)
		return x->exclusive > y->exclusive ? -1 : 1;
	if (x->inclusive != y->inclusive)
		return x->inclusive > y->inclusive ? -1 : 1;
	return (x->label > y->label) - (x->label < y->label);
}

static int make_rows(struct row *rows, const struct heddle_view *view, enum heddle_metric metric)
{
	const uint64_t *visits = view->values[HEDDLE_METRIC_VISITS];
	uint64_t *sums = heddle_view_inclusive(view, metric);
	bool *outermost = heddle_view_outermost(view);
	for (uint32_t i = 0; i < view->label_count; i++)
		rows[i].label = i;
	for (size_t i = 0; sums && outermost && i < view->node_count; i++) {
		struct row *row = &rows[view->label_of[i]];
		row->exclusive += view->values[metric][i];
		row->visits += visits ? visits[i] : 0;
		row->inclusive += outermost[i] ? sums[i] : 0;
	}
	int error = sums && outermost ? 0 : -ENOMEM;
	free(outermost);
	free(sums);
	return error;
}

/* The module's name behind a frame's: its columns, 0 without one. */
static size_t place_width(const struct heddle_label *label)
{
	bool frame = label->kind == HEDDLE_NODE_FRAME || label->kind == HEDDLE_NODE_RUNTIME_FRAME;
	return frame && *label->module ? strlen(heddle_base_name(label->module)) + 4 : 0;
}

static void print_place(const struct heddle_report *report, const struct heddle_label *label, size_t used)
{
	size_t width = place_width(label);
	if (width == 0 || (report->look.width && used + width > report->look.width))
		return;
	heddle__style(&report->look, HEDDLE_STYLE_DIM);
	printf("  (%s)", heddle_base_name(label->module));
	heddle__style(&report->look, HEDDLE_STYLE_PLAIN);
}

static void print_row(
	const struct heddle_report *report, const struct row *row, uint64_t total, const struct heddle_spreads *spreads)
{
	char text[32];
	int width = heddle__value_width(report->metric);
	size_t used = FLAT_NUMBERS_WIDTH + (size_t)width + heddle__spread_width(report);
	const struct heddle_label *label = &report->session->view.labels[row->label];
	heddle__print_percent(report, row->exclusive, total);
	putchar(' ');
	heddle__print_percent(report, row->inclusive, total);
	printf(" %*s", width,
		heddle__format_value(text, sizeof(text), row->exclusive, heddle_metric_unit(report->metric)));
	if (report->stats)
		heddle__print_spread(report, spreads, &spreads->of[report->metric][HEDDLE_SPREAD_LABELS][row->label]);
	fputs("  ", stdout);
	used += heddle__print_label(report, label, used + place_width(label));
	print_place(report, label, used);
	putchar('\n');
}

static void print_heading(const struct heddle_report *report, const char *what)
{
	heddle__style(&report->look, HEDDLE_STYLE_DIM);
	printf("%7s %7s %*s", "self %", "total %", heddle__value_width(report->metric),
		heddle_metric_name(report->metric));
	if (report->stats)
		heddle__print_spread_heading(report);
	printf("  %s\n", what);
	heddle__style(&report->look, HEDDLE_STYLE_PLAIN);
}

static void print_rows(
	const struct heddle_report *report, struct row *rows, const char *what, const struct heddle_spreads *spreads)
{
	const struct heddle_view *view = &report->session->view;
	uint64_t total = heddle_measurement_total(&report->session->measurement, report->metric), hidden_value = 0;
	size_t hidden = 0;
	print_heading(report, what);
	qsort(rows, view->label_count, sizeof(*rows), by_cost);
	for (size_t i = 0; i < view->label_count; i++) {
		bool root = view->labels[rows[i].label].kind == HEDDLE_NODE_ROOT;
		double percent = 100.0 * (double)rows[i].inclusive / (double)total;
		double own = 100.0 * (double)rows[i].exclusive / (double)total;
		if (rows[i].inclusive == 0 || (root && rows[i].exclusive == 0))
			continue;
		if (own >= report->min_percent || (report->min_percent <= 0 && percent >= 0)) {
			print_row(report, &rows[i], total, spreads);
		} else {
			hidden++;
			hidden_value += rows[i].exclusive;
		}
	}
	heddle__print_hidden(report, hidden, what, hidden_value, total);
}

int heddle__report_flat(const struct heddle_report *report, const char *what)
{
	const struct heddle_view *view = &report->session->view;
	struct row *rows = calloc(view->label_count, sizeof(*rows));
	int error = rows ? make_rows(rows, view, report->metric) : -ENOMEM;
	struct heddle_spreads spreads = {0};
	if (!error && report->stats)
		error = heddle__spreads_make(&spreads, report, true);
	if (!error)
		print_rows(report, rows, what, &spreads);
	heddle_spreads_free(&spreads);
	free(rows);
	return error;
}
