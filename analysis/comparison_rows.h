/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions and regions of a comparison: each row is all paths that end in the same function or region. */
#ifndef HEDDLE_ANALYSIS_COMPARISON_ROWS_H
#define HEDDLE_ANALYSIS_COMPARISON_ROWS_H

#include "analysis/comparison.h"

struct heddle_common_rows {
	struct profile_intern keys; /* keys.count is the number of rows */
	double *values;             /* exclusive: values[i * run_count + r] for row i and run r */
	uint32_t *path;             /* by row: its newest path */
	uint32_t *row_of;           /* by path */
	size_t value_capacity, path_capacity;
};

/* Returns 0 or -ENOMEM. Free the rows even after an error. */
int heddle__common_rows_make(struct heddle_common_rows *rows, const struct heddle_comparison *comparison);
void heddle__common_rows_free(struct heddle_common_rows *rows);

#endif
