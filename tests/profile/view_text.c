/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/profile/view_text.h"

#include "profile/file/old_models.h"
#include "profile/view/view_sites.h"
#include "profile/view/view_walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 64 /* of nodes, functions, strings */
#define SPOTS 8

struct view_text {
	struct profile_measurement measurement;
	struct profile_naming naming;
	struct profile_node nodes[ROOM];
	struct profile_function functions[ROOM];
	struct profile_place_name places[ROOM];
	struct profile_spot spots[ROOM][SPOTS];
	const struct profile_place_name *of_node[ROOM];
	const char *strings[ROOM];
	struct profile_code_module modules[4];
	char *texts[ROOM * 4]; /* to be freed */
	size_t function_count, text_count;
};

enum { NO_MODULE, EXECUTABLE, LIBRARY, RUNTIME, MODULES };

static struct profile_event_kind events[] = {
	{"openmp", "parallel", "omp parallel", HEDDLE_CATEGORY_PARALLEL, false, 0, 0},
	{"openmp", "barrier", "omp barrier", HEDDLE_CATEGORY_BARRIER, false, 0, 0},
	{"openmp", "loop", "omp loop", HEDDLE_CATEGORY_WORKSHARE, false, 0, 0},
	{"openmp", "masked", "omp masked", HEDDLE_CATEGORY_OTHER, false, 0, 0},
	{"upc", "get", "get", HEDDLE_CATEGORY_COMMUNICATION, false, 0, 0},
	{"upc", "upc-barrier", "barrier", HEDDLE_CATEGORY_BARRIER, false, 0, 0},
};
#define EVENTS (sizeof(events) / sizeof(*events))

/* The events of UPC are part of a tree only if a line names one, because they imply another name for main. */
#define EVENTS_WITHOUT_UPC 4

/* ---- reading ---- */

static const char *keep(struct view_text *text, const char *from, size_t length)
{
	assert_true(text->text_count < ROOM * 4);
	return text->texts[text->text_count++] = strndup(from, length);
}

/* Returns the next word, kept until free_view; "" at the end of the line. */
static const char *word(struct view_text *text, char **at)
{
	*at += strspn(*at, " ");
	size_t length = strcspn(*at, " \n");
	const char *found = keep(text, *at, length);
	*at += length;
	return found;
}

/* Splits "a.c:10" into "a.c" and 10. */
static const char *file_and_line(struct view_text *text, const char *from, uint32_t *line)
{
	const char *colon = strrchr(from, ':');
	assert_non_null(colon);
	*line = (uint32_t)strtoul(colon + 1, NULL, 10);
	return keep(text, from, (size_t)(colon - from));
}

static struct profile_function *function(struct view_text *text, const char *name)
{
	for (size_t i = 0; i < text->function_count; i++)
		if (strcmp(text->functions[i].linkage, name) == 0)
			return &text->functions[i];
	assert_true(text->function_count < ROOM);
	struct profile_function *added = &text->functions[text->function_count++];
	*added = (struct profile_function){
		.name = name, .linkage = name, .module = "/opt/a", .file = "a.c", .line = 1, .known = true};
	return added;
}

static void define(struct view_text *text, char *at)
{
	struct profile_function *defined = function(text, word(text, &at));
	defined->file = file_and_line(text, word(text, &at), &defined->line);
	for (const char *mark = word(text, &at); *mark; mark = word(text, &at)) {
		defined->outlined |= strcmp(mark, "outlined") == 0;
		defined->only_reports |= strcmp(mark, "heddle") == 0;
		defined->known &= strcmp(mark, "unknown") != 0;
		if (strncmp(mark, "as=", 3) == 0)
			defined->name = mark + 3;
	}
}

static uint64_t string(struct view_text *text, const char *wanted)
{
	size_t i = 0;
	while (i < text->measurement.tree.string_count && strcmp(text->strings[i], wanted) != 0)
		i++;
	assert_true(i < ROOM);
	text->strings[i] = wanted;
	if (i == text->measurement.tree.string_count)
		text->measurement.tree.string_count++;
	return i;
}

static void mark_place(struct profile_place_name *place, struct profile_node *node, const char *mark)
{
	place->starts_program |= strcmp(mark, "{start}") == 0;
	place->of_runtime |= strcmp(mark, "{upc}") == 0;
	place->is_main |= strcmp(mark, "{upc-main}") == 0;
	if (strcmp(mark, "{entry}") == 0)
		place->from_start = 0;
	if (strcmp(mark, "{libc}") == 0)
		node->place = HEDDLE_PLACE(LIBRARY, HEDDLE_PLACE_OFFSET(node->place));
	if (strcmp(mark, "{runtime}") == 0)
		node->place = HEDDLE_PLACE(RUNTIME, HEDDLE_PLACE_OFFSET(node->place));
}

