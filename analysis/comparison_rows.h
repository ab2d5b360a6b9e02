/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions and regions of a comparison: paths that end in the same one, wherever it was called from. */
#ifndef HEDDLE_ANALYSIS_COMPARISON_ROWS_H
#define HEDDLE_ANALYSIS_COMPARISON_ROWS_H

#include "analysis/comparison.h"

struct heddle_common_rows {
	struct profile_intern keys; /* keys.count: how many rows there are */
	double *values;             /* exclusive; run r of row i: values[i * run_count + r] */
	uint32_t *path;             /* the newest path of each row */
	uint32_t *row_of;           /* of each path */
	size_t value_capacity, path_capacity;
};

/* To be freed after an error, too. 0 or -ENOMEM. */
int heddle__common_rows_make(struct heddle_common_rows *rows, const struct heddle_comparison *comparison);
void heddle__common_rows_free(struct heddle_common_rows *rows);

#endif
