/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of `heddle diff`, one file each. */
#ifndef HEDDLE_CLI_DIFF_PARTS_H
#define HEDDLE_CLI_DIFF_PARTS_H

#include "analysis/comparison.h"
#include "analysis/significance.h"
#include "cli/report/report_parts.h"

struct heddle_diff {
	struct heddle_report report; /* its look and metric; without a session */
	struct heddle_comparison comparison;
	size_t before_count; /* runs; the rest are after */
	struct heddle_difference whole;
};

/* Compares runs by one number each. */
struct heddle_difference heddle__diff_values(const struct heddle_diff *diff, const double *values);

/* "-25.0 %", "new", "gone", "-". Returns `text`. */
char *heddle__format_change(char *text, size_t size, const struct heddle_difference *difference);

/* "p < 0.001", "p = 0.034", "not significant". Returns `text`. */
char *heddle__format_significance(char *text, size_t size, const struct heddle_difference *difference);

/* "+1.20 s". Returns `text`. */
char *heddle__format_signed(char *text, size_t size, double value, const char *unit);

/* Each returns 0 or a negative error. */
int heddle__diff_tree(const struct heddle_diff *diff);
int heddle__diff_flat(const struct heddle_diff *diff);

#endif
