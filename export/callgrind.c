/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Callgrind's profiles, for KCachegrind and callgrind_annotate: each function has its own costs by line, and its calls
 * with their inclusive costs. The cost of a call excludes what the calling function itself has further down, so own
 * costs and calls of a recursive function add up to its inclusive cost.
 */
#include "export/costs.h"
#include "export/utf8_text.h"

#include "profile/view/view_walk.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct writer {
	const struct export_request *request;
	FILE *out;
	struct profile_sites sites;
	size_t width;
	uint64_t *costs;     /* by site: exclusive */
	uint64_t *calls;     /* by site: of the call of the site */
	uint64_t *visits;    /* by site */
	uint64_t *of_label;  /* label << 32 | site, sorted */
	uint64_t *of_caller; /* likewise with the label of the site's parent; without site 0 */
	struct profile_intern files, modules;
	bool *has_name;       /* by label */
	const char **file_of; /* by label: the function's file */
	bool failed;          /* no memory */
	const char *file;     /* file of the costs being written */
};

static uint32_t label_of(const struct writer *writer, uint32_t site)
{
	return writer->request->view->label_of[writer->sites.items[site].node];
}

/* ---- names: a number, and at its first use the name ---- */

static void write_clean(struct writer *writer, const char *text)
{
	char *copy = export_utf8_copy(*text ? text : "???");
	if (copy)
		fputs(copy, writer->out);
	else
		writer->failed = true;
	free(copy);
}

static void write_interned(struct writer *writer, const char *what, struct profile_intern *names, const char *name)
{
	size_t known = names->count;
	uint32_t number = profile_intern(names, name);
	writer->failed = writer->failed || number == HEDDLE_INTERN_NONE;
	fprintf(writer->out, "%s=(%" PRIu32 ")", what, number + 1);
	if (number == known) {
		fputc(' ', writer->out);
		write_clean(writer, name);
	}
	fputc('\n', writer->out);
}

static void write_function(struct writer *writer, const char *what, uint32_t label)
{
	fprintf(writer->out, "%s=(%" PRIu32 ")", what, label + 1);
	if (!writer->has_name[label]) {
		fputc(' ', writer->out);
		write_clean(writer, writer->request->view->labels[label].text);
		writer->has_name[label] = true;
	}
	fputc('\n', writer->out);
}

/* Sets the file of the costs that follow: one that was included into the function's file, or that file again. */
static void change_file(struct writer *writer, const char *file, const char *own)
{
	file = *file ? file : own;
	if (strcmp(file, writer->file) == 0)
		return;
	write_interned(writer, strcmp(file, own) == 0 ? "fe" : "fi", &writer->files, file);
	writer->file = file;
}

/* ---- lines ---- */

static void write_costs(const struct writer *writer, uint32_t line, const uint64_t *costs)
{
	fprintf(writer->out, "%" PRIu32, line);
	for (size_t m = 0; m < writer->width; m++)
		fprintf(writer->out, " %" PRIu64, costs[m]);
	fputc('\n', writer->out);
}

static bool is_zero(const struct writer *writer, const uint64_t *costs)
{
	for (size_t m = 0; m < writer->width; m++)
		if (costs[m])
			return false;
	return true;
}

static void write_own(struct writer *writer, uint32_t site)
{
	const struct profile_site *at = &writer->sites.items[site];
	const uint64_t *costs = &writer->costs[site * writer->width];
	if (is_zero(writer, costs))
		return;
	change_file(writer, at->file, writer->file_of[label_of(writer, site)]);
	write_costs(writer, at->line, costs);
}

/* Readers ignore a call with a count of 0, so at least 1 is written. */
static void write_call(struct writer *writer, uint32_t site)
{
	const struct profile_site *caller = &writer->sites.items[writer->sites.items[site].parent];
	const struct profile_view *view = writer->request->view;
	const struct profile_label *callee = &view->labels[label_of(writer, site)];
	change_file(writer, caller->file, writer->file_of[view->label_of[caller->node]]);
	write_interned(writer, "cob", &writer->modules, callee->module);
	write_interned(writer, "cfi", &writer->files, writer->file_of[label_of(writer, site)]);
	write_function(writer, "cfn", label_of(writer, site));
	fprintf(writer->out, "calls=%" PRIu64 " %" PRIu32 "\n", writer->visits[site] ? writer->visits[site] : 1,
		callee->line);
	write_costs(writer, caller->line, &writer->calls[site * writer->width]);
}

