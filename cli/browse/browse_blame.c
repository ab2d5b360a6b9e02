/* SPDX-License-Identifier: BSD-3-Clause */
/* Code that made other threads wait, by function: the waiting time in total, and by the kind of wait. */
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
		       : "no blame was measured: use `heddle run --blame`; or no thread waited for another";
}

static void release(void *own)
{
	heddle__blame_rows_free(own);
}

static int by_column(const void *a, const void *b, void *context)
{
	const struct heddle_browse_state *state = context;
	const struct heddle_blame_row *x = a, *y = b;
	size_t way = state->sort - COLUMN_WAYS;
	int order = state->sort >= COLUMN_WAYS ? heddle__browse_order(state, x->ways[way], y->ways[way])
					       : heddle__browse_order(state, x->blame, y->blame);
	return order ? order : (x->label > y->label) - (x->label < y->label);
}

static int make(struct heddle_browse *browse)
{
	struct heddle_blame_rows *rows = rows_of(browse);
	int error = heddle__blame_rows_make(rows, &browse->data.session.view);
	if (!error)
		qsort_r(rows->items, rows->count, sizeof(*rows->items), by_column,
			&browse->states[HEDDLE_BROWSE_blame]);
	return error;
}

static size_t count(const struct heddle_browse *browse)
{
	return rows_of(browse)->count;
}

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	const struct heddle_blame_rows *rows = rows_of(browse);
	columns[COLUMN_SHARE] = heddle__browse_share_column("blame %", 0);
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

/* Opens the most blamed path, with blame as the metric. */
static void open(struct heddle_browse *browse, size_t index)
{
	struct heddle_browse_place at = place(browse, index);
	heddle__browse_choose_metric(browse, HEDDLE_METRIC_BLAME);
	at.node = heddle__browse_data_hottest(
		&browse->data, at.label, browse->data.session.view.values[HEDDLE_METRIC_BLAME]);
	heddle__browse_show(browse, HEDDLE_BROWSE_tree, &at);
}

static const struct heddle_browse_act acts[] = {{HEDDLE_ACTION_OPEN, open}, {0}};

const struct heddle_browse_view heddle__browse_view_blame = {
	.name = "blame",
	.names = "code that others waited for",
	.tab = true,
	.sortable = (1u << COLUMNS) - (1u << COLUMN_BLAME),
	.sorted_by = COLUMN_BLAME,
	.own_size = sizeof(struct heddle_blame_rows),
	.subject = HEDDLE_BROWSE_LABELS,
	.missing = missing,
	.make = make,
	.release = release,
	.count = count,
	.columns = columns,
	.row = draw,
	.place = place,
	.acts = acts,
};
