/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting that is charged to those who caused it: its kinds, and how much each function or region is charged. */
#ifndef HEDDLE_ANALYSIS_BLAME_H
#define HEDDLE_ANALYSIS_BLAME_H

#include "profile/view/view.h"

/* Kinds of waiting that are charged to a culprit: their names in tables, and the metric charged. */
#define HEDDLE_BLAME_WAYS 5
extern const struct heddle_blame_way {
	enum heddle_metric blame;
	const char *heading;
} heddle__blame_ways[HEDDLE_BLAME_WAYS];

/* The states whose time is charged to those metrics. */
#define HEDDLE_CHARGED_STATES 5
extern const enum heddle_state heddle__charged_states[HEDDLE_CHARGED_STATES];

struct heddle_blame_row {
	uint32_t label;                          /* of the view */
	uint64_t blame, ways[HEDDLE_BLAME_WAYS]; /* ns */
};

/* Labels that were charged, in the order of their numbers. */
struct heddle_blame_rows {
	struct heddle_blame_row *items;
	size_t count;
	uint64_t total, of_way[HEDDLE_BLAME_WAYS]; /* sums over all labels */
};

/* 0 or -ENOMEM, and then there is nothing to free. */
int heddle__blame_rows_make(struct heddle_blame_rows *rows, const struct profile_view *view);
void heddle__blame_rows_free(struct heddle_blame_rows *rows);

#endif
