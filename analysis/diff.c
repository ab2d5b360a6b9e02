/* SPDX-License-Identifier: BSD-3-Clause */
/* Differences of a comparison's paths and rows, in the order in which they are shown. */
#include "analysis/diff.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int heddle__diff_make(struct heddle_diff *diff, const struct profile_view *const *views, size_t count,
	size_t before_count, enum heddle_metric metric)
{
	int error = 0;
	*diff = (struct heddle_diff){
		.metric = metric, .before_count = before_count, .values = calloc(count, sizeof(*diff->values))};
	for (size_t i = 0; !error && i < count; i++)
		error = heddle__comparison_add(&diff->comparison, views[i], metric);
	if (!error)
		error = diff->values ? 0 : -ENOMEM;
	if (!error)
		diff->whole = heddle__diff_path(diff, 0);
	return error;
}

void heddle__diff_free(struct heddle_diff *diff)
{
	heddle__comparison_free(&diff->comparison);
	free(diff->values);
	*diff = (struct heddle_diff){0};
}

struct heddle_difference heddle__diff_values(const struct heddle_diff *diff, const double *values)
{
	return heddle__compare(values, diff->before_count, values + diff->before_count,
		diff->comparison.run_count - diff->before_count);
}

struct heddle_difference heddle__diff_path(const struct heddle_diff *diff, uint32_t path)
{
	for (size_t r = 0; r < diff->comparison.run_count; r++)
		diff->values[r] = (double)heddle__run_total(&diff->comparison.runs[r], path);
	return heddle__diff_values(diff, diff->values);
}

/* ---- by call path ---- */

struct by_magnitude {
	double magnitude;
	uint32_t path;
};

static int larger_path_first(const void *a, const void *b)
{
	const struct by_magnitude *x = a, *y = b;
	if (x->magnitude != y->magnitude)
		return x->magnitude > y->magnitude ? -1 : 1;
	return (x->path > y->path) - (x->path < y->path);
}

/* Parents come before their children, so the backward loop passes magnitudes up. */
static void compare_paths(struct heddle_diff_paths *paths, const struct heddle_diff *diff)
{
	const struct heddle_comparison *all = &diff->comparison;
	for (uint32_t i = (uint32_t)all->count; i-- > 0;) {
		paths->of[i] = heddle__diff_path(diff, i);
		double change = fabs(paths->of[i].change), *above = &paths->magnitude[all->paths[i].parent];
		paths->magnitude[i] = change > paths->magnitude[i] ? change : paths->magnitude[i];
		*above = paths->magnitude[i] > *above ? paths->magnitude[i] : *above;
		paths->first[all->paths[i].parent + 1] += i != 0;
	}
}

/* Sorts children by parent, then by magnitude. */
static int sort_paths(struct heddle_diff_paths *paths, const struct heddle_comparison *all)
{
	struct by_magnitude *room = calloc(all->count, sizeof(*room));
	uint32_t *filled = calloc(all->count, sizeof(*filled));
	if (!room || !filled) {
		free(room);
		free(filled);
		return -ENOMEM;
	}
	for (size_t i = 0; i < all->count; i++)
		paths->first[i + 1] += paths->first[i];
	for (uint32_t i = 1; i < all->count; i++)
		paths->list[paths->first[all->paths[i].parent] + filled[all->paths[i].parent]++] = i;
	free(filled);
	for (size_t i = 0; i < all->count; i++) {
		uint32_t *list = paths->list + paths->first[i], count = paths->first[i + 1] - paths->first[i];
		for (uint32_t c = 0; c < count; c++)
			room[c] = (struct by_magnitude){paths->magnitude[list[c]], list[c]};
		qsort(room, count, sizeof(*room), larger_path_first);
		for (uint32_t c = 0; c < count; c++)
			list[c] = room[c].path;
	}
	free(room);
	return 0;
}

int heddle__diff_paths_make(struct heddle_diff_paths *paths, const struct heddle_diff *diff)
{
	size_t count = diff->comparison.count;
	*paths = (struct heddle_diff_paths){
		.of = calloc(count, sizeof(*paths->of)),
		.magnitude = calloc(count, sizeof(*paths->magnitude)),
		.first = calloc(count + 1, sizeof(*paths->first)),
		.list = calloc(count, sizeof(*paths->list)),
	};
	if (!paths->of || !paths->magnitude || !paths->first || !paths->list)
		return -ENOMEM;
	compare_paths(paths, diff);
	return sort_paths(paths, &diff->comparison);
}

void heddle__diff_paths_free(struct heddle_diff_paths *paths)
{
	free(paths->of);
	free(paths->magnitude);
	free(paths->first);
	free(paths->list);
	*paths = (struct heddle_diff_paths){0};
}

/* ---- by function or region ---- */

static int larger_row_first(const void *a, const void *b)
{
	const struct heddle_diff_row *x = a, *y = b;
	double left = fabs(x->is.change), right = fabs(y->is.change);
	if (left > right || left < right)
		return left > right ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

int heddle__diff_rows_make(struct heddle_diff_rows *rows, const struct heddle_diff *diff)
{
	*rows = (struct heddle_diff_rows){0};
	int error = heddle__common_rows_make(&rows->common, &diff->comparison);
	if (error)
		return error;
	rows->items = calloc(rows->common.keys.count + 1, sizeof(*rows->items));
	if (!rows->items)
		return -ENOMEM;
	rows->count = rows->common.keys.count;
	for (uint32_t i = 0; i < rows->count; i++) {
		const double *values = &rows->common.values[i * diff->comparison.run_count];
		rows->items[i] = (struct heddle_diff_row){heddle__diff_values(diff, values), i, rows->common.path[i]};
	}
	qsort(rows->items, rows->count, sizeof(*rows->items), larger_row_first);
	return 0;
}

void heddle__diff_rows_free(struct heddle_diff_rows *rows)
{
	heddle__common_rows_free(&rows->common);
	free(rows->items);
	*rows = (struct heddle_diff_rows){0};
}

/* ---- as text ---- */

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
