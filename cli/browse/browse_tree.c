/* SPDX-License-Identifier: BSD-3-Clause */
/* The call tree: each node is below its caller; nodes can be expanded and collapsed. */
#include "cli/browse/browse_tree.h"
#include "cli/browse/browse_text.h"

#include "cli/base/cells.h"
#include "profile/view/view_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define OPEN_FIRST 20 /* a node of at least 1/OPEN_FIRST of the whole is expanded at first */

enum { COLUMN_TOTAL, COLUMN_SELF, COLUMN_METRIC, COLUMN_VISITS, COLUMNS };

struct tree {
	const struct profile_view *view; /* the view that the arrays are made for */
	bool *open, *last;               /* by node: expanded; the last shown sibling */
	struct profile_view_children children;
	uint32_t *rows; /* nodes */
	size_t count;
	uint32_t depth; /* of the first row */
	uint32_t *depths;
};

static struct tree *tree_of(const struct heddle_browse *browse)
{
	return browse->states[HEDDLE_BROWSE_tree].own;
}

/* ---- rows ---- */

static bool is_shown(const struct heddle_browse *browse, uint32_t node)
{
	return browse->data.total[node] || browse->data.visits_below[node];
}

static const uint64_t *sorted_values(const struct heddle_browse *browse)
{
	switch (browse->states[HEDDLE_BROWSE_tree].sort) {
	case COLUMN_SELF:
		return browse->data.self;
	case COLUMN_VISITS:
		return browse->data.visits;
	default:
		return browse->data.total;
	}
}

/* Returns the child at a position in sort order; HEDDLE_NO_NODE: after the last one. */
static uint32_t child_at(const struct heddle_browse *browse, uint32_t node, uint32_t at)
{
	const struct profile_view_children *children = &tree_of(browse)->children;
	uint32_t first = children->first[node], end = children->first[node + 1];
	if (at >= end - first)
		return HEDDLE_NO_NODE;
	return children->list[browse->states[HEDDLE_BROWSE_tree].reverse ? end - 1 - at : first + at];
}

static bool has_children(const struct heddle_browse *browse, uint32_t node)
{
	uint32_t child;
	for (uint32_t i = 0; (child = child_at(browse, node, i)) != HEDDLE_NO_NODE; i++)
		if (is_shown(browse, child))
			return true;
	return false;
}

/* Pushes the children in reverse order, so that the first one is popped first, and marks the last one. */
static size_t push_children(const struct heddle_browse *browse, uint32_t node, uint32_t *stack, size_t depth)
{
	struct tree *tree = tree_of(browse);
	uint32_t count = tree->children.first[node + 1] - tree->children.first[node];
	bool last = true;
	for (uint32_t i = count; i-- > 0;) {
		uint32_t child = child_at(browse, node, i);
		if (!is_shown(browse, child))
			continue;
		tree->last[child] = last;
		last = false;
		stack[depth++] = child;
	}
	return depth;
}

/* Lists the rows, without those below collapsed nodes. */
static int list_rows(struct heddle_browse *browse)
{
	struct tree *tree = tree_of(browse);
	uint32_t *stack = malloc((tree->view->node_count + 1) * sizeof(*stack));
	size_t depth = 0;
	if (!stack)
		return -ENOMEM;
	tree->count = 0;
	tree->depth = tree->depths[browse->data.zoom];
	for (stack[depth++] = browse->data.zoom; depth > 0;) {
		uint32_t node = stack[--depth];
		tree->rows[tree->count++] = node;
		if (tree->open[node])
			depth = push_children(browse, node, stack, depth);
	}
	free(stack);
	return 0;
}

static void release(void *own)
{
	struct tree *tree = own;
	profile_view_children_free(&tree->children);
	free(tree->open);
	free(tree->last);
	free(tree->rows);
	free(tree->depths);
}

/* Allocates the arrays for a view. */
static int allocate(struct heddle_browse *browse, struct tree *tree)
{
	const struct profile_view *view = &browse->data.session.view;
	tree->view = view;
	tree->open = calloc(view->node_count + 1, sizeof(*tree->open));
	tree->last = calloc(view->node_count + 1, sizeof(*tree->last));
	tree->rows = calloc(view->node_count + 1, sizeof(*tree->rows));
	tree->depths = profile_view_depths(view);
	if (!tree->open || !tree->last || !tree->rows || !tree->depths) {
		release(tree);
		*tree = (struct tree){0};
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < view->node_count; i++)
		tree->open[i] = i == 0 || browse->data.total[i] * OPEN_FIRST >= browse->data.whole;
	return 0;
}