static void read_spots(struct view_text *text, uint32_t node, char *at)
{
	size_t number = text->naming.place_count;
	struct profile_place_name *place = &text->places[number];
	struct profile_node *of = &text->nodes[node];
	of->place = HEDDLE_PLACE(EXECUTABLE, 0x1000 + 16 * number);
	*place = (struct profile_place_name){.spots = text->spots[number], .from_start = 16};
	for (const char *name = word(text, &at); *name; name = word(text, &at)) {
		if (strcmp(name, ">") == 0)
			continue;
		if (*name == '{') {
			mark_place(place, of, name);
			continue;
		}
		assert_true(place->count < SPOTS);
		struct profile_spot *spot = &text->spots[number][place->count++];
		spot->function = function(text, name);
		spot->file = file_and_line(text, word(text, &at), &spot->line);
	}
	if (!place->count)
		return;
	place->place = of->place;
	text->of_node[node] = place;
	text->naming.place_count++;
}

static uint32_t event(struct view_text *text, const char *name)
{
	uint32_t i = 0;
	while (i < EVENTS && strcmp(events[i].name, name) != 0)
		i++;
	assert_true(i < EVENTS);
	if (i >= EVENTS_WITHOUT_UPC)
		text->measurement.tree.event_count = EVENTS;
	return i;
}

