/* SPDX-License-Identifier: BSD-3-Clause */
/* The call-path tree of `heddle report`, and the cells that other parts print as well. */
#include "cli/report_parts.h"
#include "profile/description.h"
#include "profile/view_walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define INDENT_LIMIT 64  /* levels drawn; deeper ones say their number instead */
#define NUMBERS_WIDTH 18 /* columns in front of the call path, without the metric's and visits */
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

int heddle__value_width(enum heddle_metric metric)
{
	int width = (int)strlen(heddle_metric_name(metric));
	return width > 10 ? width : 10;
}

/* ---- the tree ---- */

struct tree {
	const struct heddle_report *report;
	const struct heddle_view *view;
	struct heddle_spreads spreads;
	size_t numbers_width; /* columns in front of the call path */
	uint64_t *sums;
	uint64_t *extras[HEDDLE_EXTRA_LIMIT]; /* NULL: no values */
	uint32_t *order, *depths;
	struct heddle_view_children children;
	bool *shown, *last; /* last: no sibling of it is shown below it */
	bool below;         /* something is shown below the node at hand */
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
	tree->below = below;
}

/* On a terminal, tree lines leave room for names. */
static uint32_t indent_limit(const struct tree *tree)
{
	size_t width = tree->report->look.width, limit = INDENT_LIMIT;
	if (width)
		limit = width > tree->numbers_width + NAME_WIDTH + 12 ? (width - tree->numbers_width - NAME_WIDTH) / 3
								      : 4;
	return limit < INDENT_LIMIT ? (uint32_t)limit : INDENT_LIMIT;
}

/* The lines that pass a node on their way down to others. */
static void print_passing(const struct tree *tree, uint32_t node)
{
	const struct heddle_look *look = &tree->report->look;
	uint32_t path[INDENT_LIMIT], drawn = 0;
	for (uint32_t at = node; at != 0; at = tree->view->parents[at])
		path[drawn++] = at;
	while (drawn-- > 0)
		fputs(tree->last[path[drawn]] ? look->nothing : look->through, stdout);
}

/* Returns the columns it took. */
static size_t print_indent(const struct tree *tree, uint32_t node)
{
	const struct heddle_look *look = &tree->report->look;
	uint32_t depth = tree->depths[node], limit = indent_limit(tree);
	int taken = 3 * (int)depth;
	heddle__style(look, HEDDLE_STYLE_DIM);
	if (depth > limit)
		taken = printf("(level %" PRIu32 ") ", depth);
	else
		print_passing(tree, tree->view->parents[node]);
	if (depth > 0 && depth <= limit)
		fputs(tree->last[node] ? look->last : look->branch, stdout);
	heddle__style(look, HEDDLE_STYLE_PLAIN);
	return (size_t)taken;
}

static bool shows_counts(const struct tree *tree)
{
	const struct heddle_report *report = tree->report;
	bool room = !report->stats || report->look.width == 0 || report->look.width >= 120;
	return room && tree->view->values[report->counts] && report->metric != report->counts;
}

static void print_count(const struct tree *tree, uint32_t node)
{
	char text[32] = "";
	if (!shows_counts(tree))
		return;
	uint64_t count = tree->view->values[tree->report->counts][node];
	if (count)
		heddle__format_count(text, sizeof(text), count);
	printf(" %*s", heddle__value_width(tree->report->counts), text);
}

static size_t extras_width(const struct heddle_report *report)
{
	size_t width = 0;
	for (size_t i = 0; i < report->extra_count; i++)
		width += 1 + (size_t)heddle__value_width(report->extras[i].metric);
	return report->stats || (report->look.width && report->look.width < 72 + width) ? 0 : width;
}

static void print_extras(const struct tree *tree, uint32_t node)
{
	char text[32];
	const struct heddle_report *report = tree->report;
	for (size_t i = 0; extras_width(report) && i < report->extra_count; i++) {
		enum heddle_metric metric = report->extras[i].metric;
		uint64_t value = tree->extras[i] ? tree->extras[i][node] : 0;
		printf(" %*s", heddle__value_width(metric),
			value ? heddle__format_value(text, sizeof(text), value, heddle_metric_unit(metric)) : "-");
	}
}

static void print_row(const struct tree *tree, uint32_t node)
{
	char text[32];
	const char *unit = heddle_metric_unit(tree->report->metric);
	heddle__print_percent(tree->report, tree->sums[node], tree->sums[0]);
	putchar(' ');
	heddle__print_percent(tree->report, tree->view->values[tree->report->metric][node], tree->sums[0]);
	printf(" %*s", heddle__value_width(tree->report->metric),
		heddle__format_value(text, sizeof(text), tree->sums[node], unit));
	print_extras(tree, node);
	print_count(tree, node);
	if (tree->report->stats)
		heddle__print_spread(tree->report, &tree->spreads,
			&tree->spreads.of[tree->report->metric][HEDDLE_SPREAD_PATHS][node]);
	fputs("  ", stdout);
	size_t used = tree->numbers_width + print_indent(tree, node);
	heddle__print_label(tree->report, &tree->view->labels[tree->view->label_of[node]], used);
	putchar('\n');
}

