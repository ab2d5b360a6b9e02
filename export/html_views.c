/* SPDX-License-Identifier: BSD-3-Clause */
/* Data for views besides values by path: kinds of regions, sizes of accesses; and the object of all such members. */
#include "export/html_views.h"

#include "export/json_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- regions ---- */

/* Returns the number of the model + 1 by label; 0: unknown. A label of several models has that of the last node. */
static uint32_t *find_models(const struct export_request *request)
{
	const struct profile_call_tree *tree = &request->measurement->tree;
	const struct profile_view *view = request->view;
	uint32_t *models = calloc(view->label_count + 1, sizeof(*models));
	for (size_t i = 0; models && i < tree->node_count; i++)
		if (tree->nodes[i].kind == HEDDLE_NODE_REGION)
			models[view->label_of[view->of_node[i]]] = tree->events[tree->nodes[i].event].number + 1;
	return models;
}

static void write_column(FILE *out, const uint32_t *of_label, size_t count, bool model)
{
	const char *separator = "";
	for (size_t i = 0; i < count; i++) {
		if (!of_label[i])
			continue;
		fprintf(out, "%s%zu", separator, model ? of_label[i] - (size_t)1 : i);
		separator = ",";
	}
}

/* Writes {"models":[name],"label":[],"model":[]}, with a row for each label of a region. */
int export_page_regions(const struct export_page *page, FILE *out)
{
	const struct profile_models *models = &page->request->measurement->tree.models;
	size_t count = page->request->view->label_count;
	uint32_t *of_label = find_models(page->request);
	if (!of_label)
		return -ENOMEM;
	fputs("\"regions\":{\"models\":[", out);
	for (size_t i = 0; i < models->count; i++) {
		fputs(i ? "," : "", out);
		export_json_string(out, i ? models->items[i].name : "");
	}
	fputs("],\n\"label\":[", out);
	write_column(out, of_label, count, false);
	fputs("],\n\"model\":[", out);
	write_column(out, of_label, count, true);
	fputs("]}", out);
	free(of_label);
	return 0;
}

/* ---- sizes ---- */

static void write_size(FILE *out, double size)
{
	fprintf(out, ",%.17g", isfinite(size) ? size : 0);
}

/* Writes [[node, accesses, least, most, sum, first bucket, buckets from there on ...], ...]. */
int export_page_sizes(const struct export_page *page, FILE *out)
{
	const struct profile_distributions *set = &page->request->view->distributions;
	const char *separator = "";
	fputs("\"sizes\":[", out);
	for (size_t i = 0; i < set->count; i++) {
		const struct profile_distribution *one = &set->items[i];
		if (one->argument != 0 || !one->count)
			continue;
		fprintf(out, "%s[%" PRIu32 ",%" PRIu64, separator, one->node, one->count);
		separator = ",\n";
		write_size(out, one->minimum);
		write_size(out, one->maximum);
		write_size(out, one->sum);
		int first = 0, end = one->buckets ? HEDDLE_SIZE_BUCKETS : 0;
		while (first < end && !one->buckets[first])
			first++;
		while (end > first && !one->buckets[end - 1])
			end--;
		fprintf(out, ",%d", first);
		for (int b = first; b < end; b++)
			fprintf(out, ",%" PRIu64, one->buckets[b]);
		fputc(']', out);
	}
	fputc(']', out);
	return 0;
}

/* ---- all members ---- */

int export_page_more(const struct export_page *page, FILE *out)
{
	static int (*const members[])(const struct export_page *, FILE *) = {export_page_about, export_page_regions,
		export_page_sizes, export_page_pairs, export_page_exchanges, export_page_timeline, export_page_waits,
		export_page_efficiency};
	int error = 0;
	fputs("\"more\":{", out);
	for (size_t i = 0; !error && i < sizeof(members) / sizeof(*members); i++) {
		fputs(i ? ",\n" : "", out);
		error = members[i](page, out);
	}
	fputs("}", out);
	return error;
}