static int make(struct heddle_browse *browse)
{
	struct tree *tree = tree_of(browse);
	int error = tree->view ? 0 : allocate(browse, tree);
	if (error)
		return error;
	profile_view_children_free(&tree->children);
	error = profile_view_children_make(&tree->children, tree->view, sorted_values(browse));
	return error ? error : list_rows(browse);
}

static size_t count(const struct heddle_browse *browse)
{
	return tree_of(browse)->count;
}

/* ---- drawing ---- */

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	columns[COLUMN_TOTAL] = heddle__browse_share_column("total %", 0);
	columns[COLUMN_SELF] = heddle__browse_share_column("self %", 1);
	columns[COLUMN_METRIC] = heddle__browse_metric_column(browse, 0);
	columns[COLUMN_VISITS] = heddle__browse_visits_column(browse, 2);
	return COLUMNS;
}

/* Sets the guides, from the first row's children on; levels that do not fit are counted. */
static void draw_guides(const struct heddle_browse *browse, uint32_t node, struct heddle_browse_row *row)
{
	const struct tree *tree = tree_of(browse);
	uint32_t level = tree->depths[node] - tree->depth, room = (uint32_t)browse->width / 8;
	room = room < HEDDLE_BROWSE_GUIDES ? room : HEDDLE_BROWSE_GUIDES;
	row->guide_count = level < room ? level : room;
	row->levels_left_out = level - (uint32_t)row->guide_count;
	for (size_t i = row->guide_count; i-- > 0; node = tree->view->parents[node]) {
		bool own = i + 1 == row->guide_count;
		row->guides[i] = tree->last[node] ? (own ? HEDDLE_GUIDE_LAST : HEDDLE_GUIDE_NOTHING)
						  : (own ? HEDDLE_GUIDE_BRANCH : HEDDLE_GUIDE_THROUGH);
	}
}

static void draw(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row)
{
	const struct heddle_browse_data *data = &browse->data;
	const struct tree *tree = tree_of(browse);
	uint32_t node = tree->rows[index];
	heddle__browse_label(row, &tree->view->labels[tree->view->label_of[node]]);
	heddle__browse_share(&row->cells[COLUMN_TOTAL], data->total[node], data->whole);
	heddle__browse_share(&row->cells[COLUMN_SELF], data->self[node], data->whole);
	heddle__browse_value(&row->cells[COLUMN_METRIC], data->total[node], data->metric);
	if (data->visits[node])
		heddle__browse_value(&row->cells[COLUMN_VISITS], data->visits[node], HEDDLE_METRIC_VISITS);
	row->mark = ' ';
	if (has_children(browse, node))
		row->mark = tree->open[node] ? '-' : '+';
	draw_guides(browse, node, row);
}

/* ---- places ---- */

static struct heddle_browse_place place(const struct heddle_browse *browse, size_t index)
{
	const struct tree *tree = tree_of(browse);
	struct heddle_browse_place place = HEDDLE_BROWSE_NOWHERE;
	place.node = tree->rows[index];
	place.label = tree->view->label_of[place.node];
	return place;
}

static size_t row_of(const struct heddle_browse *browse, uint32_t node)
{
	const struct tree *tree = tree_of(browse);
	for (size_t i = 0; i < tree->count; i++)
		if (tree->rows[i] == node)
			return i;
	return SIZE_MAX;
}

static void open_above(struct heddle_browse *browse, uint32_t node)
{
	struct tree *tree = tree_of(browse);
	while (node != browse->data.zoom && node) {
		node = tree->view->parents[node];
		tree->open[node] = true;
	}
}

static uint32_t node_of_line(struct heddle_browse *browse, const struct heddle_browse_place *place)
{
	const struct heddle_browse_data *data = &browse->data;
	uint32_t best = HEDDLE_NO_NODE;
	uint64_t most = 0;
	if (heddle__browse_data_sites(&browse->data) != 0)
		return best;
	for (size_t i = 1; i < data->sites.count; i++) {
		const struct profile_site *site = &data->sites.items[i];
		if (site->line != place->line || strcmp(site->file, place->file) != 0 ||
			data->site_total[i] < most + (best != HEDDLE_NO_NODE))
			continue;
		best = site->node;
		most = data->site_total[i];
	}
	return best;
}

