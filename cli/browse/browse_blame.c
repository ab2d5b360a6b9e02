/* SPDX-License-Identifier: BSD-3-Clause */
/* Code that made other threads wait, by function: how long in all, and for what they waited. */
#include "cli/browse/browse.h"

#include "cli/report/report_parts.h"

#include <errno.h>
#include <stdlib.h>

#define WAYS HEDDLE_BLAME_WAYS

enum { COLUMN_SHARE, COLUMN_BLAME, COLUMN_WAYS, COLUMNS = COLUMN_WAYS + WAYS };

struct item {
	uint32_t label;
	uint64_t blame, ways[WAYS];
};

struct blame {
	struct item *items;
	size_t count;
	uint64_t total, of_way[WAYS];
};

static struct blame *blame_of(const struct heddle_browse *browse)
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
	if (blame_of(browse))
		free(blame_of(browse)->items);
	free(blame_of(browse));
	browse->states[HEDDLE_BROWSE_blame].own = NULL;
}

static int by_column(const void *a, const void *b, void *context)
{
	const struct heddle_browse_state *state = context;
	const struct item *x = a, *y = b;
	uint64_t one = state->sort >= COLUMN_WAYS ? x->ways[state->sort - COLUMN_WAYS] : x->blame;
	uint64_t other = state->sort >= COLUMN_WAYS ? y->ways[state->sort - COLUMN_WAYS] : y->blame;
	if (one != other)
		return (one > other) == state->reverse ? 1 : -1;
	return (x->label > y->label) - (x->label < y->label);
}

static void add_up(struct blame *blame, const struct profile_view *view)
{
	for (uint32_t i = 0; i < view->label_count; i++)
		blame->items[i].label = i;
	for (uint32_t i = 0; i < view->node_count; i++) {
		const uint64_t *values = view->values[HEDDLE_METRIC_BLAME];
		struct item *item = &blame->items[view->label_of[i]];
		item->blame += values ? values[i] : 0;
		blame->total += values ? values[i] : 0;
		for (size_t way = 0; way < WAYS; way++) {
			values = view->values[heddle__blame_ways[way].blame];
			item->ways[way] += values ? values[i] : 0;
			blame->of_way[way] += values ? values[i] : 0;
		}
	}
}

static int make(struct heddle_browse *browse)
{
	const struct profile_view *view = &browse->data.session.view;
	forget(browse);
	struct blame *blame = calloc(1, sizeof(*blame));
	if (!blame)
		return -ENOMEM;
	browse->states[HEDDLE_BROWSE_blame].own = blame;
	blame->items = calloc(view->label_count + 1, sizeof(*blame->items));
	if (!blame->items) {
		forget(browse);
		return -ENOMEM;
	}
	add_up(blame, view);
	for (size_t i = 0; i < view->label_count; i++)
		if (blame->items[i].blame)
			blame->items[blame->count++] = blame->items[i];
	qsort_r(blame->items, blame->count, sizeof(*blame->items), by_column, &browse->states[HEDDLE_BROWSE_blame]);
	return 0;
}

static size_t count(const struct heddle_browse *browse)
{
	return blame_of(browse)->count;
}

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	const struct blame *blame = blame_of(browse);
	columns[COLUMN_SHARE] = (struct heddle_column){"blame %", 7, 0, false};
	columns[COLUMN_BLAME] = (struct heddle_column){"blame", 9, 0, false};
	for (size_t way = 0; way < WAYS; way++)
		columns[COLUMN_WAYS + way] =
			(struct heddle_column){heddle__blame_ways[way].heading, blame->of_way[way] ? 9 : 0, 1, false};
	return COLUMNS;
}

static void draw(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row)
{
	const struct blame *blame = blame_of(browse);
	const struct item *item = &blame->items[index];
	heddle__browse_label(row, &browse->data.session.view.labels[item->label]);
	heddle__browse_share(&row->cells[COLUMN_SHARE], item->blame, blame->total);
	heddle__browse_value(&row->cells[COLUMN_BLAME], item->blame, HEDDLE_METRIC_BLAME);
	for (size_t way = 0; way < WAYS; way++)
		heddle__browse_value(&row->cells[COLUMN_WAYS + way], item->ways[way], heddle__blame_ways[way].blame);
}

static struct heddle_browse_place place(const struct heddle_browse *browse, size_t index)
{
	struct heddle_browse_place place = HEDDLE_BROWSE_NOWHERE;
	place.label = blame_of(browse)->items[index].label;
	return place;
}

static size_t find(struct heddle_browse *browse, const struct heddle_browse_place *place)
{
	const struct blame *blame = blame_of(browse);
	for (size_t i = 0; place->label != HEDDLE_NO_NODE && i < blame->count; i++)
		if (blame->items[i].label == place->label)
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
