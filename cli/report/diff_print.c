/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of `heddle diff`: largest changes first. */
#include "cli/base/cells.h"
#include "cli/base/columns.h"
#include "cli/base/wrap.h"
#include "cli/report/diff_parts.h"
#include "cli/report/tree_print.h"

#include <math.h>

/* ---- cells ---- */

static char *format_mean(char *text, size_t size, double value, const char *unit)
{
	return heddle__format_value(text, size, value < 1e19 ? (uint64_t)(value + 0.5) : UINT64_MAX, unit);
}

/* "+1.20 s". */
static char *format_signed(char *text, size_t size, double value, const char *unit)
{
	char number[32];
	format_mean(number, sizeof(number), fabs(value), unit);
	snprintf(text, size, "%s%s", fabs(value) < 0.5 ? "" : value < 0 ? "-" : "+", number);
	return text;
}

static bool is_tested(const struct heddle_diff_report *report)
{
	return report->diff.whole.tested;
}

enum { COLUMN_BEFORE, COLUMN_AFTER, COLUMN_CHANGE, COLUMN_PERCENT, COLUMN_MARGIN, COLUMN_SIGNIFICANCE, COLUMNS };

struct layout {
	struct heddle_column columns[COLUMNS];
	bool brief; /* the significance has its short form */
};

static void make_columns(struct layout *layout, const struct heddle_diff_report *report, size_t names, bool brief)
{
	const struct heddle_terminal *terminal = &report->terminal;
	*layout = (struct layout){
		.columns = {[COLUMN_BEFORE] = {"before", 10, 4, false},
			[COLUMN_AFTER] = {"after", 10, 0, false},
			[COLUMN_CHANGE] = {"change", 11, 5, false},
			[COLUMN_PERCENT] = {"change %", 9, 0, false}},
		.brief = brief,
	};
	if (is_tested(report)) {
		layout->columns[COLUMN_MARGIN] = (struct heddle_column){"within +-", 12, 6, false};
		layout->columns[COLUMN_SIGNIFICANCE] = brief ? (struct heddle_column){"signif.", 9, 3, false}
							     : (struct heddle_column){"significance", 15, 3, false};
	}
	heddle__columns_fit(terminal, layout->columns, COLUMNS, heddle__names_least(terminal, names));
}

static size_t numbers_width(const struct layout *layout)
{
	return heddle__columns_width(layout->columns, COLUMNS) + 2;
}

/* Shortens the significance before columns other than the margin are left out. */
static void lay_out(struct layout *layout, const struct heddle_diff_report *report, size_t names, const char *what)
{
	make_columns(layout, report, names, false);
	if (is_tested(report) && !heddle__column_shown(&layout->columns[COLUMN_CHANGE]))
		make_columns(layout, report, names, true);
	heddle__columns_print_heading(&report->terminal, layout->columns, COLUMNS, what);
}

static enum heddle_style change_style(
	const struct heddle_diff_report *report, const struct heddle_difference *difference)
{
	double share = report->diff.whole.before > 0 ? fabs(difference->change) / report->diff.whole.before : 0;
	if (difference->tested && difference->p >= HEDDLE_SIGNIFICANT)
		return HEDDLE_STYLE_DIM;
	return share >= 0.05 ? HEDDLE_STYLE_HOT : share >= 0.01 ? HEDDLE_STYLE_WARM : HEDDLE_STYLE_NORMAL;
}

static void print_cell(const struct heddle_column *column, const char *blank, const char *text)
{
	if (heddle__column_shown(column))
		printf("%s%*s", blank, column->width, text);
}

static void print_numbers(const struct heddle_diff_report *report, const struct layout *layout,
	const struct heddle_difference *difference)
{
	char text[48];
	const char *unit = profile_metric_unit(report->diff.metric);
	const struct heddle_column *columns = layout->columns;
	bool first = !heddle__column_shown(&columns[COLUMN_BEFORE]);
	print_cell(&columns[COLUMN_BEFORE], "", format_mean(text, sizeof(text), difference->before, unit));
	print_cell(&columns[COLUMN_AFTER], first ? "" : " ", format_mean(text, sizeof(text), difference->after, unit));
	heddle__style(&report->terminal, change_style(report, difference));
	print_cell(&columns[COLUMN_CHANGE], " ", format_signed(text, sizeof(text), difference->change, unit));
	print_cell(&columns[COLUMN_PERCENT], " ", heddle__format_change(text, sizeof(text), difference));
	if (is_tested(report))
		print_cell(&columns[COLUMN_MARGIN], " ", format_mean(text, sizeof(text), difference->margin, unit));
	if (layout->brief && difference->p >= HEDDLE_SIGNIFICANT)
		print_cell(&columns[COLUMN_SIGNIFICANCE], " ", "n.s.");
	else
		print_cell(&columns[COLUMN_SIGNIFICANCE], " ",
			heddle__format_significance(text, sizeof(text), difference));
	heddle__style(&report->terminal, HEDDLE_STYLE_NORMAL);
	fputs("  ", stdout);
}