static uint32_t state(const char *name)
{
#define X(number, id, label)        \
	if (strcmp(name, #id) == 0) \
		return number;
	HEDDLE_STATES(X)
#undef X
	fail_msg("no state %s", name);
	return 0;
}

static void read_node(struct view_text *text, uint32_t node, const char *kind, char *at)
{
	struct profile_node *of = &text->nodes[node];
	uint32_t line;
	if (strcmp(kind, "frame") == 0 || strcmp(kind, "outlined") == 0 || strcmp(kind, "runtime") == 0) {
		of->kind = *kind == 'f'   ? HEDDLE_NODE_FRAME
			   : *kind == 'o' ? HEDDLE_NODE_OUTLINED_FRAME
					  : HEDDLE_NODE_RUNTIME_FRAME;
		read_spots(text, node, at);
	} else if (strcmp(kind, "region") == 0) {
		of->kind = HEDDLE_NODE_REGION;
		of->event = event(text, word(text, &at));
		read_spots(text, node, at);
	} else if (strcmp(kind, "source") == 0) {
		of->kind = HEDDLE_NODE_REGION;
		of->event = event(text, word(text, &at));
		uint64_t file = string(text, file_and_line(text, word(text, &at), &line));
		of->place = HEDDLE_SOURCE_PLACE(file, line);
	} else if (strcmp(kind, "state") == 0) {
		of->kind = HEDDLE_NODE_STATE;
		of->event = state(word(text, &at));
		of->place = profile_models_find(&text->measurement.tree.models, profile_old_model_of_state(of->event));
	} else {
		assert_true(strcmp(kind, "phase") == 0 || strcmp(kind, "told") == 0);
		of->kind = *kind == 'p' ? HEDDLE_NODE_PHASE : HEDDLE_NODE_FUNCTION;
		of->place = string(text, word(text, &at));
	}
}

static void read_values(struct view_text *text, uint32_t node, char *at)
{
	for (const char *name = word(text, &at); *name; name = word(text, &at)) {
		int metric = profile_metric_find(name);
		assert_true(metric >= 0);
		uint64_t **values = &text->measurement.tree.values[metric];
		if (!*values)
			*values = calloc(ROOM, sizeof(**values));
		(*values)[node] = strtoull(word(text, &at), NULL, 10);
	}
}

static void read_line(struct view_text *text, char *line, uint32_t *path)
{
	size_t depth = strspn(line, " ") / 2;
	char *values = strstr(line, " | "), *at = line;
	if (values)
		*values = '\0';
	const char *kind = word(text, &at);
	if (strcmp(kind, "def") == 0) {
		define(text, at);
		return;
	}
	if (strcmp(kind, "section") == 0) {
		text->naming.runtime = true;
		return;
	}
	uint32_t node = (uint32_t)text->measurement.tree.node_count++;
	assert_true(node < ROOM);
	text->nodes[node].parent = path[depth];
	path[depth + 1] = node;
	read_node(text, node, kind, at);
	if (values)
		read_values(text, node, values + 3);
}

static struct view_text *read_text(const char *from)
{
	struct view_text *text = calloc(1, sizeof(*text));
	struct profile_call_tree *tree = &text->measurement.tree;
	uint32_t path[ROOM] = {0};
	char *copy = strdup(from), *rest = copy, *line;
	text->modules[NO_MODULE] = (struct profile_code_module){.path = ""};
	text->modules[EXECUTABLE] = (struct profile_code_module){.path = "/opt/a", .role = HEDDLE_CODE_EXECUTABLE};
	text->modules[LIBRARY] = (struct profile_code_module){.path = "/lib/libc.so.6", .role = HEDDLE_CODE_LIBC};
	text->modules[RUNTIME] = (struct profile_code_module){.path = "/lib/libomp.so.5", .role = HEDDLE_CODE_RUNTIME};
	assert_int_equal(profile_old_models_add(&tree->models), 0);
	for (size_t i = 0; i < EVENTS; i++)
		events[i].number = profile_models_find(&tree->models, events[i].model);
	text->nodes[0].kind = HEDDLE_NODE_ROOT;
	tree->modules = text->modules;
	tree->module_count = MODULES;
	tree->events = events;
	tree->event_count = EVENTS_WITHOUT_UPC;
	tree->strings = text->strings;
	tree->nodes = text->nodes;
	tree->node_count = 1;
	text->naming.places = text->places;
	text->naming.of_node = text->of_node;
	while ((line = strsep(&rest, "\n")))
		if (*line)
			read_line(text, line, path);
	free(copy);
	return text;
}

static void free_text(struct view_text *text)
{
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
		free(text->measurement.tree.values[m]);
	for (size_t i = 0; i < text->text_count; i++)
		free(text->texts[i]);
	profile_models_free(&text->measurement.tree.models);
	free(text);
}

/* ---- views ---- */

/* Checks that no value is lost or counted twice, by the sums of exclusive and of inclusive values. */
static void check_sums(const struct profile_call_tree *tree, const struct profile_view *view)
{
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
		uint64_t of_tree = 0, of_view = 0;
		for (size_t i = 0; tree->values[m] && i < tree->node_count; i++)
			of_tree += tree->values[m][i];
		for (size_t i = 0; view->values[m] && i < view->node_count; i++)
			of_view += view->values[m][i];
		assert_int_equal(of_tree, of_view);
		uint64_t *inclusive = profile_view_inclusive(view, m);
		assert_int_equal(inclusive ? inclusive[0] : 0, of_tree);
		free(inclusive);
	}
}

/* Checks that a site is below the site of its node's parent, and that each node of the tree has a site of its node. */
static void check_sites(const struct view_text *text, const struct profile_view *view, bool places)
{
	const struct profile_call_tree *tree = &text->measurement.tree;
	struct profile_sites sites;
	assert_int_equal(profile_sites_make(&sites, view, tree, &text->naming, places), 0);
	assert_int_equal(sites.items[0].node, 0);
	for (uint32_t s = 1; s < sites.count; s++) {
		const struct profile_site *site = &sites.items[s];
		assert_true(site->parent < s);
		assert_int_equal(sites.items[site->parent].node, view->parents[site->node]);
		assert_true(!site->inlined || site->place == sites.items[site->parent].place);
		assert_int_equal(site->line == 0, *site->file == '\0');
	}
	for (uint32_t n = 0; n < tree->node_count; n++) {
		assert_int_equal(sites.items[sites.of_node[n]].node, view->of_node[n]);
		assert_int_equal(sites.items[sites.inside[n]].node, view->inside[n]);
	}
	profile_sites_free(&sites);
}

/* Returns the line of a node of the view with lines; 0 if it has none. */
static uint32_t line_shown(const struct profile_view *lines, uint32_t node, const char **file)
{
	const struct profile_label *label = &lines->labels[lines->label_of[node]];
	const char *colon = strrchr(label->text, ':');
	bool shown = colon && label->line && strtoul(colon + 1, NULL, 10) == label->line;
	*file = shown ? label->file : "";
	return shown ? label->line : 0;
}

/* Checks that the line of a node's samples is the same in the sites of one view and in the labels of the other. */
static void check_lines(const struct view_text *text)
{
	const struct profile_call_tree *tree = &text->measurement.tree;
	struct profile_view functions, lines;
	struct profile_sites sites;
	assert_int_equal(profile_view_make(&functions, &text->measurement, &text->naming, &USER_LEVEL), 0);
	assert_int_equal(profile_view_make(&lines, &text->measurement, &text->naming, &WITH_LINES), 0);
	assert_int_equal(profile_sites_make(&sites, &functions, tree, &text->naming, false), 0);
	for (uint32_t n = 0; n < tree->node_count; n++) {
		const struct profile_site *site = &sites.items[sites.inside[n]];
		const char *file;
		if (!tree->values[HEDDLE_METRIC_SAMPLES] || !tree->values[HEDDLE_METRIC_SAMPLES][n])
			continue;
		assert_int_equal(site->line, line_shown(&lines, lines.inside[n], &file));
		assert_string_equal(site->file, file);
	}
	profile_sites_free(&sites);
	profile_view_free(&lines);
	profile_view_free(&functions);
}

void make_view(struct view_from_text *made, const char *text, struct profile_view_options options)
{
	made->text = read_text(text);
	const struct profile_measurement *measurement = &made->text->measurement;
	assert_int_equal(profile_view_make(&made->view, measurement, &made->text->naming, &options), 0);
	check_sums(&measurement->tree, &made->view);
	for (size_t i = 1; i < made->view.node_count; i++)
		assert_true(made->view.parents[i] < i);
	check_sites(made->text, &made->view, false);
	check_sites(made->text, &made->view, true);
	check_lines(made->text);
}

void free_view(struct view_from_text *made)
{
	profile_view_free(&made->view);
	free_text(made->text);
}

static void print_site(FILE *out, const struct view_from_text *made, const struct profile_sites *sites, uint32_t number)
{
	const struct profile_site *site = &sites->items[number];
	for (uint32_t at = site->parent; at != 0; at = sites->items[at].parent)
		fputs("  ", out);
	fputs(made->view.labels[made->view.label_of[site->node]].text, out);
	if (site->line)
		fprintf(out, " at %s:%" PRIu32, site->file, site->line);
	fputs(site->inlined ? " inlined\n" : "\n", out);
}

char *print_sites(const struct view_from_text *made)
{
	const struct view_text *text = made->text;
	struct profile_sites sites;
	char *result = NULL;
	size_t size;
	FILE *out = open_memstream(&result, &size);
	assert_int_equal(profile_sites_make(&sites, &made->view, &text->measurement.tree, &text->naming, true), 0);
	uint32_t *order = profile_sites_depth_first(&sites);
	for (size_t i = 1; i < sites.count; i++)
		print_site(out, made, &sites, order[i]);
	free(order);
	profile_sites_free(&sites);
	fclose(out);
	return result;
}

/* Marks the nodes that have values themselves or below them. */
static bool *mark_used(const struct profile_view *view)
{
	bool *used = calloc(view->node_count, sizeof(*used));
	for (uint32_t i = (uint32_t)view->node_count; i-- > 0;) {
		for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
			used[i] = used[i] || (view->values[m] && view->values[m][i]);
		if (i > 0)
			used[view->parents[i]] |= used[i] && view->parents[i] != 0;
	}
	return used;
}

static void print_node(FILE *out, const struct profile_view *view, uint32_t node, uint32_t depth)
{
	const char *separator = " |";
	fprintf(out, "%*s%s", (int)(2 * depth), "", profile_view_text(view, node));
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
		if (!view->values[m] || !view->values[m][node])
			continue;
		fprintf(out, "%s %s %" PRIu64, separator, profile_metric_name(m), view->values[m][node]);
		separator = "";
	}
	fputc('\n', out);
}

char *print_view(const struct profile_view *view)
{
	char *text = NULL;
	size_t size;
	struct profile_view_children children;
	uint64_t *sums = profile_view_inclusive(view, HEDDLE_METRIC_SAMPLES);
	FILE *out = open_memstream(&text, &size);
	assert_int_equal(profile_view_children_make(&children, view, sums), 0);
	uint32_t *order = profile_view_depth_first(view, &children), *depths = profile_view_depths(view);
	bool *used = mark_used(view);
	for (size_t i = 0; i < view->node_count; i++)
		if (used[order[i]])
			print_node(out, view, order[i], depths[order[i]] - (i > 0));
	fclose(out);
	free(used);
	free(order);
	free(depths);
	free(sums);
	profile_view_children_free(&children);
	return text;
}

void check_view(const char *text, struct profile_view_options options, const char *wanted)
{
	struct view_from_text made;
	make_view(&made, text, options);
	char *got = print_view(&made.view);
	assert_string_equal(got, wanted);
	free(got);
	free_view(&made);
}
