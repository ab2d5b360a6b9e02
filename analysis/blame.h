/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting time that is charged to its cause: its kinds, and how much each function or region is charged. */
#ifndef HEDDLE_ANALYSIS_BLAME_H
#define HEDDLE_ANALYSIS_BLAME_H

#include "profile/view/view.h"

/* Kinds of waiting that are charged to a culprit: their headings in tables, and the metrics charged. */
#define HEDDLE_BLAME_WAYS 5
extern const struct heddle_blame_way {
	enum heddle_metric blame;
	const char *heading;
} heddle__blame_ways[HEDDLE_BLAME_WAYS];

/* The states whose time is charged to these metrics. */
#define HEDDLE_CHARGED_STATES 5
extern const enum heddle_state heddle__charged_states[HEDDLE_CHARGED_STATES];

struct heddle_blame_row {
	uint32_t label;                          /* of the view */
	uint64_t blame, ways[HEDDLE_BLAME_WAYS]; /* ns */
};

/* The labels that were charged, in the order of their numbers. */
struct heddle_blame_rows {
	struct heddle_blame_row *items;
	size_t count;
	uint64_t total, of_way[HEDDLE_BLAME_WAYS]; /* sums over all labels */
};

/* Returns 0 or -ENOMEM, after which there is nothing to free. */
int heddle__blame_rows_make(struct heddle_blame_rows *rows, const struct profile_view *view);
void heddle__blame_rows_free(struct heddle_blame_rows *rows);

#endif
