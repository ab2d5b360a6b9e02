/* SPDX-License-Identifier: BSD-3-Clause */
/* Code that made other threads wait, by function: how long in all, and for what they waited. */
#include "cli/browse/browse.h"

#include "analysis/blame.h"

#include <errno.h>
#include <stdlib.h>

enum { COLUMN_SHARE, COLUMN_BLAME, COLUMN_WAYS, COLUMNS = COLUMN_WAYS + HEDDLE_BLAME_WAYS };

static struct heddle_blame_rows *rows_of(const struct heddle_browse *browse)
{
	return browse->states[HEDDLE_BROWSE_blame].own;
}

static const char *missing(struct heddle_browse *browse)
{
	return profile_measurement_total(&browse->data.session.measurement, HEDDLE_METRIC_BLAME)
		       ? NULL
		       : "no blame was given: `heddle run --blame` measures it; or no thread waited for another";
}

static void forget(struct heddle_browse *browse)
{
	if (rows_of(browse))
		heddle__blame_rows_free(rows_of(browse));
	free(rows_of(browse));
	browse->states[HEDDLE_BROWSE_blame].own = NULL;
}

static int by_column(const void *a, const void *b, void *context)
{
	const struct heddle_browse_state *state = context;
	const struct heddle_blame_row *x = a, *y = b;
	uint64_t one = state->sort >= COLUMN_WAYS ? x->ways[state->sort - COLUMN_WAYS] : x->blame;
	uint64_t other = state->sort >= COLUMN_WAYS ? y->ways[state->sort - COLUMN_WAYS] : y->blame;
	if (one != other)
		return (one > other) == state->reverse ? 1 : -1;
	return (x->label > y->label) - (x->label < y->label);
}

static int make(struct heddle_browse *browse)
{
	struct heddle_browse_state *state = &browse->states[HEDDLE_BROWSE_blame];
	forget(browse);
	struct heddle_blame_rows *rows = calloc(1, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	state->own = rows;
	int error = heddle__blame_rows_make(rows, &browse->data.session.view);
	if (error)
		forget(browse);
	else
		qsort_r(rows->items, rows->count, sizeof(*rows->items), by_column, state);
	return error;
}

static size_t count(const struct heddle_browse *browse)
{
	return rows_of(browse)->count;
}

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	const struct heddle_blame_rows *rows = rows_of(browse);
	columns[COLUMN_SHARE] = (struct heddle_column){"blame %", 7, 0, false};
	columns[COLUMN_BLAME] = (struct heddle_column){"blame", 9, 0, false};
	for (size_t way = 0; way < HEDDLE_BLAME_WAYS; way++)
		columns[COLUMN_WAYS + way] =
			(struct heddle_column){heddle__blame_ways[way].heading, rows->of_way[way] ? 9 : 0, 1, false};
	return COLUMNS;
}

static void draw(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row)
{
	const struct heddle_blame_rows *rows = rows_of(browse);
	const struct heddle_blame_row *item = &rows->items[index];
	heddle__browse_label(row, &browse->data.session.view.labels[item->label]);
	heddle__browse_share(&row->cells[COLUMN_SHARE], item->blame, rows->total);
	heddle__browse_value(&row->cells[COLUMN_BLAME], item->blame, HEDDLE_METRIC_BLAME);
	for (size_t way = 0; way < HEDDLE_BLAME_WAYS; way++)
		heddle__browse_value(&row->cells[COLUMN_WAYS + way], item->ways[way], heddle__blame_ways[way].blame);
}

static struct heddle_browse_place place(const struct heddle_browse *browse, size_t index)
{
	struct heddle_browse_place place = HEDDLE_BROWSE_NOWHERE;
	place.label = rows_of(browse)->items[index].label;
	return place;
}

static size_t find(struct heddle_browse *browse, const struct heddle_browse_place *place)
{
	const struct heddle_blame_rows *rows = rows_of(browse);
	for (size_t i = 0; place->label != HEDDLE_NO_NODE && i < rows->count; i++)
		if (rows->items[i].label == place->label)
			return i;
	return SIZE_MAX;
}

/* To the path that is blamed most, with blame as the metric. */
static bool act(struct heddle_browse *browse, enum heddle_browse_action action, size_t index)
{
	struct heddle_browse_place at = place(browse, index);
	if (action != HEDDLE_ACTION_OPEN)
		return false;
	heddle__browse_choose_metric(browse, HEDDLE_METRIC_BLAME);
	at.node = heddle__browse_data_hottest(
		&browse->data, at.label, browse->data.session.view.values[HEDDLE_METRIC_BLAME]);
	heddle__browse_show(browse, HEDDLE_BROWSE_tree, &at);
	return true;
}

const struct heddle_browse_view heddle__browse_view_blame = {
	.name = "blame",
	.names = "code that others waited for",
	.tab = true,
	.sortable = (1u << COLUMNS) - (1u << COLUMN_BLAME),
	.sorted_by = COLUMN_BLAME,
	.missing = missing,
	.make = make,
	.forget = forget,
	.count = count,
	.columns = columns,
	.row = draw,
	.place = place,
	.find = find,
	.act = act,
};
