/* SPDX-License-Identifier: BSD-3-Clause */
/* The call-path tree of `heddle report`, and the cells that other parts print as well. */
#include "cli/base/columns.h"
#include "cli/base/wrap.h"
#include "cli/report/report_parts.h"
#include "cli/report/tree_print.h"
#include "profile/file/description.h"
#include "profile/view/view_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

void heddle__print_hidden(
	const struct heddle_report *report, size_t count, const char *what, uint64_t value, uint64_t total)
{
	char text[32];
	struct heddle_capture capture;
	if (count == 0)
		return;
	putchar('\n');
	heddle__style(&report->terminal, HEDDLE_STYLE_DIM);
	heddle__capture_begin(&capture);
	printf("%s %s%s below %g %% hidden (%.1f %% in all): --min 0 shows them\n",
		heddle__format_count(text, sizeof(text), count), what, count == 1 ? "" : "s",
		heddle__least_percent(report->min_percent, SIZE_MAX),
		total ? 100.0 * (double)value / (double)total : 0);
	heddle__capture_end(&capture, (struct heddle_wrap){.width = report->terminal.width});
	heddle__style(&report->terminal, HEDDLE_STYLE_NORMAL);
}

/* ---- the tree ---- */

enum {
	COLUMN_TOTAL,
	COLUMN_SELF,
	COLUMN_METRIC,
	COLUMN_EXTRAS,
	COLUMN_COUNTS = COLUMN_EXTRAS + HEDDLE_EXTRA_LIMIT,
	COLUMN_SPREAD,
	COLUMNS = COLUMN_SPREAD + HEDDLE_SPREAD_COLUMNS
};

struct tree {
	const struct heddle_report *report;
	const struct profile_view *view;
	struct profile_spreads spreads;
	struct heddle_column columns[COLUMNS];
	uint64_t *sums;
	uint64_t *extras[HEDDLE_EXTRA_LIMIT]; /* NULL: no values */
	const uint64_t *counts;               /* values of the count column; NULL: none */
	uint64_t *visits;                     /* inclusive; NULL: none, or paths without a value are hidden */
	uint64_t most_counts;                 /* largest count of a node that is shown */
	size_t hidden_small, hidden_deep;
	uint64_t hidden_value;
};

static bool big_enough(const struct tree *tree, uint32_t node)
{
	double least = heddle__least_percent(tree->report->min_percent, SIZE_MAX);
	return (double)tree->sums[node] * 100 >= least * (double)tree->sums[0] && tree->sums[node];
}

/* True if events of a path were counted, even if no sample fell there or below. */
static bool has_visits(const struct tree *tree, uint32_t node)
{
	return tree->visits && tree->visits[node];
}

static void note_counts(struct tree *tree, uint32_t node)
{
	if (tree->counts && tree->counts[node] > tree->most_counts)
		tree->most_counts = tree->counts[node];
}

static bool shows(void *context, uint32_t node, uint32_t depth)
{
	struct tree *tree = context;
	bool deep = tree->report->depth && depth > tree->report->depth;
	bool big = big_enough(tree, node) || has_visits(tree, node);
	if (big && !deep)
		note_counts(tree, node);
	if (big && deep)
		tree->hidden_deep++;
	if (!big && tree->sums[node]) {
		tree->hidden_small++;
		tree->hidden_value += tree->sums[node];
	}
	return big && !deep;
}

/* ---- columns ---- */

/* Rank of an extra column: the one with the smallest sum is left out first. */
static unsigned extra_rank(const struct tree *tree, size_t extra)
{
	unsigned rank = 5;
	for (size_t i = 0; i < tree->report->extra_count; i++) {
		uint64_t mine = tree->extras[extra] ? tree->extras[extra][0] : 0;
		uint64_t other = tree->extras[i] ? tree->extras[i][0] : 0;
		rank += other > mine || (other == mine && i < extra);
	}
	return rank;
}

/* Large counts need a wider column than usual. */
static int counts_width(const struct tree *tree)
{
	char text[32];
	int needed = (int)strlen(heddle__format_count(text, sizeof(text), tree->most_counts));
	int usual = heddle__value_width(tree->report->counts);
	return needed > usual ? needed : usual;
}

static bool has_counts(const struct tree *tree)
{
	return tree->counts && tree->report->metric != tree->report->counts;
}