/* Returns the row of a node; if the node is not in the zoom or not shown, that of its nearest ancestor that is. */
static size_t find_row(struct heddle_browse *browse, const struct heddle_browse_place *place)
{
	const struct heddle_browse_data *data = &browse->data;
	uint32_t node = place->node;
	if (node == HEDDLE_NO_NODE && place->label != HEDDLE_NO_NODE) {
		size_t selected = browse->states[HEDDLE_BROWSE_tree].selected;
		const struct tree *tree = tree_of(browse);
		if (selected < tree->count && tree->view->label_of[tree->rows[selected]] == place->label)
			return selected;
		node = heddle__browse_data_hottest(data, place->label, data->total);
	} else if (node == HEDDLE_NO_NODE && place->line) {
		node = node_of_line(browse, place);
	}
	if (node == HEDDLE_NO_NODE || !data->inside[node])
		return SIZE_MAX;
	while (node != data->zoom && !is_shown(browse, node))
		node = data->session.view.parents[node];
	open_above(browse, node);
	return list_rows(browse) ? SIZE_MAX : row_of(browse, node);
}

/* Returns all nodes in the order of the tree, expanded or not. */
static uint32_t *whole_order(const struct heddle_browse *browse, size_t *order_count)
{
	const struct tree *tree = tree_of(browse);
	uint32_t *order = malloc((tree->view->node_count + 1) * sizeof(*order));
	uint32_t *stack = malloc((tree->view->node_count + 1) * sizeof(*stack));
	size_t depth = 0;
	*order_count = 0;
	for (stack ? stack[depth++] = browse->data.zoom : 0; order && depth > 0;) {
		uint32_t node = stack[--depth];
		order[(*order_count)++] = node;
		depth = push_children(browse, node, stack, depth);
	}
	free(stack);
	return order;
}

static size_t search(struct heddle_browse *browse, size_t from, bool forward)
{
	const struct tree *tree = tree_of(browse);
	size_t order_count, start = 0, found = SIZE_MAX;
	uint32_t *order = whole_order(browse, &order_count);
	if (!order)
		return SIZE_MAX;
	while (start + 1 < order_count && order[start] != tree->rows[from])
		start++;
	for (size_t i = 1; order_count && found == SIZE_MAX && i <= order_count; i++) {
		size_t at = (forward ? start + i : start + order_count - i) % order_count;
		const char *text = tree->view->labels[tree->view->label_of[order[at]]].text;
		if (heddle__browse_matches(text, strlen(text), browse->wanted))
			found = at;
	}
	struct heddle_browse_place place = HEDDLE_BROWSE_NOWHERE;
	place.node = found == SIZE_MAX ? HEDDLE_NO_NODE : order[found];
	free(order);
	return found == SIZE_MAX ? SIZE_MAX : find_row(browse, &place);
}

/* ---- keys ---- */

static void set_open(struct heddle_browse *browse, uint32_t node, bool open)
{
	tree_of(browse)->open[node] = open;
	list_rows(browse);
}

/* Parents precede their children, so one pass reaches all nodes below `top`. */
static void open_below(struct heddle_browse *browse, uint32_t top, bool open)
{
	struct tree *tree = tree_of(browse);
	bool *below = calloc(tree->view->node_count + 1, sizeof(*below));
	for (uint32_t i = top; below && i < tree->view->node_count; i++) {
		below[i] = i == top || (i && below[tree->view->parents[i]]);
		if (below[i])
			tree->open[i] = open || i == browse->data.zoom;
	}
	free(below);
	list_rows(browse);
}

static uint32_t open_hottest(struct heddle_browse *browse, uint32_t node)
{
	struct tree *tree = tree_of(browse);
	const uint64_t *total = browse->data.total;
	for (;;) {
		uint32_t best = HEDDLE_NO_NODE;
		for (uint32_t i = tree->children.first[node]; i < tree->children.first[node + 1]; i++) {
			uint32_t child = tree->children.list[i];
			if (total[child] && (best == HEDDLE_NO_NODE || total[child] > total[best]))
				best = child;
		}
		if (best == HEDDLE_NO_NODE || total[best] <= browse->data.self[node])
			return node;
		tree->open[node] = true;
		node = best;
	}
}

