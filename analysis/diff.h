/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes between two groups of measurements (runs) by one metric: in total, by call path, and by function or region.
 * `heddle diff`, its page and its findings show the same numbers.
 */
#ifndef HEDDLE_ANALYSIS_DIFF_H
#define HEDDLE_ANALYSIS_DIFF_H

#include "analysis/comparison_rows.h"
#include "analysis/significance.h"

struct heddle_diff {
	enum heddle_metric metric;
	struct heddle_comparison comparison;
	size_t before_count; /* the first runs; the others are after */
	struct heddle_difference whole;
	double *values; /* scratch memory: one value per run */
};

/* Compares runs by a metric; the runs before come first. Returns 0 or a negative error. Free `diff` in any case. */
int heddle__diff_make(struct heddle_diff *diff, const struct profile_view *const *views, size_t count,
	size_t before_count, enum heddle_metric metric);
void heddle__diff_free(struct heddle_diff *diff);

/* Compares the two groups by one number per run. */
struct heddle_difference heddle__diff_values(const struct heddle_diff *diff, const double *values);

/* Compares the inclusive values of a path. */
struct heddle_difference heddle__diff_path(const struct heddle_diff *diff, uint32_t path);

/* ---- by call path ---- */

struct heddle_diff_paths {
	struct heddle_difference *of; /* by path */
	double *magnitude;      /* by path: the largest change of it or below it, as changes below may cancel out */
	uint32_t *first, *list; /* children, the largest magnitude first; see struct profile_view_children */
};

/* Returns 0 or -ENOMEM. Free `paths` in any case. */
int heddle__diff_paths_make(struct heddle_diff_paths *paths, const struct heddle_diff *diff);
void heddle__diff_paths_free(struct heddle_diff_paths *paths);

/* ---- by function or region ---- */

struct heddle_diff_row {
	struct heddle_difference is; /* exclusive */
	uint32_t row, path;          /* of the common rows; the newest path of that row */
};

struct heddle_diff_rows {
	struct heddle_common_rows common;
	struct heddle_diff_row *items; /* the largest change first */
	size_t count;
};

/* Returns 0 or -ENOMEM. Free `rows` in any case. */
int heddle__diff_rows_make(struct heddle_diff_rows *rows, const struct heddle_diff *diff);
void heddle__diff_rows_free(struct heddle_diff_rows *rows);

/* ---- as text ---- */

/* Writes "-25.0 %", "new", "gone" or "-". Returns `text`. */
char *heddle__format_change(char *text, size_t size, const struct heddle_difference *difference);

/* Writes "p < 0.001", "p = 0.034" or "not significant". Returns `text`. */
char *heddle__format_significance(char *text, size_t size, const struct heddle_difference *difference);

#endif
