/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --callers FUNCTION`: the callers of a function, as inverted call paths, and below them what it calls.
 */
#include "analysis/callers.h"
#include "cli/base/exit_status.h"
#include "cli/report/report_parts.h"
#include "cli/report/tree_print.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_LISTED 5

enum { COLUMN_WHOLE, COLUMN_PART, COLUMN_METRIC, COLUMNS };

struct branches {
	const struct heddle_report *report;
	const struct heddle_callers *callers;
	const char *heading;
	uint64_t whole;
	struct heddle_column columns[COLUMNS];
	size_t hidden;
	uint64_t hidden_value;
};

/* ---- which function ---- */

/*
 * Selects the labels with that text or, if there are none, those that contain it. Returns how many different texts
 * these labels have.
 */
static size_t choose(const struct profile_view *view, const char *name, bool *is_of)
{
	const char *text = NULL;
	size_t exact = 0, texts = 0;
	for (size_t i = 0; i < view->label_count; i++)
		exact += is_of[i] = strcmp(view->labels[i].text, name) == 0;
	for (size_t i = 0; !exact && i < view->label_count; i++) {
		is_of[i] = strstr(view->labels[i].text, name) != NULL;
		if (!is_of[i])
			continue;
		texts += !text || strcmp(text, view->labels[i].text) != 0;
		text = view->labels[i].text;
	}
	return exact ? 1 : texts;
}

static int complain(const struct profile_view *view, const char *name, const bool *is_of)
{
	size_t listed = 0;
	const char *before = "";
	for (size_t i = 0; i < view->label_count; i++)
		listed += is_of[i];
	if (!listed)
		fprintf(stderr,
			"heddle: report: --callers: no function or region name contains '%s': `heddle report --flat` "
			"lists all\n",
			heddle__shown(name));
	else
		fprintf(stderr, "heddle: report: --callers: several names contain '%s': ", heddle__shown(name));
	if (!listed)
		return HEDDLE_EXIT_NOT_FOUND;
	listed = 0;
	for (size_t i = 0; i < view->label_count && listed < NAMES_LISTED; i++)
		if (is_of[i] && strcmp(before, view->labels[i].text) != 0) {
			fputs(listed++ ? ", " : "", stderr);
			heddle__print_safely(stderr, before = view->labels[i].text);
		}
	fputs("; give the whole name\n", stderr);
	return HEDDLE_EXIT_NOT_FOUND;
}

/* ---- trees ---- */

static bool shows(void *context, uint32_t node, uint32_t depth)
{
	struct branches *branches = context;
	const struct heddle_report *report = branches->report;
	uint64_t value = branches->callers->items[node].value;
	double least = heddle__least_percent(report->min_percent, SIZE_MAX);
	if (report->depth && depth > report->depth)
		return false;
	bool big = value && (double)value * 100 >= least * (double)branches->callers->items[0].value;
	if (!big) {
		branches->hidden++;
		branches->hidden_value += value;
	}
	return big;
}

static struct profile_label label_of(const void *context, uint32_t node)
{
	const struct branches *branches = context;
	return branches->report->session->view.labels[branches->callers->items[node].label];
}

static size_t begin(void *context, size_t wanted)
{
	struct branches *branches = context;
	const struct heddle_terminal *terminal = &branches->report->terminal;
	enum heddle_metric metric = branches->report->metric;
	branches->columns[COLUMN_WHOLE] = (struct heddle_column){"total %", 7, 0, false};
	branches->columns[COLUMN_PART] = (struct heddle_column){"% of it", 7, 1, false};
	branches->columns[COLUMN_METRIC] =
		(struct heddle_column){profile_metric_name(metric), heddle__value_width(metric), 0, false};
	heddle__columns_fit(terminal, branches->columns, COLUMNS, heddle__names_least(terminal, wanted));
	heddle__columns_print_heading(terminal, branches->columns, COLUMNS, branches->heading);
	return heddle__columns_width(branches->columns, COLUMNS) + 2;
}

static void print_numbers(const void *context, uint32_t node)
{
	char text[32];
	const struct branches *branches = context;
	const struct heddle_terminal *terminal = &branches->report->terminal;
	const struct heddle_caller *items = branches->callers->items;
	heddle__print_percent(terminal, items[node].value, branches->whole);
	if (heddle__column_shown(&branches->columns[COLUMN_PART])) {
		putchar(' ');
		heddle__print_percent(terminal, items[node].value, items[0].value);
	}
	printf(" %*s  ", branches->columns[COLUMN_METRIC].width,
		heddle__format_value(
			text, sizeof(text), items[node].value, profile_metric_unit(branches->report->metric)));
}

static const struct heddle_tree_rows rows = {
	.shows = shows, .label = label_of, .begin = begin, .print_numbers = print_numbers};

static int print_branches(
	const struct heddle_report *report, const uint64_t *inclusive, const bool *is_of, enum heddle_callers_side side)
{
	const struct profile_view *view = &report->session->view;
	struct heddle_callers callers;
	int error = heddle__callers_make(&callers, view, inclusive, is_of, side);
	if (error)
		return error;
	struct branches branches = {
		.report = report,
		.callers = &callers,
		.heading = side == HEDDLE_CALLERS ? "callers" : "callees",
		.whole = inclusive[0],
	};
	struct heddle_tree tree = {
		.terminal = &report->terminal,
		.rows = &rows,
		.context = &branches,
		.node_count = callers.count,
		.first = callers.first,
		.list = callers.list,
	};
	error = heddle__tree_print(&tree);
	if (!error)
		heddle__print_hidden(report, branches.hidden, "path", branches.hidden_value, callers.items[0].value);
	heddle__callers_free(&callers);
	return error;
}

/* ---- the part ---- */

static bool wanted(const struct heddle_report_options *options)
{
	return options->callers;
}

static int print(const struct heddle_report *report)
{
	const struct profile_view *view = &report->session->view;
	const char *name = report->options->callers;
	uint64_t *inclusive = profile_view_inclusive(view, report->metric);
	bool *is_of = calloc(view->label_count + 1, sizeof(*is_of));
	int error = inclusive && is_of ? 0 : -ENOMEM;
	if (!error && choose(view, name, is_of) != 1)
		error = complain(view, name, is_of);
	if (!error)
		error = print_branches(report, inclusive, is_of, HEDDLE_CALLERS);
	if (!error) {
		putchar('\n');
		error = print_branches(report, inclusive, is_of, HEDDLE_CALLEES);
	}
	free(is_of);
	free(inclusive);
	return error;
}

const struct heddle_report_part heddle__report_part_callers = {.wanted = wanted, .print = print};
