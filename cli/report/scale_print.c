/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of `heddle scale`: a row for each scale, and call paths by their loss. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/text.h"
#include "cli/base/cells.h"
#include "cli/base/columns.h"
#include "cli/base/wrap.h"
#include "cli/report/scale_parts.h"
#include "cli/report/tree_print.h"

static uint64_t rounded(double value)
{
	return value > 0 ? value < 1e19 ? (uint64_t)(value + 0.5) : UINT64_MAX : 0;
}

static char *format_ns(char *text, size_t size, double ns)
{
	return heddle__format_time(text, size, rounded(ns));
}

/* ---- a row for each scale ---- */

/* From POINT_ELAPSED on in the order of enum heddle_scaling_value. */
enum {
	POINT_RUNS,
	POINT_ELAPSED,
	POINT_SPEEDUP,
	POINT_EFFICIENCY,
	POINT_COMPUTATION,
	POINT_INSTRUCTIONS,
	POINT_IPC_IS,
	POINT_IPC,
	POINT_CLOCK,
	POINT_PARALLEL,
	POINT_FACTORS,
	POINT_COLUMNS = POINT_FACTORS + HEDDLE_FACTOR_COUNT
};

bool heddle__scale_factor_matters(const struct heddle_scaling *scaling, int factor)
{
	if (factor < HEDDLE_FACTOR_FIRST_OF_THREADS)
		return scaling->of_ranks;
	return scaling->of_threads || factor >= HEDDLE_FACTOR_RUNTIME;
}

static void make_point_columns(
	const struct heddle_scale_report *report, const struct heddle_scaling *scaling, struct heddle_column *columns)
{
	static const char *const headings[HEDDLE_FACTOR_COUNT] = {
		"comm. %", "ranks %", "serial %", "balance %", "sync. %", "runtime %", "heddle %", "procs %"};
	int ideal = scaling->own_scale ? 0 : 1;
	columns[POINT_RUNS] = (struct heddle_column){"runs", 5, 8, false};
	columns[POINT_ELAPSED] = (struct heddle_column){"elapsed", 9, 0, false};
	columns[POINT_SPEEDUP] = (struct heddle_column){"speed-up", ideal * 8, 0, false};
	columns[POINT_EFFICIENCY] = (struct heddle_column){"effic. %", ideal * 8, 0, false};
	columns[POINT_COMPUTATION] = (struct heddle_column){"comput. %", ideal * 9, 5, false};
	columns[POINT_INSTRUCTIONS] = (struct heddle_column){"instr. %", scaling->counted * ideal * 8, 4, false};
	columns[POINT_IPC_IS] = (struct heddle_column){"IPC", scaling->counted * 5, 4, false};
	columns[POINT_IPC] = (struct heddle_column){"IPC %", scaling->counted * ideal * 6, 4, false};
	columns[POINT_CLOCK] = (struct heddle_column){"clock %", scaling->counted * ideal * 7, 6, false};
	columns[POINT_PARALLEL] = (struct heddle_column){"parallel %", 10, 0, false};
	for (int f = 0; f < HEDDLE_FACTOR_COUNT; f++)
		columns[POINT_FACTORS + f] =
			(struct heddle_column){headings[f], heddle__scale_factor_matters(scaling, f) ? 9 : 0, 2, false};
	heddle__columns_fit(&report->terminal, columns, POINT_COLUMNS, 10);
}

static void print_text(const struct heddle_column *column, const char *text)
{
	if (heddle__column_shown(column))
		printf("%*s ", column->width, text);
}

static void print_percent(const struct heddle_column *column, double value)
{
	if (heddle__column_shown(column))
		printf("%*.1f ", column->width, 100 * value);
}

static void print_point(const struct heddle_column *columns, const struct heddle_scaling *scaling,
	const struct heddle_scaling_point *point)
{
	char text[32];
	snprintf(text, sizeof(text), "%zu", point->runs);
	print_text(&columns[POINT_RUNS], text);
	print_text(&columns[POINT_ELAPSED], format_ns(text, sizeof(text), point->elapsed_ns));
	snprintf(text, sizeof(text), "%.2f", point->speedup);
	print_text(&columns[POINT_SPEEDUP], text);
	print_percent(&columns[POINT_EFFICIENCY], point->efficiency);
	print_percent(&columns[POINT_COMPUTATION], point->computation);
	print_percent(&columns[POINT_INSTRUCTIONS], point->instructions);
	snprintf(text, sizeof(text), "%.2f", point->ipc_is);
	print_text(&columns[POINT_IPC_IS], text);
	print_percent(&columns[POINT_IPC], point->ipc);
	print_percent(&columns[POINT_CLOCK], point->clock);
	print_percent(&columns[POINT_PARALLEL], point->parallel);
	for (int f = 0; f < HEDDLE_FACTOR_COUNT; f++)
		print_percent(&columns[POINT_FACTORS + f], point->factors[f]);
	printf(" %g", point->scale);
	if (scaling->of_ranks && scaling->of_threads && !scaling->own_scale)
		printf(" = %g x %g", point->ranks, point->threads / point->ranks);
	putchar('\n');
}