static void make_columns(struct tree *tree)
{
	const struct heddle_report *report = tree->report;
	struct heddle_column *columns = tree->columns;
	columns[COLUMN_TOTAL] = (struct heddle_column){"total %", 7, 0, false};
	columns[COLUMN_SELF] = (struct heddle_column){"self %", 7, 1, false};
	columns[COLUMN_METRIC] = (struct heddle_column){
		profile_metric_name(report->metric), heddle__value_width(report->metric), 0, false};
	for (size_t i = 0; i < report->extra_count && !report->stats; i++)
		columns[COLUMN_EXTRAS + i] = (struct heddle_column){
			report->extras[i].heading, report->terminal.width ? 9 : 10, extra_rank(tree, i), false};
	if (has_counts(tree))
		columns[COLUMN_COUNTS] = (struct heddle_column){
			profile_metric_name(report->counts), counts_width(tree), report->stats ? 9 : 4, false};
	heddle__spread_columns(&columns[COLUMN_SPREAD], report);
}

static size_t begin(void *context, size_t wanted)
{
	struct tree *tree = context;
	const struct heddle_terminal *terminal = &tree->report->terminal;
	make_columns(tree);
	heddle__columns_fit(terminal, tree->columns, COLUMNS, heddle__names_least(terminal, wanted));
	heddle__columns_print_heading(terminal, tree->columns, COLUMNS, "call path");
	return heddle__columns_width(tree->columns, COLUMNS) + 2;
}

/* ---- rows ---- */

static void print_count(const struct tree *tree, uint32_t node)
{
	char text[32] = "";
	const struct heddle_column *column = &tree->columns[COLUMN_COUNTS];
	if (!heddle__column_shown(column))
		return;
	uint64_t count = tree->counts[node];
	if (count)
		heddle__format_count(text, sizeof(text), count);
	printf(" %*s", column->width, text);
}

static void print_extras(const struct tree *tree, uint32_t node)
{
	char text[32];
	const struct heddle_report *report = tree->report;
	for (size_t i = 0; i < report->extra_count; i++) {
		const struct heddle_column *column = &tree->columns[COLUMN_EXTRAS + i];
		const char *unit = profile_metric_unit(report->extras[i].metric);
		uint64_t value = tree->extras[i] ? tree->extras[i][node] : 0;
		if (heddle__column_shown(column))
			printf(" %*s", column->width,
				value ? heddle__format_value(text, sizeof(text), value, unit) : "-");
	}
}

static struct profile_label label_of(const void *context, uint32_t node)
{
	const struct tree *tree = context;
	struct profile_label label = tree->view->labels[tree->view->label_of[node]];
	label.text = profile_view_text(tree->view, node);
	return label;
}

static void print_numbers(const void *context, uint32_t node)
{
	char text[32];
	const struct tree *tree = context;
	const char *unit = profile_metric_unit(tree->report->metric);
	heddle__print_percent(&tree->report->terminal, tree->sums[node], tree->sums[0]);
	if (heddle__column_shown(&tree->columns[COLUMN_SELF])) {
		putchar(' ');
		heddle__print_percent(
			&tree->report->terminal, tree->view->values[tree->report->metric][node], tree->sums[0]);
	}
	printf(" %*s", heddle__value_width(tree->report->metric),
		heddle__format_value(text, sizeof(text), tree->sums[node], unit));
	print_extras(tree, node);
	print_count(tree, node);
	if (tree->report->stats)
		heddle__print_spread(tree->report, &tree->columns[COLUMN_SPREAD], &tree->spreads,
			&tree->spreads.of[tree->report->metric][HEDDLE_SPREAD_PATHS][node]);
	fputs("  ", stdout);
}

/* Prints a line with a string that is a user event's argument. Returns false if the event's arguments are numbers. */
static bool print_string(const struct heddle_tree *tree, const struct profile_distribution *one, const char *name,
	const char *description)
{
	bool further;
	char text[2 * HEDDLE_NAME_LIMIT], count[32];
	const char *string = profile_argument_string(description, &further);
	if (!string)
		return false;
	snprintf(text, sizeof(text), "%s  %s%s%s (%s value%s)", name, further ? "" : "\"",
		further ? "other strings" : string, further ? "" : "\"",
		heddle__format_count(count, sizeof(count), one->count), one->count == 1 ? "" : "s");
	heddle__tree_print_below(tree, text);
	return true;
}

