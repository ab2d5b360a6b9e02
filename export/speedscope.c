/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * speedscope's own JSON (www.speedscope.app/file-format-schema.json): one "sampled" profile for the whole program and
 * one for each thread. Streamed, because the JSON tree of a library would have all stacks of all threads in memory.
 */
#include "export/formats.h"
#include "export/json_text.h"

#include "profile/view/view_walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct writer {
	const struct export_request *request;
	uint32_t *order; /* depth first, so equal stacks are adjacent */
	uint32_t *path;
	uint64_t *values; /* of the thread being written */
};

/* ---- parts ---- */

static void write_frames(const struct writer *writer)
{
	const struct profile_view *view = writer->request->view;
	FILE *out = writer->request->out;
	fputs("\"shared\":{\"frames\":[", out);
	for (size_t i = 0; i < view->label_count; i++) {
		const struct profile_label *label = &view->labels[i];
		fputs(i ? ",\n{\"name\":" : "\n{\"name\":", out);
		export_json_string(out, label->text);
		if (*label->file) {
			fputs(",\"file\":", out);
			export_json_string(out, label->file);
		}
		if (label->line)
			fprintf(out, ",\"line\":%" PRIu32, label->line);
		fputc('}', out);
	}
	fputs("]}", out);
}

static void write_stack(const struct writer *writer, uint32_t node)
{
	const struct profile_view *view = writer->request->view;
	FILE *out = writer->request->out;
	size_t depth = 0;
	for (uint32_t at = node; at != 0 || depth == 0; at = view->parents[at]) {
		writer->path[depth++] = at;
		if (at == 0)
			break;
	}
	fputc('[', out);
	while (depth-- > 0)
		fprintf(out, depth ? "%" PRIu32 "," : "%" PRIu32 "]", view->label_of[writer->path[depth]]);
}

static uint64_t write_stacks(const struct writer *writer, const uint64_t *values)
{
	uint64_t total = 0;
	const char *separator = "";
	fputs("\"samples\":[", writer->request->out);
	for (size_t i = 0; i < writer->request->view->node_count; i++) {
		uint32_t node = writer->order[i];
		if (!values[node])
			continue;
		fputs(separator, writer->request->out);
		write_stack(writer, node);
		total += values[node];
		separator = ",";
	}
	fputs("]", writer->request->out);
	return total;
}

static void write_weights(const struct writer *writer, const uint64_t *values)
{
	const char *separator = "";
	fputs(",\"weights\":[", writer->request->out);
	for (size_t i = 0; i < writer->request->view->node_count; i++) {
		uint64_t value = values[writer->order[i]];
		if (!value)
			continue;
		fprintf(writer->request->out, "%s%" PRIu64, separator, value);
		separator = ",";
	}
	fputs("]", writer->request->out);
}

static void write_profile(const struct writer *writer, const char *name, const uint64_t *values)
{
	FILE *out = writer->request->out;
	const char *unit = profile_metric_unit(writer->request->metric);
	bool time = strcmp(unit, "ns") == 0, bytes = strcmp(unit, "bytes") == 0;
	fputs("{\"type\":\"sampled\",\"name\":", out);
	export_json_string(out, name);
	fprintf(out, ",\"unit\":\"%s\",", time ? "nanoseconds" : bytes ? "bytes" : "none");
	uint64_t total = write_stacks(writer, values);
	write_weights(writer, values);
	fprintf(out, ",\"startValue\":0,\"endValue\":%" PRIu64 "}", total);
}

static int write_thread(void *context, const struct profile_thread_values *thread)
{
	struct writer *writer = context;
	const struct profile_view *view = writer->request->view;
	char name[256];
	memset(writer->values, 0, view->node_count * sizeof(*writer->values));
	for (size_t i = 0; i < thread->count; i++)
		writer->values[profile_view_holder(view, thread->nodes[i], writer->request->metric)] +=
			thread->values[i];
	const char *rank =
		profile_models_named(&writer->request->measurement->tree.models, thread->thread->rank_model)->rank;
	if (thread->thread->rank)
		snprintf(name, sizeof(name), "%s %" PRIu32 ", thread %" PRIu32 " of process %" PRIu64, rank,
			thread->thread->rank - 1, thread->thread->id, thread->process->info->pid);
	else
		snprintf(name, sizeof(name), "%s thread %" PRIu32 " of process %" PRIu64 "%s%s", thread->thread->role,
			thread->thread->id, thread->process->info->pid, *thread->thread->name ? ": " : "",
			thread->thread->name);
	fputs(",\n", writer->request->out);
	write_profile(writer, name, writer->values);
	return 0;
}

static int write_document(struct writer *writer)
{
	const struct export_request *request = writer->request;
	const struct profile_view *view = request->view;
	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"heddle\",\"name\":",
		request->out);
	export_json_string(request->out, view->labels[view->label_of[0]].text);
	fputs(",\"activeProfileIndex\":0,\n", request->out);
	write_frames(writer);
	fputs(",\n\"profiles\":[\n", request->out);
	write_profile(writer, "all threads", view->values[request->metric]);
	int error = 0;
	if (profile_metric_is_of_threads(request->metric))
		error = profile_measurement_threads(request->measurement, request->metric, write_thread, writer);
	fputs("\n]}\n", request->out);
	return error;
}

static int write_speedscope(const struct export_request *request)
{
	const struct profile_view *view = request->view;
	struct profile_view_children children;
	int error = profile_view_children_make(&children, view, NULL);
	if (error)
		return error;
	struct writer writer = {
		.request = request,
		.order = profile_view_depth_first(view, &children),
		.path = malloc((view->node_count + 1) * sizeof(*writer.path)),
		.values = malloc(view->node_count * sizeof(*writer.values)),
	};
	error = writer.order && writer.path && writer.values ? write_document(&writer) : -ENOMEM;
	free(writer.order);
	free(writer.path);
	free(writer.values);
	profile_view_children_free(&children);
	return error;
}

const struct export_format export_speedscope = {
	.name = "speedscope",
	.summary = "JSON for www.speedscope.app, one profile a thread and one for all",
	.next = "open it in https://www.speedscope.app",
	.needs_threads = true,
	.write = write_speedscope,
};
