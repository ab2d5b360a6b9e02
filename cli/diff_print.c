/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of `heddle diff`: largest changes first. */
#include "cli/diff_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

struct heddle_difference heddle__diff_values(const struct heddle_diff *diff, const double *values)
{
	return heddle_compare(values, diff->before_count, values + diff->before_count,
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

static size_t numbers_width(const struct heddle_diff *diff)
{
	return is_tested(diff) ? 73 : 44;
}

static void print_heading(const struct heddle_diff *diff, const char *what)
{
	heddle__style(&diff->report.look, HEDDLE_STYLE_DIM);
	printf("%10s %10s %11s %9s", "before", "after", "change", "");
	if (is_tested(diff))
		printf(" %12s %-15s", "within +-", "significance");
	printf("  %s\n", what);
	heddle__style(&diff->report.look, HEDDLE_STYLE_PLAIN);
}

static enum heddle_style change_style(const struct heddle_diff *diff, const struct heddle_difference *difference)
{
	double share = diff->whole.before > 0 ? fabs(difference->change) / diff->whole.before : 0;
	if (difference->tested && difference->p >= HEDDLE_SIGNIFICANT)
		return HEDDLE_STYLE_DIM;
	return share >= 0.05 ? HEDDLE_STYLE_HOT : share >= 0.01 ? HEDDLE_STYLE_WARM : HEDDLE_STYLE_PLAIN;
}

static void print_numbers(const struct heddle_diff *diff, const struct heddle_difference *difference)
{
	char before[32], after[32], change[40], percent[32], margin[32], significance[32];
	const char *unit = heddle_metric_unit(diff->report.metric);
	printf("%10s %10s ", format_mean(before, sizeof(before), difference->before, unit),
		format_mean(after, sizeof(after), difference->after, unit));
	enum heddle_style style = change_style(diff, difference);
	heddle__style(&diff->report.look, style);
	printf("%11s %9s", heddle__format_signed(change, sizeof(change), difference->change, unit),
		heddle__format_change(percent, sizeof(percent), difference));
	if (is_tested(diff))
		printf(" %12s %-15s", format_mean(margin, sizeof(margin), difference->margin, unit),
			heddle__format_significance(significance, sizeof(significance), difference));
	heddle__style(&diff->report.look, HEDDLE_STYLE_PLAIN);
	fputs("  ", stdout);
}

static void print_name(const struct heddle_diff *diff, const char *text, uint8_t kind, size_t used)
{
	struct heddle_label label = {.text = text, .kind = kind};
	heddle__print_label(&diff->report, &label, used);
	putchar('\n');
}

static void print_hidden(const struct heddle_diff *diff, size_t count, const char *what)
{
	char text[32];
	if (count == 0)
		return;
	heddle__style(&diff->report.look, HEDDLE_STYLE_DIM);
	printf("\n%s %s%s changed by less than %g %% of the whole: --min 0 shows %s\n",
		heddle__format_count(text, sizeof(text), count), what, count == 1 ? "" : "s", diff->report.min_percent,
		count == 1 ? "it" : "them");
	heddle__style(&diff->report.look, HEDDLE_STYLE_PLAIN);
}

/* Shares are those of the larger whole: something new has no other. */
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
	uint32_t *first;   /* children, as of heddle_view_children */
	uint32_t *list;
	uint32_t *depths, *stack;
	bool *last;
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
			values[r] = (double)heddle_run_total(&all->runs[r], i);
		tree->of[i] = heddle__diff_values(tree->diff, values);
		double change = fabs(tree->of[i].change), *above = &tree->magnitude[all->paths[i].parent];
		tree->magnitude[i] = change > tree->magnitude[i] ? change : tree->magnitude[i];
		*above = tree->magnitude[i] > *above ? tree->magnitude[i] : *above;
		tree->first[all->paths[i].parent + 1] += i != 0;
	}
	free(values);
	return 0;
}