static void print_name(const struct heddle_diff_report *report, const char *text, uint8_t kind, size_t used)
{
	struct profile_label label = {.text = text, .kind = kind};
	heddle__print_label(&report->terminal, &label, used);
	putchar('\n');
}

static void print_hidden(const struct heddle_diff_report *report, size_t count, const char *what)
{
	char text[32];
	struct heddle_capture capture;
	if (count == 0)
		return;
	putchar('\n');
	heddle__style(&report->terminal, HEDDLE_STYLE_DIM);
	heddle__capture_begin(&capture);
	printf("%s %s%s changed by less than %g %% of the whole: --min 0 shows %s\n",
		heddle__format_count(text, sizeof(text), count), what, count == 1 ? "" : "s", report->min_percent,
		count == 1 ? "it" : "them");
	heddle__capture_end(&capture, (struct heddle_wrap){.width = report->terminal.width});
	heddle__style(&report->terminal, HEDDLE_STYLE_NORMAL);
}

static void print_legend(const struct heddle_diff_report *report, const struct layout *layout)
{
	const struct heddle_terminal *terminal = &report->terminal;
	heddle__columns_print_omitted(terminal, layout->columns, COLUMNS);
	if (!layout->brief || !heddle__column_shown(&layout->columns[COLUMN_SIGNIFICANCE]))
		return;
	heddle__style(terminal, HEDDLE_STYLE_DIM);
	puts("n.s.: not significant");
	heddle__style(terminal, HEDDLE_STYLE_NORMAL);
}

/* True if a change is not below --min, relative to the larger of the two totals: a new program has only one. */
static bool big_enough(const struct heddle_diff_report *report, double magnitude)
{
	double whole = report->diff.whole.before > report->diff.whole.after ? report->diff.whole.before
									    : report->diff.whole.after;
	return magnitude > 0 ? 100 * magnitude >= report->min_percent * whole : report->min_percent <= 0;
}

/* ---- the tree ---- */

struct tree {
	const struct heddle_diff_report *report;
	struct heddle_diff_paths paths;
	size_t hidden;
	struct layout layout;
};

static bool shows(void *context, uint32_t path, uint32_t depth)
{
	struct tree *tree = context;
	bool shown = big_enough(tree->report, tree->paths.magnitude[path]);
	(void)depth;
	tree->hidden += !shown;
	return shown;
}

static struct profile_label label_of(const void *context, uint32_t path)
{
	const struct tree *tree = context;
	const struct heddle_common_path *of = &tree->report->diff.comparison.paths[path];
	return (struct profile_label){.text = of->text, .kind = of->kind};
}

static size_t begin(void *context, size_t wanted)
{
	struct tree *tree = context;
	lay_out(&tree->layout, tree->report, wanted, "call path");
	return numbers_width(&tree->layout);
}

static void print_path_numbers(const void *context, uint32_t path)
{
	const struct tree *tree = context;
	print_numbers(tree->report, &tree->layout, &tree->paths.of[path]);
}

static const struct heddle_tree_rows tree_rows = {
	.shows = shows,
	.label = label_of,
	.begin = begin,
	.print_numbers = print_path_numbers,
};

static int print_tree(struct tree *tree)
{
	struct heddle_tree printed = {
		.terminal = &tree->report->terminal,
		.rows = &tree_rows,
		.context = tree,
		.node_count = tree->report->diff.comparison.count,
		.first = tree->paths.first,
		.list = tree->paths.list,
	};
	int error = heddle__tree_print(&printed);
	if (error)
		return error;
	print_hidden(tree->report, tree->hidden, "path");
	heddle__tree_lines_print_omitted(&printed.lines);
	print_legend(tree->report, &tree->layout);
	return 0;
}

int heddle__diff_tree(const struct heddle_diff_report *report)
{
	struct tree tree = {.report = report};
	int error = heddle__diff_paths_make(&tree.paths, &report->diff);
	if (!error)
		error = print_tree(&tree);
	heddle__diff_paths_free(&tree.paths);
	return error;
}

/* ---- functions ---- */

static void print_rows(const struct heddle_diff_report *report, const struct heddle_diff_rows *rows)
{
	const struct heddle_comparison *all = &report->diff.comparison;
	struct layout layout;
	size_t hidden = 0;
	lay_out(&layout, report, 30, "function, by itself");
	for (size_t i = 0; i < rows->count; i++) {
		const struct heddle_diff_row *row = &rows->items[i];
		if (!big_enough(report, fabs(row->is.change))) {
			hidden++;
			continue;
		}
		print_numbers(report, &layout, &row->is);
		print_name(report, all->paths[row->path].text, all->paths[row->path].kind, numbers_width(&layout));
	}
	print_hidden(report, hidden, "function");
	print_legend(report, &layout);
}

int heddle__diff_flat(const struct heddle_diff_report *report)
{
	struct heddle_diff_rows rows;
	int error = heddle__diff_rows_make(&rows, &report->diff);
	if (!error)
		print_rows(report, &rows);
	heddle__diff_rows_free(&rows);
	return error;
}
