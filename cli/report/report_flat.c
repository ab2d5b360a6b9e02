/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --flat` and `--lines`: functions or source lines by their own cost, summed over all callers. */
#include "analysis/flat_rows.h"
#include "cli/report/report_parts.h"
#include "profile/base/base_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_SELF, COLUMN_TOTAL, COLUMN_METRIC, COLUMN_SPREAD, COLUMNS = COLUMN_SPREAD + HEDDLE_SPREAD_COLUMNS };

/* Returns the columns of the module's name after a frame's name; 0: none. */
static size_t place_width(const struct profile_label *label)
{
	bool frame = label->kind == HEDDLE_NODE_FRAME || label->kind == HEDDLE_NODE_RUNTIME_FRAME;
	return frame && *label->module ? strlen(profile_base_name(label->module)) + 4 : 0;
}

static void print_place(const struct heddle_report *report, const struct profile_label *label, size_t used)
{
	size_t width = place_width(label);
	if (width == 0 || (report->terminal.width && used + width > report->terminal.width))
		return;
	heddle__style(&report->terminal, HEDDLE_STYLE_DIM);
	fputs("  (", stdout);
	heddle__print_safely(stdout, profile_base_name(label->module));
	putchar(')');
	heddle__style(&report->terminal, HEDDLE_STYLE_NORMAL);
}

static void make_columns(struct heddle_column columns[COLUMNS], const struct heddle_report *report)
{
	columns[COLUMN_SELF] = (struct heddle_column){"self %", 7, 0, false};
	columns[COLUMN_TOTAL] = (struct heddle_column){"total %", 7, 1, false};
	columns[COLUMN_METRIC] = (struct heddle_column){
		profile_metric_name(report->metric), heddle__value_width(report->metric), 0, false};
	heddle__spread_columns(&columns[COLUMN_SPREAD], report);
	heddle__columns_fit(&report->terminal, columns, COLUMNS, heddle__names_least(&report->terminal, 30));
}

/* Statistics are by label, and all hand-offs have one label; therefore only the mean is known for a single lock. */
static struct profile_spread spread_of(
	const struct heddle_report *report, const struct heddle_flat_row *row, const struct profile_spreads *spreads)
{
	if (row->hand_off)
		return (struct profile_spread){.sum = row->inclusive, .mean_only = true};
	return spreads->of[report->metric][HEDDLE_SPREAD_LABELS][row->label];
}

static void print_spread(const struct heddle_report *report, const struct heddle_column columns[COLUMNS],
	const struct heddle_flat_row *row, const struct profile_spreads *spreads)
{
	if (!report->stats)
		return;
	struct profile_spread spread = spread_of(report, row, spreads);
	heddle__print_spread(report, &columns[COLUMN_SPREAD], spreads, &spread);
}

static void print_row(const struct heddle_report *report, const struct heddle_column columns[COLUMNS],
	const struct heddle_flat_row *row, uint64_t total, const struct profile_spreads *spreads)
{
	char text[32];
	size_t used = heddle__columns_width(columns, COLUMNS) + 2;
	const struct profile_label *label = &report->session->view.labels[row->label];
	heddle__print_percent(&report->terminal, row->exclusive, total);
	if (heddle__column_shown(&columns[COLUMN_TOTAL])) {
		putchar(' ');
		heddle__print_percent(&report->terminal, row->inclusive, total);
	}
	printf(" %*s", columns[COLUMN_METRIC].width,
		heddle__format_value(text, sizeof(text), row->exclusive, profile_metric_unit(report->metric)));
	print_spread(report, columns, row, spreads);
	fputs("  ", stdout);
	size_t behind = row->hand_off ? strlen(profile_state_label(HEDDLE_STATE_HAND_OFF)) + 3 : 0;
	if (used + heddle__columns(label->text) + behind + place_width(label) <= report->terminal.width)
		behind += place_width(label);
	used += heddle__print_label(&report->terminal, label, used + behind);
	if (row->hand_off)
		used += (size_t)printf(" [%s]", profile_state_label(HEDDLE_STATE_HAND_OFF));
	print_place(report, label, used);
	putchar('\n');
}

/* True if a label has a row. The root has one only for its own cost. */
static bool has_row(const struct profile_view *view, const struct heddle_flat_row *row)
{
	return row->inclusive && (row->exclusive || view->labels[row->label].kind != HEDDLE_NODE_ROOT);
}

static size_t count_rows(const struct profile_view *view, const struct heddle_flat_rows *rows)
{
	size_t count = 0;
	for (size_t i = 0; i < rows->count; i++)
		count += has_row(view, &rows->items[i]);
	return count;
}

static void print_rows(const struct heddle_report *report, struct heddle_flat_rows *made, const char *what,
	const struct profile_spreads *spreads)
{
	struct heddle_flat_row *rows = made->items;
	const struct profile_view *view = &report->session->view;
	uint64_t total = profile_measurement_total(&report->session->measurement, report->metric), hidden_value = 0;
	const double least = heddle__least_percent(report->min_percent, count_rows(view, made));
	size_t hidden = 0;
	struct heddle_column columns[COLUMNS];
	make_columns(columns, report);
	heddle__columns_print_heading(&report->terminal, columns, COLUMNS, what);
	for (size_t i = 0; i < made->count; i++) {
		double own = 100.0 * (double)rows[i].exclusive / (double)total;
		if (!has_row(view, &rows[i]))
			continue;
		if (own >= least) {
			print_row(report, columns, &rows[i], total, spreads);
		} else {
			hidden++;
			hidden_value += rows[i].exclusive;
		}
	}
	heddle__print_hidden(report, hidden, what, hidden_value, total);
	heddle__columns_print_omitted(&report->terminal, columns, COLUMNS);
}

int heddle__report_flat(const struct heddle_report *report, const char *what)
{
	const struct profile_view *view = &report->session->view;
	struct heddle_flat_rows rows = {0};
	uint64_t *sums = profile_view_inclusive(view, report->metric);
	int error = sums ? heddle__flat_rows_make(
				   &rows, view, view->values[report->metric], sums, view->values[HEDDLE_METRIC_VISITS])
			 : -ENOMEM;
	struct profile_spreads spreads = {0};
	if (!error && report->stats)
		error = heddle__spreads_make(&spreads, report, true);
	if (!error)
		print_rows(report, &rows, what, &spreads);
	profile_spreads_free(&spreads);
	heddle__flat_rows_free(&rows);
	free(sums);
	return error;
}

/* Without --metric, --blame takes over the flat form. */
static bool wanted(const struct heddle_report_options *options)
{
	bool flat = options->given[HEDDLE_REPORT_flat] || (options->lines && !options->given[HEDDLE_REPORT_tree]);
	return flat && (!options->given[HEDDLE_REPORT_blame] || options->metric);
}

static int print(const struct heddle_report *report)
{
	return heddle__report_flat(report, report->options->lines ? "line" : "function");
}

const struct heddle_report_part heddle__report_part_flat = {.unfolded = true, .wanted = wanted, .print = print};