/* Prints a row below the values: the margin of error of each. */
static void print_margins(const struct heddle_scale_report *report, const struct heddle_column *columns,
	const struct heddle_scaling_point *point)
{
	const double *margins = point->margins;
	char text[32];
	heddle__style(&report->terminal, HEDDLE_STYLE_DIM);
	print_text(&columns[POINT_RUNS], "+-");
	print_text(&columns[POINT_ELAPSED], format_ns(text, sizeof(text), margins[HEDDLE_SCALING_ELAPSED]));
	for (int column = POINT_SPEEDUP; column < POINT_COLUMNS; column++) {
		double margin = margins[column - POINT_ELAPSED + HEDDLE_SCALING_ELAPSED];
		if (column != POINT_SPEEDUP && column != POINT_IPC_IS) {
			print_percent(&columns[column], margin);
			continue;
		}
		snprintf(text, sizeof(text), "%.2f", margin);
		print_text(&columns[column], text);
	}
	heddle__style(&report->terminal, HEDDLE_STYLE_NORMAL);
	putchar('\n');
}

static void print_points(const struct heddle_scale_report *report, const struct heddle_scaling *scaling)
{
	struct heddle_column columns[POINT_COLUMNS] = {0};
	make_point_columns(report, scaling, columns);
	heddle__columns_print_heading(&report->terminal, columns, POINT_COLUMNS,
		scaling->of_ranks && scaling->of_threads && !scaling->own_scale ? "threads = ranks x threads of each"
										: report->of_scale);
	for (size_t i = 0; i < scaling->point_count; i++) {
		print_point(columns, scaling, &scaling->points[i]);
		if (scaling->points[i].runs > 1)
			print_margins(report, columns, &scaling->points[i]);
	}
	heddle__columns_print_omitted(&report->terminal, columns, POINT_COLUMNS);
}

int heddle__scale_points(const struct heddle_scale_report *report)
{
	print_points(report, &report->scaling);
	for (size_t i = 0; i < report->scaling.phase_count; i++) {
		const struct heddle_scaling_phase *phase = &report->scaling.phases[i];
		if (100 * heddle__scaling_phase_share(&report->scaling, phase) < report->min_percent)
			continue;
		putchar('\n');
		heddle__print_safely(stdout, phase->name);
		puts(", by itself");
		print_points(report, &phase->of);
	}
	return 0;
}

/* ---- call paths ---- */

enum { PATH_LOSS, PATH_FIRST, PATH_LAST, PATH_COLUMNS };

struct tree {
	const struct heddle_scale_report *report;
	struct heddle_scaling_path *of; /* by path */
	double *magnitude;              /* by path: the largest loss in its subtree, as a share of the whole */
	uint32_t *first, *list;         /* children, the largest first */
	size_t hidden;
	char first_heading[24], last_heading[24];
	struct heddle_column columns[PATH_COLUMNS];
};

static double size_of(const struct tree *tree, uint32_t path)
{
	const struct heddle_scaling_path *whole = &tree->of[0];
	if (!tree->report->scaling.own_scale)
		return fabs(tree->of[path].loss);
	return whole->last_ns > 0 ? tree->of[path].last_ns / whole->last_ns : 0;
}

static const struct tree *sorted; /* qsort passes no context */

static int larger_first(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	if (sorted->magnitude[x] != sorted->magnitude[y])
		return sorted->magnitude[x] > sorted->magnitude[y] ? -1 : 1;
	return (x > y) - (x < y);
}

static int make_tree(struct tree *tree)
{
	const struct heddle_comparison *all = &tree->report->scaling.comparison;
	uint32_t *filled = calloc(all->count + 1, sizeof(*filled));
	tree->of = calloc(all->count, sizeof(*tree->of));
	tree->magnitude = calloc(all->count, sizeof(*tree->magnitude));
	tree->first = calloc(all->count + 1, sizeof(*tree->first));
	tree->list = calloc(all->count, sizeof(*tree->list));
	int error = filled && tree->of && tree->magnitude && tree->first && tree->list ? 0 : -ENOMEM;
	for (uint32_t i = 0; !error && i < all->count; i++)
		tree->of[i] = heddle__scaling_path(&tree->report->scaling, i);
	for (uint32_t i = error ? 0 : (uint32_t)all->count; i-- > 0;) {
		tree->magnitude[i] = fmax(tree->magnitude[i], size_of(tree, i));
		tree->magnitude[all->paths[i].parent] = fmax(tree->magnitude[all->paths[i].parent], tree->magnitude[i]);
		tree->first[all->paths[i].parent + 1] += i != 0;
	}
	for (size_t i = 0; !error && i < all->count; i++)
		tree->first[i + 1] += tree->first[i];
	for (uint32_t i = 1; !error && i < all->count; i++)
		tree->list[tree->first[all->paths[i].parent] + filled[all->paths[i].parent]++] = i;
	sorted = tree;
	for (size_t i = 0; !error && i < all->count; i++)
		qsort(tree->list + tree->first[i], tree->first[i + 1] - tree->first[i], sizeof(*tree->list),
			larger_first);
	sorted = NULL;
	free(filled);
	return error;
}

