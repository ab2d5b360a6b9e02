/* SPDX-License-Identifier: BSD-3-Clause */
/* What views need beyond values by path: kinds of regions, sizes of accesses; and all such members together. */
#include "export/html_views.h"

#include "export/json_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- regions ---- */

struct region {
	uint32_t model; /* number + 1; 0: not known */
	uint32_t category;
};

/* Labels that several models use have that of the last node. */
static struct region *find_regions(const struct export_request *request)
{
	const struct profile_call_tree *tree = &request->measurement->tree;
	const struct profile_view *view = request->view;
	struct region *regions = calloc(view->label_count + 1, sizeof(*regions));
	for (size_t i = 0; regions && i < tree->node_count; i++) {
		const struct profile_node *node = &tree->nodes[i];
		struct region *region = &regions[view->label_of[view->of_node[i]]];
		if (node->kind == HEDDLE_NODE_REGION)
			*region = (struct region){
				tree->events[node->event].number + 1, tree->events[node->event].category};
		else if (node->kind == HEDDLE_NODE_STATE && node->place < tree->models.count)
			*region = (struct region){(uint32_t)node->place + 1, HEDDLE_CATEGORY_OTHER};
	}
	return regions;
}

/* {"models":[name],"label":[],"model":[],"category":[]}: rows of labels. */
int export_page_regions(const struct export_page *page, FILE *out)
{
	const struct profile_models *models = &page->request->measurement->tree.models;
	size_t count = page->request->view->label_count;
	struct region *regions = find_regions(page->request);
	if (!regions)
		return -ENOMEM;
	fputs("\"regions\":{\"models\":[", out);
	for (size_t i = 0; i < models->count; i++) {
		fputs(i ? "," : "", out);
		export_json_string(out, i ? models->items[i].name : "");
	}
	static const char *const columns[] = {"label", "model", "category"};
	for (size_t c = 0; c < sizeof(columns) / sizeof(*columns); c++) {
		const char *separator = "";
		fprintf(out, "],\n\"%s\":[", columns[c]);
		for (size_t i = 0; i < count; i++) {
			if (!regions[i].model)
				continue;
			fprintf(out, "%s%zu", separator,
				c == 0   ? i
				: c == 1 ? (size_t)regions[i].model - 1
					 : (size_t)regions[i].category);
			separator = ",";
		}
	}
	fputs("]}", out);
	free(regions);
	return 0;
}

/* ---- sizes ---- */

static void write_size(FILE *out, double size)
{
	fprintf(out, ",%.17g", isfinite(size) ? size : 0);
}

/* [[node, accesses, least, most, sum, first bucket, buckets from there on ...], ...] */
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

/* ---- all ---- */

int export_page_more(const struct export_page *page, FILE *out)
{
	static int (*const members[])(const struct export_page *, FILE *) = {
		export_page_about, export_page_regions, export_page_sizes, export_page_pairs, export_page_timeline};
	int error = 0;
	fputs("\"more\":{", out);
	for (size_t i = 0; !error && i < sizeof(members) / sizeof(*members); i++) {
		fputs(i ? ",\n" : "", out);
		error = members[i](page, out);
	}
	fputs("}", out);
	return error;
}
