/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of `heddle diff`: largest changes first. */
#include "analysis/comparison_rows.h"
#include "cli/base/columns.h"
#include "cli/base/wrap.h"
#include "cli/report/diff_parts.h"
#include "cli/report/tree_print.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

struct heddle_difference heddle__diff_values(const struct heddle_diff *diff, const double *values)
{
	return heddle__compare(values, diff->before_count, values + diff->before_count,
		diff->comparison.run_count - diff->before_count);
}

static char *format_mean(char *text, size_t size, double value, const char *unit)
{
	return heddle__format_value(text, size, value < 1e19 ? (uint64_t)(value + 0.5) : UINT64_MAX, unit);
}

char *heddle__format_signed(char *text, size_t size, double value, const char *unit)
{
	char plain[32];
	format_mean(plain, sizeof(plain), fabs(value), unit);
	snprintf(text, size, "%s%s", fabs(value) < 0.5 ? "" : value < 0 ? "-" : "+", plain);
	return text;
}

char *heddle__format_change(char *text, size_t size, const struct heddle_difference *difference)
{
	if (difference->before == 0 && difference->after == 0)
		snprintf(text, size, "-");
	else if (difference->before == 0)
		snprintf(text, size, "new");
	else if (difference->after == 0)
		snprintf(text, size, "gone");
	else if (difference->change >= 100 * difference->before)
		snprintf(text, size, "%.0fx", difference->after / difference->before);
	else
		snprintf(text, size, "%+.1f %%", 100 * difference->change / difference->before);
	return text;
}

char *heddle__format_significance(char *text, size_t size, const struct heddle_difference *difference)
{
	if (difference->p >= HEDDLE_SIGNIFICANT)
		snprintf(text, size, "not significant");
	else if (difference->p < 0.001)
		snprintf(text, size, "p < 0.001");
	else
		snprintf(text, size, "p = %.3f", difference->p);
	return text;
}

static bool is_tested(const struct heddle_diff *diff)
{
	return diff->whole.tested;
}

enum { COLUMN_BEFORE, COLUMN_AFTER, COLUMN_CHANGE, COLUMN_PERCENT, COLUMN_MARGIN, COLUMN_SIGNIFICANCE, COLUMNS };

struct layout {
	struct heddle_column columns[COLUMNS];
	bool brief; /* short form of the significance */
};

static void make_columns(struct layout *layout, const struct heddle_diff *diff, size_t names, bool brief)
{
	const struct heddle_look *look = &diff->report.look;
	*layout = (struct layout){
		.columns = {[COLUMN_BEFORE] = {"before", 10, 4, false},
			[COLUMN_AFTER] = {"after", 10, 0, false},
			[COLUMN_CHANGE] = {"change", 11, 5, false},
			[COLUMN_PERCENT] = {"change %", 9, 0, false}},
		.brief = brief,
	};
	if (is_tested(diff)) {
		layout->columns[COLUMN_MARGIN] = (struct heddle_column){"within +-", 12, 6, false};
		layout->columns[COLUMN_SIGNIFICANCE] = brief ? (struct heddle_column){"signif.", 9, 3, false}
							     : (struct heddle_column){"significance", 15, 3, false};
	}
	heddle__columns_fit(look, layout->columns, COLUMNS, heddle__names_least(look, names));
}

static size_t numbers_width(const struct layout *layout)
{
	return heddle__columns_width(layout->columns, COLUMNS) + 2;
}

/* Shortens the significance before columns other than the margin are left out. */
static void lay_out(struct layout *layout, const struct heddle_diff *diff, size_t names, const char *what)
{
	make_columns(layout, diff, names, false);
	if (is_tested(diff) && !heddle__column_shown(&layout->columns[COLUMN_CHANGE]))
		make_columns(layout, diff, names, true);
	heddle__columns_print_heading(&diff->report.look, layout->columns, COLUMNS, what);
}

static enum heddle_style change_style(const struct heddle_diff *diff, const struct heddle_difference *difference)
{
	double share = diff->whole.before > 0 ? fabs(difference->change) / diff->whole.before : 0;
	if (difference->tested && difference->p >= HEDDLE_SIGNIFICANT)
		return HEDDLE_STYLE_DIM;
	return share >= 0.05 ? HEDDLE_STYLE_HOT : share >= 0.01 ? HEDDLE_STYLE_WARM : HEDDLE_STYLE_NORMAL;
}

static void print_cell(const struct heddle_column *column, const char *blank, const char *text)
{
	if (heddle__column_shown(column))
		printf("%s%*s", blank, column->width, text);
}