/* Counting sort by parent, then by magnitude. */
static int sort_paths(struct tree *tree)
{
	const struct heddle_comparison *all = &tree->diff->comparison;
	struct by_magnitude *room = calloc(all->count, sizeof(*room));
	if (!room)
		return -ENOMEM;
	for (size_t i = 0; i < all->count; i++)
		tree->first[i + 1] += tree->first[i];
	for (uint32_t i = 1; i < all->count; i++)
		tree->list[tree->first[all->paths[i].parent] + tree->stack[all->paths[i].parent]++] = i;
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

static void print_indent(const struct tree *tree, uint32_t path)
{
	const struct heddle_look *look = &tree->diff->report.look;
	const struct heddle_common_path *paths = tree->diff->comparison.paths;
	uint32_t above[64], drawn = 0;
	if (path == 0)
		return;
	heddle__style(look, HEDDLE_STYLE_DIM);
	if (tree->depths[path] > 64) {
		printf("(level %u) ", tree->depths[path]);
	} else {
		for (uint32_t at = paths[path].parent; at != 0; at = paths[at].parent)
			above[drawn++] = at;
		while (drawn-- > 0)
			fputs(tree->last[above[drawn]] ? look->nothing : look->through, stdout);
		fputs(tree->last[path] ? look->last : look->branch, stdout);
	}
	heddle__style(look, HEDDLE_STYLE_PLAIN);
}

static void print_path(const struct tree *tree, uint32_t path)
{
	const struct heddle_common_path *of = &tree->diff->comparison.paths[path];
	print_numbers(tree->diff, &tree->of[path]);
	print_indent(tree, path);
	print_name(tree->diff, of->text, of->kind, numbers_width(tree->diff) + 3 * (size_t)tree->depths[path]);
}

static void print_tree(struct tree *tree)
{
	size_t depth = 0, hidden = 0;
	print_heading(tree->diff, "call path");
	tree->last[0] = true;
	for (tree->stack[depth++] = 0; depth > 0;) {
		uint32_t path = tree->stack[--depth];
		bool below = false;
		print_path(tree, path);
		for (uint32_t c = tree->first[path + 1]; c-- > tree->first[path];) {
			uint32_t child = tree->list[c];
			tree->depths[child] = tree->depths[path] + 1;
			if (!big_enough(tree->diff, tree->magnitude[child])) {
				hidden++;
				continue;
			}
			tree->last[child] = !below;
			below = true;
			tree->stack[depth++] = child;
		}
	}
	print_hidden(tree->diff, hidden, "path");
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
		.depths = calloc(count, sizeof(*tree.depths)),
		.stack = calloc(count, sizeof(*tree.stack)),
		.last = calloc(count, sizeof(*tree.last)),
	};
	bool made = tree.of && tree.magnitude && tree.first && tree.list && tree.depths && tree.stack && tree.last;
	int error = made ? compare_paths(&tree) : -ENOMEM;
	if (!error)
		error = sort_paths(&tree);
	if (!error)
		print_tree(&tree);
	free(tree.of);
	free(tree.magnitude);
	free(tree.first);
	free(tree.list);
	free(tree.depths);
	free(tree.stack);
	free(tree.last);
	return error;
}

/* ---- functions ---- */

struct rows {
	struct heddle_intern keys; /* of a row: key, function and line */
	double *values;            /* one a run and row */
	uint32_t *path;            /* one of each row, the newest */
	size_t value_capacity, path_capacity;
};

/* Regions are told apart by the function they are in as well. */
static uint32_t function_of(const struct heddle_comparison *all, uint32_t path)
{
	for (uint32_t at = all->paths[path].parent; at != 0; at = all->paths[at].parent)
		if (all->paths[at].kind == HEDDLE_NODE_FRAME || all->paths[at].kind == HEDDLE_NODE_FUNCTION)
			return all->paths[at].key;
	return HEDDLE_INTERN_NONE;
}

static int add_path(struct rows *rows, const struct heddle_comparison *all, uint32_t path)
{
	const struct heddle_common_path *of = &all->paths[path];
	bool has_line = of->line != HEDDLE_NO_LINE;
	const uint64_t key[] = {of->key, has_line ? function_of(all, path) : 0, (uint64_t)of->line};
	uint32_t row = heddle__intern_bytes(&rows->keys, key, sizeof(key));
	size_t runs = all->run_count;
	if (row == HEDDLE_INTERN_NONE ||
		heddle__reserve(&rows->values, &rows->value_capacity, (row + 1) * runs, sizeof(*rows->values)) != 0 ||
		heddle__reserve(&rows->path, &rows->path_capacity, (size_t)row + 1, sizeof(*rows->path)) != 0)
		return -ENOMEM;
	rows->path[row] = path;
	for (size_t r = 0; r < runs; r++)
		rows->values[row * runs + r] += (double)heddle_run_own(&all->runs[r], path);
	return 0;
}

static void print_rows(const struct heddle_diff *diff, const struct rows *rows, struct by_magnitude *order)
{
	const struct heddle_comparison *all = &diff->comparison;
	size_t count = rows->keys.count, hidden = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct heddle_difference one = heddle__diff_values(diff, &rows->values[i * all->run_count]);
		order[i] = (struct by_magnitude){fabs(one.change), i};
	}
	qsort(order, count, sizeof(*order), larger_first);
	print_heading(diff, "function, by itself");
	for (size_t i = 0; i < count; i++) {
		uint32_t row = order[i].path;
		struct heddle_difference one = heddle__diff_values(diff, &rows->values[row * all->run_count]);
		if (!big_enough(diff, order[i].magnitude)) {
			hidden++;
			continue;
		}
		print_numbers(diff, &one);
		print_name(
			diff, all->paths[rows->path[row]].text, all->paths[rows->path[row]].kind, numbers_width(diff));
	}
	print_hidden(diff, hidden, "function");
}

int heddle__diff_flat(const struct heddle_diff *diff)
{
	struct rows rows = {0};
	int error = 0;
	for (uint32_t i = 0; !error && i < diff->comparison.count; i++)
		error = add_path(&rows, &diff->comparison, i);
	struct by_magnitude *order = calloc(rows.keys.count + 1, sizeof(*order));
	if (!error && order)
		print_rows(diff, &rows, order);
	error = error || order ? error : -ENOMEM;
	free(order);
	free(rows.values);
	free(rows.path);
	heddle__intern_free(&rows.keys);
	return error;
}
