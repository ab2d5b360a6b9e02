/* SPDX-License-Identifier: BSD-3-Clause */
/* The call-path tree of `heddle report`, and the cells that other parts print as well. */
#include "cli/report_parts.h"
#include "profile/view_walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define INDENT_LIMIT 64  /* levels drawn; deeper ones say their number instead */
#define NUMBERS_WIDTH 28 /* columns in front of the call path, without visits */
#define NAME_WIDTH 24    /* columns that tree lines leave to names */

/* ---- cells ---- */

void heddle__print_percent(const struct heddle_report *report, uint64_t value, uint64_t total)
{
	double percent = total ? 100.0 * (double)value / (double)total : 0;
	enum heddle_style style = percent >= 25  ? HEDDLE_STYLE_HOT
				  : percent >= 5 ? HEDDLE_STYLE_WARM
				  : value == 0   ? HEDDLE_STYLE_DIM
						 : HEDDLE_STYLE_PLAIN;
	heddle__style(&report->look, style);
	if (value == 0)
		fputs("      -", stdout);
	else
		printf("%7.1f", percent);
	if (style != HEDDLE_STYLE_PLAIN)
		heddle__style(&report->look, HEDDLE_STYLE_PLAIN);
}

size_t heddle__print_label(const struct heddle_report *report, const struct heddle_label *label, size_t used)
{
	enum heddle_style style = label->kind == HEDDLE_NODE_REGION || label->kind == HEDDLE_NODE_PHASE
					  ? HEDDLE_STYLE_REGION
				  : label->kind == HEDDLE_NODE_STATE         ? HEDDLE_STYLE_STATE
				  : label->kind == HEDDLE_NODE_RUNTIME_FRAME ? HEDDLE_STYLE_DIM
									     : HEDDLE_STYLE_PLAIN;
	if (style != HEDDLE_STYLE_PLAIN)
		heddle__style(&report->look, style);
	size_t taken = heddle__print_fitting(&report->look, label->text, used);
	if (style != HEDDLE_STYLE_PLAIN)
		heddle__style(&report->look, HEDDLE_STYLE_PLAIN);
	return taken;
}

void heddle__print_hidden(
	const struct heddle_report *report, size_t count, const char *what, uint64_t value, uint64_t total)
{
	char text[32];
	if (count == 0)
		return;
	heddle__style(&report->look, HEDDLE_STYLE_DIM);
	printf("\n%s %s%s below %g %% hidden (%.1f %% in all): --min 0 shows them\n",
		heddle__format_count(text, sizeof(text), count), what, count == 1 ? "" : "s", report->min_percent,
		total ? 100.0 * (double)value / (double)total : 0);
	heddle__style(&report->look, HEDDLE_STYLE_PLAIN);
}

/* ---- the tree ---- */

struct tree {
	const struct heddle_report *report;
	const struct heddle_view *view;
	uint64_t *sums;
	uint32_t *order, *depths;
	struct heddle_view_children children;
	bool *shown, *last; /* last: no sibling of it is shown below it */
	size_t hidden_small, hidden_deep;
	uint64_t hidden_value;
};

static bool big_enough(const struct tree *tree, uint32_t node)
{
	return (double)tree->sums[node] * 100 >= tree->report->min_percent * (double)tree->sums[0] && tree->sums[node];
}

static bool has_visits(const struct tree *tree, uint32_t node)
{
	const uint64_t *visits = tree->view->values[HEDDLE_METRIC_VISITS];
	return visits && visits[node];
}

static void mark_children(struct tree *tree, uint32_t node)
{
	bool below = false, deep = tree->report->depth && tree->depths[node] >= tree->report->depth;
	for (uint32_t c = tree->children.first[node + 1]; c-- > tree->children.first[node];) {
		uint32_t child = tree->children.list[c];
		bool big = big_enough(tree, child) || (tree->report->min_percent <= 0 && has_visits(tree, child));
		tree->shown[child] = big && !deep;
		tree->last[child] = tree->shown[child] && !below;
		below = below || tree->shown[child];
		if (big && deep)
			tree->hidden_deep++;
		if (big || !tree->sums[child])
			continue;
		tree->hidden_small++;
		tree->hidden_value += tree->sums[child];
	}
}

/* On a terminal, tree lines leave room for names. */
static uint32_t indent_limit(const struct tree *tree)
{
	size_t width = tree->report->look.width, limit = INDENT_LIMIT;
	if (width)
		limit = width > NUMBERS_WIDTH + NAME_WIDTH + 12 ? (width - NUMBERS_WIDTH - NAME_WIDTH) / 3 : 4;
	return limit < INDENT_LIMIT ? (uint32_t)limit : INDENT_LIMIT;
}

