/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of exclusive blame by label. */
#include "analysis/blame.h"

#include <errno.h>
#include <stdlib.h>

const struct heddle_blame_way heddle__blame_ways[HEDDLE_BLAME_WAYS] = {
	{HEDDLE_METRIC_LOCK_BLAME, "locks"},
	{HEDDLE_METRIC_BARRIER_BLAME, "barriers"}, /* and collectives */
	{HEDDLE_METRIC_TASK_BLAME, "tasks"},
	{HEDDLE_METRIC_IDLE_BLAME, "idle"},
	{HEDDLE_METRIC_RANK_BLAME, "ranks"},
};

const enum heddle_state heddle__charged_states[HEDDLE_CHARGED_STATES] = {HEDDLE_STATE_LOCK_WAIT,
	HEDDLE_STATE_BARRIER_WAIT, HEDDLE_STATE_COLLECTIVE_WAIT, HEDDLE_STATE_TASK_WAIT, HEDDLE_STATE_IDLE};

static void add_node(struct heddle_blame_rows *rows, const struct profile_view *view, uint32_t node)
{
	struct heddle_blame_row *row = &rows->items[view->label_of[node]];
	const uint64_t *values = view->values[HEDDLE_METRIC_BLAME];
	row->blame += values ? values[node] : 0;
	rows->total += values ? values[node] : 0;
	for (size_t way = 0; way < HEDDLE_BLAME_WAYS; way++) {
		values = view->values[heddle__blame_ways[way].blame];
		row->ways[way] += values ? values[node] : 0;
		rows->of_way[way] += values ? values[node] : 0;
	}
}

int heddle__blame_rows_make(struct heddle_blame_rows *rows, const struct profile_view *view)
{
	*rows = (struct heddle_blame_rows){.items = calloc(view->label_count + 1, sizeof(*rows->items))};
	if (!rows->items)
		return -ENOMEM;
	for (uint32_t i = 0; i < view->label_count; i++)
		rows->items[i].label = i;
	for (uint32_t i = 0; i < view->node_count; i++)
		add_node(rows, view, i);
	for (size_t i = 0; i < view->label_count; i++)
		if (rows->items[i].blame)
			rows->items[rows->count++] = rows->items[i];
	return 0;
}

void heddle__blame_rows_free(struct heddle_blame_rows *rows)
{
	free(rows->items);
	*rows = (struct heddle_blame_rows){0};
}