static void select_node(struct heddle_browse *browse, uint32_t node)
{
	size_t row = row_of(browse, node);
	if (row != SIZE_MAX)
		browse->states[HEDDLE_BROWSE_tree].selected = row;
}

static void toggle(struct heddle_browse *browse, size_t index)
{
	uint32_t node = tree_of(browse)->rows[index];
	set_open(browse, node, !tree_of(browse)->open[node]);
}

static void expand(struct heddle_browse *browse, size_t index)
{
	set_open(browse, tree_of(browse)->rows[index], true);
}

static void collapse(struct heddle_browse *browse, size_t index)
{
	set_open(browse, tree_of(browse)->rows[index], false);
}

static void go_left(struct heddle_browse *browse, size_t index)
{
	struct tree *tree = tree_of(browse);
	uint32_t node = tree->rows[index];
	if (tree->open[node] && has_children(browse, node))
		set_open(browse, node, false);
	else if (node != browse->data.zoom)
		select_node(browse, tree->view->parents[node]);
}

static void go_right(struct heddle_browse *browse, size_t index)
{
	uint32_t node = tree_of(browse)->rows[index];
	if (!has_children(browse, node))
		return;
	if (tree_of(browse)->open[node])
		browse->states[HEDDLE_BROWSE_tree].selected++;
	else
		set_open(browse, node, true);
}

static void expand_below(struct heddle_browse *browse, size_t index)
{
	open_below(browse, tree_of(browse)->rows[index], true);
}

static void expand_all(struct heddle_browse *browse, size_t index)
{
	uint32_t node = tree_of(browse)->rows[index];
	open_below(browse, browse->data.zoom, true);
	select_node(browse, node);
}

static void collapse_all(struct heddle_browse *browse, size_t index)
{
	uint32_t node = tree_of(browse)->rows[index];
	open_below(browse, browse->data.zoom, false);
	select_node(browse, node);
}

static void go_to_hottest(struct heddle_browse *browse, size_t index)
{
	uint32_t node = open_hottest(browse, tree_of(browse)->rows[index]);
	list_rows(browse);
	select_node(browse, node);
}

static const struct heddle_browse_act acts[] = {
	{HEDDLE_ACTION_OPEN, toggle},
	{HEDDLE_ACTION_EXPAND, expand},
	{HEDDLE_ACTION_COLLAPSE, collapse},
	{HEDDLE_ACTION_RIGHT, go_right},
	{HEDDLE_ACTION_LEFT, go_left},
	{HEDDLE_ACTION_EXPAND_BELOW, expand_below},
	{HEDDLE_ACTION_EXPAND_ALL, expand_all},
	{HEDDLE_ACTION_COLLAPSE_ALL, collapse_all},
	{HEDDLE_ACTION_HOTTEST, go_to_hottest},
	{0},
};

/* ---- following ---- */

const bool *heddle__browse_tree_open(const struct heddle_browse *browse)
{
	return tree_of(browse) ? tree_of(browse)->open : NULL;
}

void heddle__browse_tree_take(struct heddle_browse *browse, bool *open)
{
	struct tree *tree = open ? calloc(1, sizeof(*tree)) : NULL;
	if (!tree || allocate(browse, tree) != 0) {
		free(tree);
		free(open);
		return;
	}
	free(tree->open);
	tree->open = open;
	browse->states[HEDDLE_BROWSE_tree].own = tree;
}

const struct heddle_browse_view heddle__browse_view_tree = {
	.name = "tree",
	.names = "call path",
	.tab = true,
	.zoomed = true,
	.own_size = sizeof(struct tree),
	.keeps = true,
	.sortable = 1u << COLUMN_TOTAL | 1u << COLUMN_SELF | 1u << COLUMN_VISITS,
	.sorted_by = COLUMN_TOTAL,
	.make = make,
	.release = release,
	.count = count,
	.columns = columns,
	.row = draw,
	.place = place,
	.find = find_row,
	.search = search,
	.acts = acts,
};
