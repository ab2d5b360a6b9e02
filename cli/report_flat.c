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

/*
 * Inclusive sums without counting recursion twice: in a depth-first walk, a node counts for its label only when no node
 * of that label is open above it.
 */
static void sum_rows(struct row *rows, const struct heddle_view *view, enum heddle_metric metric, const uint64_t *sums,
	const uint32_t *order, uint32_t *stack, uint32_t *open)
{
	size_t depth = 0;
	const uint64_t *visits = view->values[HEDDLE_METRIC_VISITS];
	for (size_t i = 0; i < view->node_count; i++) {
		uint32_t node = order[i], label = view->label_of[node];
		while (depth > 0 && stack[depth - 1] != view->parents[node])
			open[view->label_of[stack[--depth]]]--;
		rows[label].exclusive += view->values[metric][node];
		rows[label].visits += visits ? visits[node] : 0;
		if (open[label]++ == 0)
			rows[label].inclusive += sums[node];
		stack[depth++] = node;
	}
}

static int make_rows(struct row *rows, const struct heddle_view *view, enum heddle_metric metric)
{
	struct heddle_view_children children = {0};
	uint64_t *sums = heddle_view_inclusive(view, metric);
	uint32_t *stack = malloc(view->node_count * sizeof(*stack));
	uint32_t *open = calloc(view->label_count, sizeof(*open)), *order = NULL;
	int error = sums && stack && open ? heddle_view_children_make(&children, view, NULL) : -ENOMEM;
	if (!error)
		order = heddle_view_depth_first(view, &children);
	if (order)
		sum_rows(rows, view, metric, sums, order, stack, open);
	error = error || order ? error : -ENOMEM;
	for (uint32_t i = 0; i < view->label_count; i++)
		rows[i].label = i;
	heddle_view_children_free(&children);
	free(order);
	free(open);
	free(stack);
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
		heddle__print_spread(report, spreads, row->label);
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
	free(spreads.of);
	free(rows);
	return error;
}