static void print_numbers(
	const struct heddle_diff *diff, const struct layout *layout, const struct heddle_difference *difference)
{
	char text[48];
	const char *unit = profile_metric_unit(diff->report.metric);
	const struct heddle_column *columns = layout->columns;
	bool first = !heddle__column_shown(&columns[COLUMN_BEFORE]);
	print_cell(&columns[COLUMN_BEFORE], "", format_mean(text, sizeof(text), difference->before, unit));
	print_cell(&columns[COLUMN_AFTER], first ? "" : " ", format_mean(text, sizeof(text), difference->after, unit));
	heddle__style(&diff->report.look, change_style(diff, difference));
	print_cell(&columns[COLUMN_CHANGE], " ", heddle__format_signed(text, sizeof(text), difference->change, unit));
	print_cell(&columns[COLUMN_PERCENT], " ", heddle__format_change(text, sizeof(text), difference));
	if (is_tested(diff))
		print_cell(&columns[COLUMN_MARGIN], " ", format_mean(text, sizeof(text), difference->margin, unit));
	if (layout->brief && difference->p >= HEDDLE_SIGNIFICANT)
		print_cell(&columns[COLUMN_SIGNIFICANCE], " ", "n.s.");
	else
		print_cell(&columns[COLUMN_SIGNIFICANCE], " ",
			heddle__format_significance(text, sizeof(text), difference));
	heddle__style(&diff->report.look, HEDDLE_STYLE_NORMAL);
	fputs("  ", stdout);
}

static void print_name(const struct heddle_diff *diff, const char *text, uint8_t kind, size_t used)
{
	struct profile_label label = {.text = text, .kind = kind};
	heddle__print_label(&diff->report.look, &label, used);
	putchar('\n');
}

static void print_hidden(const struct heddle_diff *diff, size_t count, const char *what)
{
	char text[32];
	struct heddle_capture capture;
	if (count == 0)
		return;
	putchar('\n');
	heddle__style(&diff->report.look, HEDDLE_STYLE_DIM);
	heddle__capture_begin(&capture);
	printf("%s %s%s changed by less than %g %% of the whole: --min 0 shows %s\n",
		heddle__format_count(text, sizeof(text), count), what, count == 1 ? "" : "s", diff->report.min_percent,
		count == 1 ? "it" : "them");
	heddle__capture_end(&capture, (struct heddle_wrap){.width = diff->report.look.width});
	heddle__style(&diff->report.look, HEDDLE_STYLE_NORMAL);
}

static void print_legend(const struct heddle_diff *diff, const struct layout *layout)
{
	const struct heddle_look *look = &diff->report.look;
	heddle__columns_print_omitted(look, layout->columns, COLUMNS);
	if (!layout->brief || !heddle__column_shown(&layout->columns[COLUMN_SIGNIFICANCE]))
		return;
	heddle__style(look, HEDDLE_STYLE_DIM);
	puts("n.s.: not significant");
	heddle__style(look, HEDDLE_STYLE_NORMAL);
}

/* Relative to the larger of the two totals: a new program has only one. */
static bool big_enough(const struct heddle_diff *diff, double magnitude)
{
	double whole = diff->whole.before > diff->whole.after ? diff->whole.before : diff->whole.after;
	return magnitude > 0 ? 100 * magnitude >= diff->report.min_percent * whole : diff->report.min_percent <= 0;
}

/* ---- the tree ---- */

struct tree {
	const struct heddle_diff *diff;
	struct heddle_difference *of;
	double *magnitude; /* the largest change of a path and those below: changes below may cancel out */
	uint32_t *first;   /* children, as in struct profile_view_children */
	uint32_t *list;
	size_t hidden;
	struct layout layout;
};

struct by_magnitude {
	double magnitude;
	uint32_t path;
};

static int larger_first(const void *a, const void *b)
{
	const struct by_magnitude *x = a, *y = b;
	if (x->magnitude != y->magnitude)
		return x->magnitude > y->magnitude ? -1 : 1;
	return (x->path > y->path) - (x->path < y->path);
}

static int compare_paths(struct tree *tree)
{
	const struct heddle_comparison *all = &tree->diff->comparison;
	double *values = calloc(all->run_count, sizeof(*values));
	if (!values)
		return -ENOMEM;
	for (uint32_t i = (uint32_t)all->count; i-- > 0;) {
		for (size_t r = 0; r < all->run_count; r++)
			values[r] = (double)heddle__run_total(&all->runs[r], i);
		tree->of[i] = heddle__diff_values(tree->diff, values);
		double change = fabs(tree->of[i].change), *above = &tree->magnitude[all->paths[i].parent];
		tree->magnitude[i] = change > tree->magnitude[i] ? change : tree->magnitude[i];
		*above = tree->magnitude[i] > *above ? tree->magnitude[i] : *above;
		tree->first[all->paths[i].parent + 1] += i != 0;
	}
	free(values);
	return 0;
}

