/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One function: its callers, as inverted call paths, and below them what it calls, from all its callers; for the chosen
 * metric, thread and part of the tree. Small branches are left out, and counted.
 */
#include "cli/browse/browse.h"

#include "analysis/callers.h"
#include "profile/base/intern.h"

#include <errno.h>
#include <stdlib.h>

#define LEAST 200 /* branches of less than 1/LEAST of the function are left out */

enum { COLUMN_TOTAL, COLUMN_PART, COLUMN_METRIC, COLUMNS };

struct line {
	uint8_t side; /* enum heddle_callers_side */
	uint32_t node;
};

struct sides {
	struct heddle_callers of[2];
	uint32_t *levels[2]; /* by node */
	bool *last[2];       /* by node: the last shown child of its parent */
	struct line *lines;
	size_t count, room;
};

static struct sides *sides_of(const struct heddle_browse *browse)
{
	return browse->states[HEDDLE_BROWSE_callers].own;
}

static void release(void *own)
{
	struct sides *sides = own;
	for (int side = 0; side < 2; side++) {
		heddle__callers_free(&sides->of[side]);
		free(sides->levels[side]);
		free(sides->last[side]);
	}
	free(sides->lines);
}

/* ---- making ---- */

static bool is_big(const struct heddle_callers *callers, uint32_t node)
{
	return callers->items[node].value && callers->items[node].value >= callers->items[0].value / LEAST;
}

/* Adds the line of a node, and those of the nodes below it. Children are ordered by value, so small ones come last. */
static int add_lines(struct sides *sides, uint8_t side)
{
	const struct heddle_callers *callers = &sides->of[side];
	size_t begin = sides->count;
	int error = profile_reserve(&sides->lines, &sides->room, begin + callers->count + 1, sizeof(*sides->lines));
	uint32_t *stack = calloc(callers->count + 1, sizeof(*stack));
	size_t open = 0;
	if (!error && stack && callers->count)
		stack[open++] = 0;
	while (open) {
		uint32_t node = stack[--open], first = callers->first[node], end = callers->first[node + 1];
		sides->lines[sides->count++] = (struct line){side, node};
		while (end > first && !is_big(callers, callers->list[end - 1]))
			end--;
		for (uint32_t i = end; i-- > first;) {
			sides->levels[side][callers->list[i]] = sides->levels[side][node] + 1;
			sides->last[side][callers->list[i]] = i + 1 == end;
			stack[open++] = callers->list[i];
		}
	}
	error = error ? error : stack ? 0 : -ENOMEM;
	free(stack);
	return error;
}

static int make_side(const struct heddle_browse *browse, struct sides *sides, uint8_t side, const bool *is_of)
{
	struct heddle_callers *callers = &sides->of[side];
	int error = heddle__callers_make(
		callers, &browse->data.session.view, browse->data.total, is_of, (enum heddle_callers_side)side);
	if (error)
		return error;
	sides->levels[side] = calloc(callers->count + 1, sizeof(*sides->levels[side]));
	sides->last[side] = calloc(callers->count + 1, sizeof(*sides->last[side]));
	return sides->levels[side] && sides->last[side] ? add_lines(sides, side) : -ENOMEM;
}

static int make(struct heddle_browse *browse)
{
	struct sides *sides = sides_of(browse);
	const struct profile_view *view = &browse->data.session.view;
	bool *is_of = calloc(view->label_count + 1, sizeof(*is_of));
	if (!is_of)
		return -ENOMEM;
	if (browse->callers_of < view->label_count)
		is_of[browse->callers_of] = true;
	int error = make_side(browse, sides, HEDDLE_CALLERS, is_of);
	if (!error)
		error = make_side(browse, sides, HEDDLE_CALLEES, is_of);
	free(is_of);
	return error;
}

/* ---- rows ---- */

static const char *missing(struct heddle_browse *browse)
{
	return browse->callers_of == HEDDLE_NO_NODE ? "no function selected: select one in another view and press c"
						    : NULL;
}

static size_t count(const struct heddle_browse *browse)
{
	return sides_of(browse)->count;
}

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	columns[COLUMN_TOTAL] = heddle__browse_share_column("total %", 1);
	columns[COLUMN_PART] = heddle__browse_share_column("% of it", 0);
	columns[COLUMN_METRIC] = heddle__browse_metric_column(browse, 0);
	return COLUMNS;
}

static void draw_guides(
	const struct heddle_browse *browse, const struct sides *sides, struct line line, struct heddle_browse_row *row)
{
	const struct heddle_callers *callers = &sides->of[line.side];
	uint32_t level = sides->levels[line.side][line.node], room = (uint32_t)browse->width / 8, node = line.node;
	room = room < HEDDLE_BROWSE_GUIDES ? room : HEDDLE_BROWSE_GUIDES;
	row->guide_count = level < room ? level : room;
	row->levels_left_out = level - (uint32_t)row->guide_count;
	for (size_t i = row->guide_count; i-- > 0; node = callers->items[node].parent) {
		bool own = i + 1 == row->guide_count;
		row->guides[i] = sides->last[line.side][node] ? (own ? HEDDLE_GUIDE_LAST : HEDDLE_GUIDE_NOTHING)
							      : (own ? HEDDLE_GUIDE_BRANCH : HEDDLE_GUIDE_THROUGH);
	}
}

static void draw(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row)
{
	const struct sides *sides = sides_of(browse);
	struct line line = sides->lines[index];
	const struct heddle_caller *items = sides->of[line.side].items;
	uint64_t value = items[line.node].value;
	heddle__browse_label(row, &browse->data.session.view.labels[items[line.node].label]);
	heddle__browse_share(&row->cells[COLUMN_TOTAL], value, browse->data.whole);
	heddle__browse_share(&row->cells[COLUMN_PART], value, items[0].value);
	heddle__browse_value(&row->cells[COLUMN_METRIC], value, browse->data.metric);
	if (!line.node)
		row->tail = line.side == HEDDLE_CALLERS ? "is called by" : "calls";
	row->mark = ' ';
	draw_guides(browse, sides, line, row);
}

static struct heddle_browse_place place(const struct heddle_browse *browse, size_t index)
{
	const struct sides *sides = sides_of(browse);
	struct line line = sides->lines[index];
	struct heddle_browse_place place = HEDDLE_BROWSE_NOWHERE;
	place.label = sides->of[line.side].items[line.node].label;
	return place;
}

/* Shows the callers of the row's function. */
static void open(struct heddle_browse *browse, size_t index)
{
	heddle__browse_show_callers(browse, place(browse, index).label);
}

static const struct heddle_browse_act acts[] = {{HEDDLE_ACTION_OPEN, open}, {0}};

const struct heddle_browse_view heddle__browse_view_callers = {
	.name = "callers",
	.names = "callers, callees (Enter shows those of the row)",
	.zoomed = true,
	.own_size = sizeof(struct sides),
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
