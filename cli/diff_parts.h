/* SPDX-License-Identifier: BSD-3-Clause */
/* What `heddle diff` prints, in files of its own. */
#ifndef HEDDLE_CLI_DIFF_PARTS_H
#define HEDDLE_CLI_DIFF_PARTS_H

#include "cli/report_parts.h"
#include "profile/comparison.h"
#include "profile/significance.h"

/* Changes less likely than this to be chance are called significant. */
#define HEDDLE_SIGNIFICANT 0.05

struct heddle_diff {
	struct heddle_report report; /* its look and metric; without a session */
	struct heddle_comparison comparison;
	size_t before_count; /* runs; the rest are after */
	struct heddle_difference whole;
};

/* Of one number a run. */
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