/* Writes the costs and calls of one function. */
static void write_block(struct writer *writer, uint32_t label, size_t *own, size_t *call)
{
	const struct profile_label *of = &writer->request->view->labels[label];
	size_t count = writer->sites.count;
	writer->file = writer->file_of[label];
	fputc('\n', writer->out);
	write_interned(writer, "ob", &writer->modules, of->module);
	write_interned(writer, "fl", &writer->files, writer->file);
	write_function(writer, "fn", label);
	for (; *own < count && writer->of_label[*own] >> 32 == label; ++*own)
		write_own(writer, (uint32_t)writer->of_label[*own]);
	for (; *call < count - 1 && writer->of_caller[*call] >> 32 == label; ++*call)
		write_call(writer, (uint32_t)writer->of_caller[*call]);
}

static void write_blocks(struct writer *writer)
{
	size_t own = 0, call = 0;
	while (own < writer->sites.count)
		write_block(writer, (uint32_t)(writer->of_label[own] >> 32), &own, &call);
}

/* ---- header ---- */

/* Names of events must be words. */
static void write_event(const struct writer *writer, enum heddle_metric metric)
{
	for (const char *name = profile_metric_name(metric); *name; name++)
		fputc(isalnum((unsigned char)*name) ? *name : '_', writer->out);
}

static void write_header(struct writer *writer)
{
	const struct export_request *request = writer->request;
	fprintf(writer->out, "# callgrind format\nversion: 1\ncreator: heddle %s\ncmd: ", request->version);
	write_clean(writer, request->view->labels[request->view->label_of[0]].text);
	fputs("\npositions: line\n", writer->out);
	for (size_t m = 0; m < writer->width; m++) {
		fputs("event: ", writer->out);
		write_event(writer, request->metrics[m]);
		fputs(" : ", writer->out);
		write_clean(writer, profile_metric_name(request->metrics[m]));
		fputs(" (", writer->out);
		write_clean(writer, profile_metric_unit(request->metrics[m]));
		fputs(")\n", writer->out);
	}
	fputs("events:", writer->out);
	for (size_t m = 0; m < writer->width; m++) {
		fputc(' ', writer->out);
		write_event(writer, request->metrics[m]);
	}
	fputs("\nsummary:", writer->out);
	for (size_t m = 0; m < writer->width; m++)
		fprintf(writer->out, " %" PRIu64, profile_measurement_total(request->measurement, request->metrics[m]));
	fputc('\n', writer->out);
}

/* ---- inclusive costs ---- */

/* The innermost site of each function on the current path. */
struct recursion {
	uint32_t *stack;
	size_t depth;
	size_t *open;  /* by label: depth + 1 of the innermost site; 0: none */
	size_t *above; /* by depth: previous value of `open` */
};

static void close_site(struct recursion *recursion, const struct writer *writer)
{
	recursion->depth--;
	recursion->open[label_of(writer, recursion->stack[recursion->depth])] = recursion->above[recursion->depth];
}

/* If the function is already on the path, subtracts this cost from the call that led here from it. */
static void open_site(
	struct recursion *recursion, const struct writer *writer, uint32_t site, const uint64_t *inclusive)
{
	size_t *open = &recursion->open[label_of(writer, site)];
	recursion->stack[recursion->depth] = site;
	if (*open) {
		uint32_t call = recursion->stack[*open];
		for (size_t m = 0; m < writer->width; m++)
			writer->calls[call * writer->width + m] -= inclusive[site * writer->width + m];
	}
	recursion->above[recursion->depth] = *open;
	*open = ++recursion->depth;
}

/* Walks the sites depth first: `order` has the children of a site after it. */
static void prune_calls(
	const struct writer *writer, struct recursion *recursion, const uint32_t *order, const uint64_t *inclusive)
{
	for (size_t i = 0; i < writer->sites.count; i++) {
		uint32_t site = order[i];
		while (recursion->depth > 0 &&
			recursion->stack[recursion->depth - 1] != writer->sites.items[site].parent)
			close_site(recursion, writer);
		open_site(recursion, writer, site, inclusive);
	}
}

