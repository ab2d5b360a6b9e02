/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions or source lines by their exclusive cost, summed over all callers. */
#ifndef HEDDLE_ANALYSIS_FLAT_ROWS_H
#define HEDDLE_ANALYSIS_FLAT_ROWS_H

#include "profile/view/view.h"

struct heddle_flat_row {
	uint64_t exclusive, inclusive, visits;
	uint32_t label; /* of the view */
	bool hand_off;  /* hand-off of the lock that the label names */
};

/* All labels, including those without a cost, sorted by exclusive, then by inclusive cost. */
struct heddle_flat_rows {
	struct heddle_flat_row *items;
	size_t count;
};

/* Makes rows from values of the view's nodes (NULL: none). Recursion counts once. Returns 0 or -ENOMEM. */
int heddle__flat_rows_make(struct heddle_flat_rows *rows, const struct profile_view *view, const uint64_t *exclusive,
	const uint64_t *inclusive, const uint64_t *visits);
void heddle__flat_rows_free(struct heddle_flat_rows *rows);

#endif
