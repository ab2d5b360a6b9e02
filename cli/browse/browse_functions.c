/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions and regions by their own cost, summed over all callers. */
#include "cli/browse/browse.h"

#include "analysis/flat_rows.h"
#include "cli/base/cells.h"
#include "cli/report/report_parts.h"
#include "profile/base/base_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_SELF, COLUMN_TOTAL, COLUMN_METRIC, COLUMN_VISITS, COLUMNS };

static struct heddle_flat_rows *rows_of(const struct heddle_browse *browse)
{
	return browse->states[HEDDLE_BROWSE_functions].own;
}

static void release(void *own)
{
	heddle__flat_rows_free(own);
}

static uint64_t sort_key(const struct heddle_flat_row *row, unsigned column)
{
	return column == COLUMN_TOTAL ? row->inclusive : column == COLUMN_VISITS ? row->visits : row->exclusive;
}

static int by_column(const void *a, const void *b, void *context)
{
	const struct heddle_browse_state *state = context;
	const struct heddle_flat_row *x = a, *y = b;
	int order = heddle__browse_order(state, sort_key(x, state->sort), sort_key(y, state->sort));
	if (!order)
		order = heddle__browse_order(state, x->inclusive, y->inclusive);
	return order ? order : (x->label > y->label) - (x->label < y->label);
}

/* The program itself has a row only if it has a cost. */
static bool is_shown(const struct heddle_browse *browse, const struct heddle_flat_row *row)
{
	bool root = browse->data.session.view.labels[row->label].kind == HEDDLE_NODE_ROOT;
	return root ? row->exclusive != 0 : row->inclusive || row->visits;
}

static int make(struct heddle_browse *browse)
{
	const struct heddle_browse_data *data = &browse->data;
	struct heddle_flat_rows *rows = rows_of(browse);
	size_t kept = 0;
	int error = heddle__flat_rows_make(rows, &data->session.view, data->self, data->total, data->visits);
	if (error)
		return error;
	for (size_t i = 0; i < rows->count; i++)
		if (is_shown(browse, &rows->items[i]))
			rows->items[kept++] = rows->items[i];
	rows->count = kept;
	qsort_r(rows->items, kept, sizeof(*rows->items), by_column, &browse->states[HEDDLE_BROWSE_functions]);
	return 0;
}

static size_t count(const struct heddle_browse *browse)
{
	return rows_of(browse)->count;
}

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	columns[COLUMN_SELF] = heddle__browse_share_column("self %", 0);
	columns[COLUMN_TOTAL] = heddle__browse_share_column("total %", 1);
	columns[COLUMN_METRIC] = heddle__browse_metric_column(browse, 0);
	columns[COLUMN_VISITS] = heddle__browse_visits_column(browse, 2);
	return COLUMNS;
}

static void draw(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row)
{
	const struct heddle_browse_data *data = &browse->data;
	const struct heddle_flat_row *from = &rows_of(browse)->items[index];
	const struct profile_label *label = &data->session.view.labels[from->label];
	bool frame = label->kind == HEDDLE_NODE_FRAME || label->kind == HEDDLE_NODE_RUNTIME_FRAME;
	heddle__browse_label(row, label);
	heddle__browse_share(&row->cells[COLUMN_SELF], from->exclusive, data->whole);
	heddle__browse_share(&row->cells[COLUMN_TOTAL], from->inclusive, data->whole);
	heddle__browse_value(&row->cells[COLUMN_METRIC], from->exclusive, data->metric);
	if (from->visits)
		heddle__browse_value(&row->cells[COLUMN_VISITS], from->visits, HEDDLE_METRIC_VISITS);
	if (from->hand_off)
		row->tail = profile_state_label(HEDDLE_STATE_HAND_OFF);
	else if (frame && *label->module)
		row->tail = profile_base_name(label->module);
}

static struct heddle_browse_place place(const struct heddle_browse *browse, size_t index)
{
	struct heddle_browse_place place = HEDDLE_BROWSE_NOWHERE;
	place.label = rows_of(browse)->items[index].label;
	return place;
}

/* A lock's hand-offs have a row beside the label's own row, which is the one to find. */
static size_t find_row(struct heddle_browse *browse, const struct heddle_browse_place *place)
{
	const struct heddle_flat_rows *rows = rows_of(browse);
	for (size_t i = 0; place->label != HEDDLE_NO_NODE && i < rows->count; i++)
		if (rows->items[i].label == place->label && !rows->items[i].hand_off)
			return i;
	return SIZE_MAX;
}

static const struct heddle_browse_act acts[] = {{HEDDLE_ACTION_OPEN, heddle__browse_open_tree}, {0}};

const struct heddle_browse_view heddle__browse_view_functions = {
	.name = "functions",
	.names = "function",
	.tab = true,
	.zoomed = true,
	.own_size = sizeof(struct heddle_flat_rows),
	.sortable = 1u << COLUMN_SELF | 1u << COLUMN_TOTAL | 1u << COLUMN_VISITS,
	.sorted_by = COLUMN_SELF,
	.make = make,
	.release = release,
	.count = count,
	.columns = columns,
	.row = draw,
	.place = place,
	.find = find_row,
	.acts = acts,
};