static bool shows(void *context, uint32_t path, uint32_t depth)
{
	struct tree *tree = context;
	bool shown = 100 * tree->magnitude[path] >= tree->report->min_percent;
	(void)depth;
	tree->hidden += !shown;
	return shown;
}

static struct profile_label label_of(const void *context, uint32_t path)
{
	const struct tree *tree = context;
	const struct heddle_common_path *of = &tree->report->scaling.comparison.paths[path];
	return (struct profile_label){.text = of->text, .kind = of->kind};
}

static size_t begin(void *context, size_t wanted)
{
	struct tree *tree = context;
	const struct heddle_scale_report *report = tree->report;
	const struct heddle_scaling *scaling = &report->scaling;
	snprintf(tree->first_heading, sizeof(tree->first_heading), "at %g", scaling->points[0].scale);
	snprintf(tree->last_heading, sizeof(tree->last_heading), "at %g",
		scaling->points[scaling->point_count - 1].scale);
	tree->columns[PATH_LOSS] = (struct heddle_column){"loss %", scaling->own_scale ? 0 : 7, 0, false};
	tree->columns[PATH_FIRST] = (struct heddle_column){tree->first_heading, 9, 0, false};
	tree->columns[PATH_LAST] = (struct heddle_column){tree->last_heading, 9, 0, false};
	heddle__columns_fit(
		&report->terminal, tree->columns, PATH_COLUMNS, heddle__names_least(&report->terminal, wanted));
	heddle__columns_print_heading(
		&report->terminal, tree->columns, PATH_COLUMNS, "call path; of the thread with most");
	return heddle__columns_width(tree->columns, PATH_COLUMNS) + 2;
}

static enum heddle_style loss_style(double loss)
{
	return loss >= 0.05 ? HEDDLE_STYLE_HOT : loss >= 0.01 ? HEDDLE_STYLE_WARM : HEDDLE_STYLE_NORMAL;
}

static void print_numbers(const void *context, uint32_t path)
{
	char text[32];
	const struct tree *tree = context;
	const struct heddle_scaling_path *of = &tree->of[path];
	heddle__style(&tree->report->terminal, loss_style(of->loss));
	if (heddle__column_shown(&tree->columns[PATH_LOSS]))
		printf("%*.1f ", tree->columns[PATH_LOSS].width, 100 * of->loss);
	heddle__style(&tree->report->terminal, HEDDLE_STYLE_NORMAL);
	print_text(&tree->columns[PATH_FIRST], heddle__scale_value(text, sizeof(text), tree->report, of->first_ns));
	print_text(&tree->columns[PATH_LAST], heddle__scale_value(text, sizeof(text), tree->report, of->last_ns));
	putchar(' ');
}

static const struct heddle_tree_rows tree_rows = {
	.shows = shows,
	.label = label_of,
	.begin = begin,
	.print_numbers = print_numbers,
};

static int print_tree(struct tree *tree)
{
	struct heddle_tree printed = {
		.terminal = &tree->report->terminal,
		.rows = &tree_rows,
		.context = tree,
		.node_count = tree->report->scaling.comparison.count,
		.first = tree->first,
		.list = tree->list,
	};
	int error = heddle__tree_print(&printed);
	if (error)
		return error;
	if (tree->hidden)
		printf("\n%zu path%s below %g %% of the whole hidden: --min 0 shows %s\n", tree->hidden,
			tree->hidden == 1 ? "" : "s", tree->report->min_percent, tree->hidden == 1 ? "it" : "them");
	heddle__tree_lines_print_omitted(&printed.lines);
	heddle__columns_print_omitted(&tree->report->terminal, tree->columns, PATH_COLUMNS);
	return 0;
}

int heddle__scale_tree(const struct heddle_scale_report *report)
{
	struct tree tree = {.report = report};
	int error = make_tree(&tree);
	if (!error)
		error = print_tree(&tree);
	free(tree.of);
	free(tree.magnitude);
	free(tree.first);
	free(tree.list);
	return error;
}