/* Prints a line with the values of a user event's argument. */
static void print_argument(
	const struct heddle_tree *tree, const char *const *strings, const struct profile_distribution *one)
{
	const struct heddle_terminal *terminal = tree->terminal;
	const char *description = one->text ? strings[one->text - 1] : "";
	char name[HEDDLE_NAME_LIMIT], least[32], mean[32], most[32], sum[32], count[32], text[HEDDLE_NAME_LIMIT + 256];
	profile_argument_name(name, sizeof(name), description, one->argument);
	if (print_string(tree, one, name, description))
		return;
	snprintf(text, sizeof(text), "%s  min %s%smean %s%smax %s%ssum %s (%s value%s)", name,
		heddle__format_number(least, sizeof(least), one->minimum), terminal->dot,
		heddle__format_number(mean, sizeof(mean), one->sum / (double)one->count), terminal->dot,
		heddle__format_number(most, sizeof(most), one->maximum), terminal->dot,
		heddle__format_number(sum, sizeof(sum), one->sum),
		heddle__format_count(count, sizeof(count), one->count), one->count == 1 ? "" : "s");
	heddle__tree_print_below(tree, text);
}

/* True if the argument's values at the End of events equal those at Start, which are shown, too. */
static bool is_repeated(const struct profile_distribution *of, size_t count, const struct profile_distribution *one)
{
	bool repeated = false;
	for (size_t i = 0; one->argument > HEDDLE_ARGUMENT_OF_END && i < count; i++)
		repeated |= of[i].argument == one->argument - HEDDLE_ARGUMENT_OF_END && of[i].text == one->text &&
			    of[i].count == one->count && of[i].minimum == one->minimum &&
			    of[i].maximum == one->maximum && of[i].sum == one->sum;
	return repeated;
}

static void print_arguments(const void *context, const struct heddle_tree *printed, uint32_t node)
{
	size_t count;
	const struct tree *tree = context;
	const struct profile_distribution *of = profile_distributions_of(&tree->view->distributions, node, &count);
	for (size_t i = 0; tree->report->arguments && i < count; i++)
		if (of[i].argument > 0 && !is_repeated(of, count, &of[i]))
			print_argument(printed, tree->report->session->measurement.tree.strings, &of[i]);
}

static const struct heddle_tree_rows rows = {
	.shows = shows,
	.label = label_of,
	.begin = begin,
	.print_numbers = print_numbers,
	.print_below = print_arguments,
};

static int print_tree(struct tree *tree, const struct profile_view_children *children)
{
	struct heddle_tree printed = {
		.terminal = &tree->report->terminal,
		.rows = &rows,
		.context = tree,
		.node_count = tree->view->node_count,
		.first = children->first,
		.list = children->list,
	};
	note_counts(tree, 0);
	int error = heddle__tree_print(&printed);
	if (error)
		return error;
	heddle__print_hidden(tree->report, tree->hidden_small, "path", tree->hidden_value, tree->sums[0]);
	if (tree->hidden_deep)
		printf("\n%zu path%s deeper than %u hidden: --depth N shows more\n", tree->hidden_deep,
			tree->hidden_deep == 1 ? "" : "s", tree->report->depth);
	heddle__tree_lines_print_omitted(&printed.lines);
	heddle__columns_print_omitted(&tree->report->terminal, tree->columns, COLUMNS);
	return 0;
}

int heddle__report_tree(const struct heddle_report *report)
{
	const struct profile_view *view = &report->session->view;
	struct tree tree = {
		.report = report,
		.view = view,
		.sums = profile_view_inclusive(view, report->metric),
		.counts = view->values[report->counts],
		.visits = heddle__least_percent(report->min_percent, SIZE_MAX) <= 0
				  ? profile_view_inclusive(view, HEDDLE_METRIC_VISITS)
				  : NULL,
	};
	struct profile_view_children children = {0};
	int error = tree.sums ? 0 : -ENOMEM;
	for (size_t i = 0; i < report->extra_count; i++)
		tree.extras[i] = profile_view_inclusive(view, report->extras[i].metric);
	if (!error && report->stats)
		error = heddle__spreads_make(&tree.spreads, report, false);
	if (!error)
		error = profile_view_children_make(&children, view, tree.sums);
	if (!error)
		error = print_tree(&tree, &children);
	profile_spreads_free(&tree.spreads);
	for (size_t i = 0; i < report->extra_count; i++)
		free(tree.extras[i]);
	free(tree.visits);
	free(tree.sums);
	profile_view_children_free(&children);
	return error;
}

const struct heddle_report_part heddle__report_part_tree = {.print = heddle__report_tree};
