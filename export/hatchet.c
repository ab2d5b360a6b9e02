/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The literal form of Hatchet's GraphFrame: a list of roots, each with frame, metrics and children. All nodes have the
 * same metrics, because the reader takes the metrics' names from one node. A literal has one row per node, with sums
 * over all threads.
 */
#include "export/costs.h"
#include "export/json_text.h"

#include "profile/view/view_walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct writer {
	const struct export_request *request;
	struct profile_view_children children;
	uint32_t *order, *depths;
	uint64_t *inclusive[HEDDLE_METRIC_LIMIT]; /* in the order of the request's metrics */
};

static bool is_time(enum heddle_metric metric)
{
	return strcmp(profile_metric_unit(metric), "ns") == 0;
}

/* Hatchet shows "time" by default. */
static const char *name_of(const struct export_request *request, size_t m)
{
	return m == 0 && is_time(request->metrics[0]) ? "time" : profile_metric_name(request->metrics[m]);
}

static void write_value(FILE *out, enum heddle_metric metric, uint64_t value)
{
	if (is_time(metric))
		fprintf(out, "%.9f", (double)value / 1e9);
	else
		fprintf(out, "%" PRIu64, value);
}

static void write_node(const struct writer *writer, uint32_t node)
{
	const struct export_request *request = writer->request;
	const struct profile_label *label = &request->view->labels[request->view->label_of[node]];
	FILE *out = request->out;
	fputs("{\"frame\":{\"name\":", out);
	export_json_string(out, profile_view_text(request->view, node));
	fprintf(out, ",\"type\":\"%s\"", export_kind_name(label->kind));
	if (*label->file) {
		fputs(",\"file\":", out);
		export_json_string(out, label->file);
		fprintf(out, ",\"line\":%" PRIu32, label->line);
	}
	fputs("},\"metrics\":{", out);
	for (size_t m = 0; m < request->metric_count; m++) {
		enum heddle_metric metric = request->metrics[m];
		const uint64_t *own = request->view->values[metric];
		fprintf(out, "%s\"%s\":", m ? "," : "", name_of(request, m));
		write_value(out, metric, own ? own[node] : 0);
		fprintf(out, ",\"%s (inc)\":", name_of(request, m));
		write_value(out, metric, writer->inclusive[m] ? writer->inclusive[m][node] : 0);
	}
	fputs("},\"children\":[", out);
}

static void write_all(const struct writer *writer)
{
	FILE *out = writer->request->out;
	uint32_t open = 0;
	fputs("[", out);
	for (size_t i = 0; i < writer->request->view->node_count; i++) {
		uint32_t depth = writer->depths[writer->order[i]];
		bool sibling = i > 0 && open > depth;
		for (; open > depth; open--)
			fputs("]}", out);
		fputs(sibling ? ",\n" : "\n", out);
		write_node(writer, writer->order[i]);
		open = depth + 1;
	}
	for (; open > 0; open--)
		fputs("]}", out);
	fputs("]\n", out);
}

static int write_hatchet(const struct export_request *request)
{
	struct writer writer = {.request = request};
	int error = profile_view_children_make(&writer.children, request->view, NULL);
	if (error)
		return error;
	writer.order = profile_view_depth_first(request->view, &writer.children);
	writer.depths = profile_view_depths(request->view);
	error = writer.order && writer.depths ? 0 : -ENOMEM;
	for (size_t m = 0; !error && m < request->metric_count; m++) {
		if (!request->view->values[request->metrics[m]])
			continue;
		writer.inclusive[m] = profile_view_inclusive(request->view, request->metrics[m]);
		error = writer.inclusive[m] ? 0 : -ENOMEM;
	}
	if (!error)
		write_all(&writer);
	for (size_t m = 0; m < request->metric_count; m++)
		free(writer.inclusive[m]);
	free(writer.order);
	free(writer.depths);
	profile_view_children_free(&writer.children);
	return error;
}

const struct export_format export_hatchet = {
	.name = "hatchet",
	.summary = "call-path tree for Hatchet's GraphFrame.from_literal",
	.next = "docs/python.md shows how to read it",
	.several_metrics = true,
	.write = write_hatchet,
};