/* Sorts children by parent, then by magnitude. */
static int sort_paths(struct tree *tree)
{
	const struct heddle_comparison *all = &tree->diff->comparison;
	struct by_magnitude *room = calloc(all->count, sizeof(*room));
	uint32_t *filled = calloc(all->count, sizeof(*filled));
	if (!room || !filled) {
		free(room);
		free(filled);
		return -ENOMEM;
	}
	for (size_t i = 0; i < all->count; i++)
		tree->first[i + 1] += tree->first[i];
	for (uint32_t i = 1; i < all->count; i++)
		tree->list[tree->first[all->paths[i].parent] + filled[all->paths[i].parent]++] = i;
	free(filled);
	for (size_t i = 0; i < all->count; i++) {
		uint32_t *list = tree->list + tree->first[i], count = tree->first[i + 1] - tree->first[i];
		for (uint32_t c = 0; c < count; c++)
			room[c] = (struct by_magnitude){tree->magnitude[list[c]], list[c]};
		qsort(room, count, sizeof(*room), larger_first);
		for (uint32_t c = 0; c < count; c++)
			list[c] = room[c].path;
	}
	free(room);
	return 0;
}

static bool shows(void *context, uint32_t path, uint32_t depth)
{
	struct tree *tree = context;
	bool shown = big_enough(tree->diff, tree->magnitude[path]);
	(void)depth;
	tree->hidden += !shown;
	return shown;
}

static struct profile_label label_of(const void *context, uint32_t path)
{
	const struct tree *tree = context;
	const struct heddle_common_path *of = &tree->diff->comparison.paths[path];
	return (struct profile_label){.text = of->text, .kind = of->kind};
}

static size_t begin(void *context, size_t wanted)
{
	struct tree *tree = context;
	lay_out(&tree->layout, tree->diff, wanted, "call path");
	return numbers_width(&tree->layout);
}

static void print_path_numbers(const void *context, uint32_t path)
{
	const struct tree *tree = context;
	print_numbers(tree->diff, &tree->layout, &tree->of[path]);
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
		.report = &tree->diff->report,
		.rows = &tree_rows,
		.context = tree,
		.node_count = tree->diff->comparison.count,
		.first = tree->first,
		.list = tree->list,
	};
	int error = heddle__tree_print(&printed);
	if (error)
		return error;
	print_hidden(tree->diff, tree->hidden, "path");
	heddle__tree_lines_print_omitted(&printed.lines);
	print_legend(tree->diff, &tree->layout);
	return 0;
}

int heddle__diff_tree(const struct heddle_diff *diff)
{
	size_t count = diff->comparison.count;
	struct tree tree = {
		.diff = diff,
		.of = calloc(count, sizeof(*tree.of)),
		.magnitude = calloc(count, sizeof(*tree.magnitude)),
		.first = calloc(count + 1, sizeof(*tree.first)),
		.list = calloc(count, sizeof(*tree.list)),
	};
	bool made = tree.of && tree.magnitude && tree.first && tree.list;
	int error = made ? compare_paths(&tree) : -ENOMEM;
	if (!error)
		error = sort_paths(&tree);
	if (!error)
		error = print_tree(&tree);
	free(tree.of);
	free(tree.magnitude);
	free(tree.first);
	free(tree.list);
	return error;
}

/* ---- functions ---- */

static void print_rows(
	const struct heddle_diff *diff, const struct heddle_common_rows *rows, struct by_magnitude *order)
{
	const struct heddle_comparison *all = &diff->comparison;
	struct layout layout;
	size_t count = rows->keys.count, hidden = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct heddle_difference one = heddle__diff_values(diff, &rows->values[i * all->run_count]);
		order[i] = (struct by_magnitude){fabs(one.change), i};
	}
	qsort(order, count, sizeof(*order), larger_first);
	lay_out(&layout, diff, 30, "function, by itself");
	for (size_t i = 0; i < count; i++) {
		uint32_t row = order[i].path;
		struct heddle_difference one = heddle__diff_values(diff, &rows->values[row * all->run_count]);
		if (!big_enough(diff, order[i].magnitude)) {
			hidden++;
			continue;
		}
		print_numbers(diff, &layout, &one);
		print_name(diff, all->paths[rows->path[row]].text, all->paths[rows->path[row]].kind,
			numbers_width(&layout));
	}
	print_hidden(diff, hidden, "function");
	print_legend(diff, &layout);
}

int heddle__diff_flat(const struct heddle_diff *diff)
{
	struct heddle_common_rows rows;
	int error = heddle__common_rows_make(&rows, &diff->comparison);
	struct by_magnitude *order = calloc(rows.keys.count + 1, sizeof(*order));
	if (!error && order)
		print_rows(diff, &rows, order);
	error = error || order ? error : -ENOMEM;
	free(order);
	heddle__common_rows_free(&rows);
	return error;
}