/* Returns the columns it took. */
static size_t print_indent(const struct tree *tree, uint32_t node)
{
	const struct heddle_look *look = &tree->report->look;
	uint32_t path[INDENT_LIMIT], depth = tree->depths[node], limit = indent_limit(tree), drawn = 0;
	int taken = 3 * (int)depth;
	heddle__style(look, HEDDLE_STYLE_DIM);
	if (depth > limit)
		taken = printf("(level %" PRIu32 ") ", depth);
	for (uint32_t at = tree->view->parents[node]; depth <= limit && at != 0; at = tree->view->parents[at])
		path[drawn++] = at;
	while (drawn-- > 0)
		fputs(tree->last[path[drawn]] ? look->nothing : look->through, stdout);
	if (depth > 0 && depth <= limit)
		fputs(tree->last[node] ? look->last : look->branch, stdout);
	heddle__style(look, HEDDLE_STYLE_PLAIN);
	return (size_t)taken;
}

static size_t print_visits(const struct tree *tree, uint32_t node)
{
	char text[32] = "";
	if (!tree->view->values[HEDDLE_METRIC_VISITS] || tree->report->metric == HEDDLE_METRIC_VISITS)
		return 0;
	if (has_visits(tree, node))
		heddle__format_count(text, sizeof(text), tree->view->values[HEDDLE_METRIC_VISITS][node]);
	return (size_t)printf(" %10s", text);
}

static void print_row(const struct tree *tree, uint32_t node)
{
	char text[32];
	const char *unit = heddle_metric_unit(tree->report->metric);
	heddle__print_percent(tree->report, tree->sums[node], tree->sums[0]);
	putchar(' ');
	heddle__print_percent(tree->report, tree->view->values[tree->report->metric][node], tree->sums[0]);
	printf(" %10s", heddle__format_value(text, sizeof(text), tree->sums[node], unit));
	size_t used = NUMBERS_WIDTH + print_visits(tree, node);
	fputs("  ", stdout);
	used += print_indent(tree, node);
	heddle__print_label(tree->report, &tree->view->labels[tree->view->label_of[node]], used);
	putchar('\n');
}

static void print_heading(const struct tree *tree)
{
	bool visits = tree->view->values[HEDDLE_METRIC_VISITS] && tree->report->metric != HEDDLE_METRIC_VISITS;
	heddle__style(&tree->report->look, HEDDLE_STYLE_DIM);
	printf("%7s %7s %10s%s  %s\n", "total %", "self %", heddle_metric_name(tree->report->metric),
		visits ? "     visits" : "", "call path");
	heddle__style(&tree->report->look, HEDDLE_STYLE_PLAIN);
}

static void print_tree(struct tree *tree)
{
	print_heading(tree);
	tree->shown[0] = tree->last[0] = true;
	for (size_t i = 0; i < tree->view->node_count; i++) {
		uint32_t node = tree->order[i];
		if (!tree->shown[node])
			continue;
		mark_children(tree, node);
		print_row(tree, node);
	}
	heddle__print_hidden(tree->report, tree->hidden_small, "path", tree->hidden_value, tree->sums[0]);
	if (tree->hidden_deep)
		printf("\n%zu path%s deeper than %u hidden: --depth N shows more\n", tree->hidden_deep,
			tree->hidden_deep == 1 ? "" : "s", tree->report->depth);
}

int heddle__report_tree(const struct heddle_report *report)
{
	const struct heddle_view *view = &report->session->view;
	struct tree tree = {
		.report = report,
		.view = view,
		.sums = heddle_view_inclusive(view, report->metric),
		.depths = heddle_view_depths(view),
		.shown = calloc(view->node_count, sizeof(bool)),
		.last = calloc(view->node_count, sizeof(bool)),
	};
	int error = tree.sums && tree.depths && tree.shown && tree.last ? 0 : -ENOMEM;
	if (!error)
		error = heddle_view_children_make(&tree.children, view, tree.sums);
	if (!error)
		tree.order = heddle_view_depth_first(view, &tree.children);
	if (tree.order)
		print_tree(&tree);
	error = error || tree.order ? error : -ENOMEM;
	free(tree.sums);
	free(tree.order);
	free(tree.depths);
	free(tree.shown);
	free(tree.last);
	heddle_view_children_free(&tree.children);
	return error;
}