/* A line of text below a node, at its name when there is room, else as far to the right as it goes. */
static void print_below(const struct tree *tree, uint32_t node, const char *text)
{
	const struct heddle_look *look = &tree->report->look;
	size_t used = tree->numbers_width + 3 * ((size_t)tree->depths[node] + 1), length = heddle__columns(text);
	heddle__style(look, HEDDLE_STYLE_DIM);
	if (tree->depths[node] <= indent_limit(tree) && (look->width == 0 || used + length <= look->width)) {
		printf("%*s", (int)tree->numbers_width, "");
		print_passing(tree, node);
		fputs(tree->below ? look->through : look->nothing, stdout);
	} else {
		used = look->width > length + 2 ? look->width - length : 2;
		printf("%*s", (int)used, "");
	}
	heddle__print_fitting(look, text, used);
	heddle__style(look, HEDDLE_STYLE_PLAIN);
	putchar('\n');
}

/* What values an argument of a user event had. */
static void print_argument(const struct tree *tree, uint32_t node, const struct heddle_distribution *one)
{
	const struct heddle_look *look = &tree->report->look;
	const char *const *strings = tree->report->session->measurement.tree.strings;
	char name[HEDDLE_NAME_LIMIT], least[32], mean[32], most[32], sum[32], count[32], text[HEDDLE_NAME_LIMIT + 256];
	heddle_argument_name(name, sizeof(name), one->text ? strings[one->text - 1] : "", one->argument);
	snprintf(text, sizeof(text), "%s  min %s%smean %s%smax %s%ssum %s (%s value%s)", name,
		heddle__format_number(least, sizeof(least), one->minimum), look->dot,
		heddle__format_number(mean, sizeof(mean), one->sum / (double)one->count), look->dot,
		heddle__format_number(most, sizeof(most), one->maximum), look->dot,
		heddle__format_number(sum, sizeof(sum), one->sum),
		heddle__format_count(count, sizeof(count), one->count), one->count == 1 ? "" : "s");
	print_below(tree, node, text);
}

static void print_arguments(const struct tree *tree, uint32_t node)
{
	size_t count;
	const struct heddle_distribution *of = heddle__distributions_of(&tree->view->distributions, node, &count);
	for (size_t i = 0; tree->report->arguments && i < count; i++)
		if (of[i].argument > 0)
			print_argument(tree, node, &of[i]);
}

static void print_heading(const struct tree *tree)
{
	heddle__style(&tree->report->look, HEDDLE_STYLE_DIM);
	const struct heddle_report *report = tree->report;
	printf("%7s %7s %*s", "total %", "self %", heddle__value_width(report->metric),
		heddle_metric_name(report->metric));
	for (size_t i = 0; extras_width(report) && i < report->extra_count; i++)
		printf(" %*s", heddle__value_width(report->extras[i].metric), report->extras[i].heading);
	if (shows_counts(tree))
		printf(" %*s", heddle__value_width(report->counts), heddle_metric_name(report->counts));
	if (tree->report->stats)
		heddle__print_spread_heading(tree->report);
	puts("  call path");
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
		print_arguments(tree, node);
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
	tree.numbers_width = NUMBERS_WIDTH + (size_t)heddle__value_width(report->metric);
	tree.numbers_width += shows_counts(&tree) ? 1 + (size_t)heddle__value_width(report->counts) : 0;
	tree.numbers_width += heddle__spread_width(report) + extras_width(report);
	for (size_t i = 0; i < report->extra_count; i++)
		tree.extras[i] = heddle_view_inclusive(view, report->extras[i].metric);
	if (!error && report->stats)
		error = heddle__spreads_make(&tree.spreads, report, false);
	if (!error)
		error = heddle_view_children_make(&tree.children, view, tree.sums);
	if (!error)
		tree.order = heddle_view_depth_first(view, &tree.children);
	if (tree.order)
		print_tree(&tree);
	error = error || tree.order ? error : -ENOMEM;
	heddle_spreads_free(&tree.spreads);
	for (size_t i = 0; i < report->extra_count; i++)
		free(tree.extras[i]);
	free(tree.sums);
	free(tree.order);
	free(tree.depths);
	free(tree.shown);
	free(tree.last);
	heddle_view_children_free(&tree.children);
	return error;
}