static int make_calls(struct writer *writer, const uint32_t *order)
{
	size_t count = writer->sites.count, size = count * writer->width * sizeof(uint64_t);
	uint64_t *inclusive = malloc(size);
	struct recursion recursion = {.stack = malloc(count * sizeof(*recursion.stack)),
		.above = malloc(count * sizeof(*recursion.above)),
		.open = calloc(writer->request->view->label_count, sizeof(*recursion.open))};
	int error = inclusive && recursion.stack && recursion.above && recursion.open ? 0 : -ENOMEM;
	if (!error) {
		memcpy(inclusive, writer->costs, size);
		for (size_t i = count; i-- > 1;)
			for (size_t m = 0; m < writer->width; m++)
				inclusive[writer->sites.items[i].parent * writer->width + m] +=
					inclusive[i * writer->width + m];
		memcpy(writer->calls, inclusive, size);
		prune_calls(writer, &recursion, order, inclusive);
	}
	free(inclusive);
	free(recursion.stack);
	free(recursion.above);
	free(recursion.open);
	return error;
}

/* ---- the document ---- */

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static void sort_sites(struct writer *writer)
{
	size_t count = writer->sites.count;
	for (uint32_t i = 0; i < count; i++) {
		writer->of_label[i] = (uint64_t)label_of(writer, i) << 32 | i;
		if (i > 0)
			writer->of_caller[i - 1] = (uint64_t)label_of(writer, writer->sites.items[i].parent) << 32 | i;
	}
	qsort(writer->of_label, count, sizeof(*writer->of_label), by_number);
	qsort(writer->of_caller, count - 1, sizeof(*writer->of_caller), by_number);
}

/* A function whose file is unknown is assigned to the file of its first line. */
static void find_files(struct writer *writer)
{
	const struct profile_view *view = writer->request->view;
	for (size_t i = 0; i < view->label_count; i++)
		writer->file_of[i] = view->labels[i].file;
	for (uint32_t i = 0; i < writer->sites.count; i++)
		if (!*writer->file_of[label_of(writer, i)])
			writer->file_of[label_of(writer, i)] = writer->sites.items[i].file;
}

static void count_visits(struct writer *writer)
{
	const struct profile_call_tree *tree = &writer->request->measurement->tree;
	const uint64_t *visits = tree->values[HEDDLE_METRIC_VISITS];
	for (uint32_t n = 0; visits && n < tree->node_count; n++)
		writer->visits[profile_site_holder(&writer->sites, n, HEDDLE_METRIC_VISITS)] += visits[n];
}

static int write_document(struct writer *writer)
{
	uint32_t *order = profile_sites_depth_first(&writer->sites);
	int error = order ? make_calls(writer, order) : -ENOMEM;
	free(order);
	if (error)
		return error;
	find_files(writer);
	count_visits(writer);
	sort_sites(writer);
	write_header(writer);
	write_blocks(writer);
	return writer->failed ? -ENOMEM : 0;
}

static int write_with_sites(struct writer *writer)
{
	size_t count = writer->sites.count;
	writer->costs = export_costs_sums(writer->request, &writer->sites);
	writer->calls = malloc(count * writer->width * sizeof(*writer->calls));
	writer->visits = calloc(count, sizeof(*writer->visits));
	writer->of_label = malloc(count * sizeof(*writer->of_label));
	writer->of_caller = malloc(count * sizeof(*writer->of_caller));
	writer->has_name = calloc(writer->request->view->label_count, sizeof(*writer->has_name));
	writer->file_of = calloc(writer->request->view->label_count, sizeof(*writer->file_of));
	bool ready = writer->costs && writer->calls && writer->visits && writer->of_label && writer->of_caller &&
		     writer->has_name && writer->file_of;
	return ready ? write_document(writer) : -ENOMEM;
}

static int write_callgrind(const struct export_request *request)
{
	struct writer writer = {.request = request, .out = request->out, .width = request->metric_count};
	int error =
		profile_sites_make(&writer.sites, request->view, &request->measurement->tree, request->naming, false);
	if (!error)
		error = write_with_sites(&writer);
	profile_sites_free(&writer.sites);
	profile_intern_free(&writer.files);
	profile_intern_free(&writer.modules);
	free(writer.costs);
	free(writer.calls);
	free(writer.visits);
	free(writer.of_label);
	free(writer.of_caller);
	free(writer.has_name);
	free(writer.file_of);
	return error;
}

const struct export_format export_callgrind = {
	.name = "callgrind",
	.summary = "functions, lines and calls with all metrics, for KCachegrind and callgrind_annotate",
	.next = "kcachegrind opens it",
	.several_metrics = true,
	.write = write_callgrind,
};
