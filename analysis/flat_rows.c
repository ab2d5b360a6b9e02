/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of labels, and rows of hand-offs, one for each lock, although all hand-offs have one label. Prints nothing. */
#include "analysis/flat_rows.h"

#include "profile/view/view_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_cost(const void *a, const void *b)
{
	const struct heddle_flat_row *x = a, *y = b;
	if (x->exclusive != y->exclusive)
		return x->exclusive > y->exclusive ? -1 : 1;
	if (x->inclusive != y->inclusive)
		return x->inclusive > y->inclusive ? -1 : 1;
	return (x->label > y->label) - (x->label < y->label);
}

static bool is_hand_off(const struct profile_label *label)
{
	const char *name = profile_state_label(HEDDLE_STATE_HAND_OFF);
	size_t length = strlen(name);
	return label->kind == HEDDLE_NODE_STATE && strlen(label->text) == length + 2 &&
	       strncmp(label->text + 1, name, length) == 0;
}

/* Returns the row of a node: a hand-off belongs to its lock. */
static size_t row_of(const struct profile_view *view, size_t node)
{
	uint32_t label = view->label_of[node];
	if (!is_hand_off(&view->labels[label]))
		return label;
	return view->label_count + view->label_of[view->parents[node]];
}

static void add_values(struct heddle_flat_rows *rows, const struct profile_view *view, const bool *outermost,
	const uint64_t *const values[3])
{
	for (size_t i = 0; i < view->node_count; i++) {
		struct heddle_flat_row *row = &rows->items[row_of(view, i)];
		row->exclusive += values[0] ? values[0][i] : 0;
		row->inclusive += values[1] && outermost[i] ? values[1][i] : 0;
		row->visits += values[2] ? values[2][i] : 0;
	}
}

int heddle__flat_rows_make(struct heddle_flat_rows *rows, const struct profile_view *view, const uint64_t *exclusive,
	const uint64_t *inclusive, const uint64_t *visits)
{
	const uint64_t *const values[] = {exclusive, inclusive, visits};
	bool *outermost = profile_view_outermost(view);
	rows->count = 2 * view->label_count;
	rows->items = calloc(rows->count + 1, sizeof(*rows->items));
	if (!outermost || !rows->items) {
		free(outermost);
		heddle__flat_rows_free(rows);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < rows->count; i++) {
		rows->items[i].hand_off = i >= view->label_count;
		rows->items[i].label = rows->items[i].hand_off ? i - (uint32_t)view->label_count : i;
	}
	add_values(rows, view, outermost, values);
	qsort(rows->items, rows->count, sizeof(*rows->items), by_cost);
	free(outermost);
	return 0;
}

void heddle__flat_rows_free(struct heddle_flat_rows *rows)
{
	free(rows->items);
	*rows = (struct heddle_flat_rows){0};
}
