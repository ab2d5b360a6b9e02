/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks the unfolded tree depth first. `path` has the folded nodes from the root to the current one. A step down
 * changes at most one element of `path` and one of `open`; the step up restores both.
 */
#include "profile/view/view_recursion.h"

#include "profile/view/view_nodes.h"
#include "profile/view/view_walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a step down to a node of the unfolded tree has changed. */
struct step {
	uint32_t node;
	uint32_t path_before, open_before;
};

struct fold {
	struct profile_view *view;  /* unfolded */
	struct profile_view folded; /* only its nodes are used */
	uint32_t *target;           /* by unfolded node: its folded node */
	uint32_t *depth_of;         /* by folded node */
	uint32_t *levels;           /* by folded node: largest number of its calls that were open at once */
	uint32_t *path;             /* by depth */
	uint32_t *open;             /* by label: the folded node entered last */
	uint32_t *entered;          /* by label: number of unfolded nodes from the root to the current one */
	struct step *steps;         /* from the root to the current node */
	size_t step_count;
	bool any;
};

static void go_up(struct fold *fold)
{
	const struct step *step = &fold->steps[--fold->step_count];
	uint32_t label = fold->view->label_of[step->node];
	fold->path[fold->depth_of[fold->target[step->node]]] = step->path_before;
	fold->open[label] = step->open_before;
	fold->entered[label]--;
}

/* Returns the open node of a label on the folded path that ends at `above`; 0: none. */
static uint32_t open_node(const struct fold *fold, uint32_t label, uint32_t above)
{
	uint32_t node = fold->open[label];
	bool on_path = fold->depth_of[node] <= fold->depth_of[above] && fold->path[fold->depth_of[node]] == node;
	return on_path && fold->view->labels[label].kind != HEDDLE_NODE_STATE ? node : 0;
}

static int go_down(struct fold *fold, uint32_t node)
{
	uint32_t above = fold->target[fold->view->parents[node]], label = fold->view->label_of[node];
	uint32_t at = open_node(fold, label, above);
	bool recursive = at != 0;
	if (!recursive) {
		at = above;
		int error = profile_view_descend(&fold->folded, &at, label);
		if (error)
			return error;
		fold->depth_of[at] = fold->depth_of[above] + 1;
	}
	uint32_t depth = fold->depth_of[at], levels = ++fold->entered[label];
	fold->any |= recursive;
	fold->target[node] = at;
	fold->levels[at] = levels > fold->levels[at] ? levels : fold->levels[at];
	fold->steps[fold->step_count++] = (struct step){node, fold->path[depth], fold->open[label]};
	fold->path[depth] = at;
	fold->open[label] = at;
	return 0;
}

static int walk(struct fold *fold, const uint32_t *order)
{
	int error = profile_view_append_node(&fold->folded, 0, fold->view->label_of[0]);
	for (size_t i = 1; !error && i < fold->view->node_count; i++) {
		uint32_t parent = fold->view->parents[order[i]];
		while (fold->step_count > 0 && fold->steps[fold->step_count - 1].node != parent)
			go_up(fold);
		error = go_down(fold, order[i]);
	}
	return error;
}

static int make_room(struct fold *fold)
{
	size_t nodes = fold->view->node_count + 1, labels = fold->view->label_count + 1;
	fold->target = calloc(nodes, sizeof(*fold->target));
	fold->depth_of = calloc(nodes, sizeof(*fold->depth_of));
	fold->levels = calloc(nodes, sizeof(*fold->levels));
	fold->path = calloc(nodes, sizeof(*fold->path));
	fold->steps = calloc(nodes, sizeof(*fold->steps));
	fold->open = calloc(labels, sizeof(*fold->open));
	fold->entered = calloc(labels, sizeof(*fold->entered));
	return fold->target && fold->depth_of && fold->levels && fold->path && fold->steps && fold->open &&
			       fold->entered
		       ? 0
		       : -ENOMEM;
}

/* ---- data of the nodes ---- */

static int move_values(struct fold *fold)
{
	struct profile_view *view = fold->view;
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
		uint64_t *values = view->values[m];
		if (!values)
			continue;
		uint64_t *sums = calloc(fold->folded.node_count, sizeof(*sums));
		if (!sums)
			return -ENOMEM;
		for (size_t i = 0; i < view->node_count; i++)
			sums[fold->target[i]] += values[i];
		free(values);
		view->values[m] = sums;
	}
	return 0;
}

static int move_distributions(struct fold *fold)
{
	struct profile_distributions before = fold->view->distributions, after = {0};
	int error = 0;
	for (size_t i = 0; !error && i < before.count; i++) {
		struct profile_distribution one = before.items[i];
		one.node = fold->target[one.node];
		error = profile_distributions_add(&after, &one);
	}
	profile_distributions_sort(&after);
	profile_distributions_free(&before);
	fold->view->distributions = after;
	return error;
}

/* Sets the text of folded nodes: "fib (26 levels)". */
static int name_levels(struct fold *fold)
{
	struct profile_view *view = fold->view;
	char *text;
	view->shown = calloc(view->node_count, sizeof(*view->shown));
	if (!view->shown)
		return -ENOMEM;
	for (size_t i = 0; i < view->node_count; i++) {
		const char *name = view->labels[view->label_of[i]].text;
		if (fold->levels[i] < 2)
			continue;
		if (asprintf(&text, "%s (%" PRIu32 " levels)", name, fold->levels[i]) < 0)
			return -ENOMEM;
		view->shown[i] = profile_intern_text(&view->texts, text);
		free(text);
	}
	return 0;
}

static void swap_nodes(struct profile_view *view, struct profile_view *folded)
{
	struct profile_view before = *view;
	view->parents = folded->parents;
	view->label_of = folded->label_of;
	view->index = folded->index;
	view->node_count = folded->node_count;
	view->parent_capacity = folded->parent_capacity;
	view->label_of_capacity = folded->label_of_capacity;
	folded->parents = before.parents;
	folded->label_of = before.label_of;
	folded->index = before.index;
}

static int replace_nodes(struct fold *fold, size_t tree_nodes)
{
	struct profile_view *view = fold->view;
	int error = move_distributions(fold);
	if (!error)
		error = move_values(fold);
	for (size_t i = 0; i < tree_nodes; i++) {
		view->of_node[i] = fold->target[view->of_node[i]];
		view->inside[i] = fold->target[view->inside[i]];
	}
	if (error)
		return error;
	swap_nodes(view, &fold->folded);
	return name_levels(fold);
}

int profile_view_fold_recursion(struct profile_view *view, size_t tree_nodes)
{
	struct profile_view_children children = {0};
	struct fold fold = {.view = view};
	int error = make_room(&fold);
	if (!error)
		error = profile_view_children_make(&children, view, NULL);
	uint32_t *order = error ? NULL : profile_view_depth_first(view, &children);
	if (!error)
		error = order ? walk(&fold, order) : -ENOMEM;
	if (!error && fold.any)
		error = replace_nodes(&fold, tree_nodes);
	profile_view_children_free(&children);
	free(order);
	free(fold.folded.parents);
	free(fold.folded.label_of);
	profile_index_free(&fold.folded.index);
	free(fold.target);
	free(fold.depth_of);
	free(fold.levels);
	free(fold.path);
	free(fold.steps);
	free(fold.open);
	free(fold.entered);
	return error;
}
