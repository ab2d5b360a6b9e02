/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heddle's own JSON, for programs: docs/json-export.schema.json describes it. Later versions only add members; a
 * version that changes the meaning of an existing member has another number.
 */
#include "analysis/late.h"
#include "export/costs.h"
#include "export/findings.h"
#include "export/json_efficiency.h"
#include "export/json_exchanges.h"
#include "export/json_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA_VERSION 1

struct writer {
	const struct export_request *request;
	FILE *out;
	struct profile_sites sites;
	const char *separator;
	size_t process; /* of the last thread */
	const struct profile_process *last;
	const struct profile_thread **threads; /* by their number in the file */
	size_t thread_count, thread_capacity;
};

/* ---- parts ---- */

/* Writes `,"name":"text"`, or nothing if the text is empty. */
static void write_text(FILE *out, const char *name, const char *text)
{
	if (!*text)
		return;
	fprintf(out, ",\"%s\":", name);
	export_json_string(out, text);
}

static void write_metrics(struct writer *writer)
{
	FILE *out = writer->out;
	fputs("\"metrics\":[", out);
	for (size_t m = 0; m < writer->request->metric_count; m++) {
		enum heddle_metric metric = writer->request->metrics[m];
		fputs(m ? ",\n{\"name\":" : "\n{\"name\":", out);
		export_json_string(out, profile_metric_name(metric));
		fprintf(out, ",\"unit\":\"%s\"", profile_metric_unit(metric));
		fprintf(out, ",\"of_threads\":%s", profile_metric_is_of_threads(metric) ? "true" : "false");
		write_text(out, "meaning", profile_metric_meaning(metric));
		fputc('}', out);
	}
	fputs("],\n", out);
}

static void write_process(FILE *out, const Heddle__Profile__Process *info)
{
	fprintf(out, "{\"pid\":%" PRIu64, info->pid);
	fputs(",\"program\":", out);
	export_json_string(out, info->program);
	fputc(',', out);
	export_json_strings(out, "arguments", (const char *const *)info->arguments, info->n_arguments);
	write_text(out, "host", info->host);
	fprintf(out, ",\"start_unix_ns\":%" PRIu64 ",\"duration_ns\":%" PRIu64 ",\"cpu_ns\":%" PRIu64,
		info->start_unix_ns, info->duration_ns, info->cpu_ns);
	write_text(out, "ended_by", info->ended_by);
	fprintf(out, ",\"sample_hz\":%" PRIu64 ",", info->sample_hz);
	export_json_strings(out, "notes", (const char *const *)info->note, info->n_note);
	fputc('}', out);
}

static void write_processes(struct writer *writer)
{
	const struct profile_measurement *measurement = writer->request->measurement;
	const char *separator = "\n";
	fputs("\"processes\":[", writer->out);
	for (size_t p = 0; p < measurement->process_count; p++) {
		if (measurement->processes[p].error)
			continue;
		fputs(separator, writer->out);
		separator = ",\n";
		write_process(writer->out, measurement->processes[p].info);
	}
	fputs("],\n", writer->out);
}

/* Writes values by state and metric, as reports of threads show them; merged files have them, too. */
static void write_states(struct writer *writer, const struct profile_thread *thread)
{
	const char *separator = "";
	fputs(",\"states\":{", writer->out);
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		bool any = false;
		for (size_t m = 0; m < writer->request->metric_count; m++)
			any = any || profile_thread_value(thread, writer->request->metrics[m], s);
		if (!any)
			continue;
		fprintf(writer->out, "%s\"%s\":[", separator, profile_state_label(s));
		for (size_t m = 0; m < writer->request->metric_count; m++)
			fprintf(writer->out, m ? ",%" PRIu64 : "%" PRIu64,
				profile_thread_value(thread, writer->request->metrics[m], s));
		fputc(']', writer->out);
		separator = ",";
	}
	fputs("}}", writer->out);
}

static int write_thread(
	void *context, const struct profile_process *process, const struct profile_thread *thread, size_t number)
{
	struct writer *writer = context;
	FILE *out = writer->out;
	char name[256];
	if (profile_reserve(&writer->threads, &writer->thread_capacity, number + 1, sizeof(*writer->threads)) != 0)
		return -ENOMEM;
	writer->threads[number] = thread;
	writer->thread_count = number + 1;
	writer->process += writer->last && writer->last != process;
	writer->last = process;
	export_row_name(writer->request, thread, name, sizeof(name));
	fprintf(out, "%s{\"process\":%zu,\"id\":%" PRIu32 ",\"tid\":%" PRIu64 ",\"label\":", number ? ",\n" : "\n",
		writer->process, thread->id, thread->tid);
	export_json_string(out, name);
	write_text(out, "role", thread->role);
	write_text(out, "name", thread->name);
	write_text(out, "model", thread->model);
	if (thread->rank)
		fprintf(out, ",\"rank\":%" PRIu32, thread->rank - 1);
	write_text(out, "rank_model", thread->rank_model);
	if (thread->number >= 0)
		fprintf(out, ",\"team_number\":%" PRId32, thread->number);
	fprintf(out,
		",\"threads\":%" PRIu32 ",\"start_ns\":%" PRIu64 ",\"end_ns\":%" PRIu64 ",\"wall_ns\":%" PRIu64
		",\"cpu_ns\":%" PRIu64,
		profile_thread_number(thread), thread->start_ns, thread->end_ns, thread->wall_ns, thread->cpu_ns);
	write_states(writer, thread);
	return 0;
}

/* ---- tables ---- */

/* Returns the numbers of the trace's threads in the file; SIZE_MAX: not in the profile. NULL: no memory. */
static size_t *number_traced(const struct writer *writer)
{
	const struct profile_trace *trace = writer->request->trace;
	size_t *numbers = malloc((trace->thread_count + 1) * sizeof(*numbers));
	for (size_t t = 0; numbers && t < trace->thread_count; t++) {
		size_t number = 0;
		while (number < writer->thread_count && writer->threads[number] != trace->threads[t].row)
			number++;
		numbers[t] = number < writer->thread_count ? number : SIZE_MAX;
	}
	return numbers;
}

static void write_number(FILE *out, const char *name, size_t number)
{
	if (number == SIZE_MAX)
		fprintf(out, ",\"%s\":null", name);
	else
		fprintf(out, ",\"%s\":%zu", name, number);
}

static void write_late_row(FILE *out, const struct heddle_late_row *row, const size_t *numbers)
{
	fprintf(out,
		"{\"kind\":\"%s\",\"function\":%" PRIu32 ",\"barriers\":%" PRIu64 ",\"waited_ns\":%" PRIu64
		",\"longest_ns\":%" PRIu64 ",\"longest_at_ns\":%" PRIu64,
		heddle__late_name(row->kind), row->label, row->count, row->waited_ns, row->longest_ns,
		row->longest_at_ns);
	write_number(out, "longest_for", numbers[row->longest_by]);
	fputs(",\"causes\":[", out);
	for (size_t i = 0; i < row->cause_count; i++) {
		fprintf(out, "%s{\"last\":%" PRIu64 ",\"caused_ns\":%" PRIu64, i ? "," : "", row->causes[i].last,
			row->causes[i].caused_ns);
		write_number(out, "thread", numbers[row->causes[i].thread]);
		fprintf(out, ",\"function\":%" PRIu32 "}", row->causes[i].label);
	}
	fputs("]}", out);
}

/* Writes late arrivals, which need a trace. */
static int write_late(struct writer *writer)
{
	const struct profile_trace *trace = writer->request->trace;
	struct heddle_late late = {0};
	if (!trace)
		return 0;
	struct profile_trace_part whole = {0, trace->end_ns};
	size_t *numbers = number_traced(writer);
	int error = numbers ? heddle__late_make(&late, writer->request->view, trace, &whole) : -ENOMEM;
	fputs("\"late\":[", writer->out);
	for (size_t i = 0; i < late.count; i++) {
		fputs(i ? ",\n" : "\n", writer->out);
		write_late_row(writer->out, &late.rows[i], numbers);
	}
	fputs("],\n", writer->out);
	heddle__late_free(&late);
	free(numbers);
	return error;
}

/* ---- functions, paths and values ---- */

static void write_functions(struct writer *writer)
{
	const struct profile_view *view = writer->request->view;
	FILE *out = writer->out;
	fputs("\"functions\":[", out);
	for (size_t i = 0; i < view->label_count; i++) {
		const struct profile_label *label = &view->labels[i];
		fputs(i ? ",\n{\"name\":" : "\n{\"name\":", out);
		export_json_string(out, label->text);
		fprintf(out, ",\"kind\":\"%s\"", export_kind_name(label->kind));
		write_text(out, "file", label->file);
		if (label->line)
			fprintf(out, ",\"line\":%" PRIu32, label->line);
		write_text(out, "module", label->module);
		fputc('}', out);
	}
	fputs("],\n", out);
}

static void write_paths(struct writer *writer)
{
	FILE *out = writer->out;
	fputs("\"paths\":[", out);
	for (size_t i = 0; i < writer->sites.count; i++) {
		const struct profile_site *site = &writer->sites.items[i];
		fputs(i ? ",\n" : "\n", out);
		if (i)
			fprintf(out, "{\"parent\":%" PRIu32 ",", site->parent);
		else
			fputs("{\"parent\":null,", out);
		fprintf(out, "\"node\":%" PRIu32 ",\"function\":%" PRIu32, site->node,
			writer->request->view->label_of[site->node]);
		write_text(out, "file", site->file);
		if (site->line)
			fprintf(out, ",\"line\":%" PRIu32, site->line);
		fputc('}', out);
	}
	fputs("],\n", out);
}

static int write_values(void *context, const struct export_thread_costs *costs)
{
	struct writer *writer = context;
	size_t width = writer->request->metric_count;
	for (size_t i = 0; i < costs->count; i++) {
		fprintf(writer->out, "%s[%" PRIu32 ",", writer->separator, costs->sites[i]);
		if (costs->thread)
			fprintf(writer->out, "%zu", costs->number);
		else
			fputs("null", writer->out);
		for (size_t m = 0; m < width; m++)
			fprintf(writer->out, ",%" PRIu64, costs->values[costs->sites[i] * width + m]);
		fputc(']', writer->out);
		writer->separator = ",\n";
	}
	return 0;
}

/* ---- the document ---- */

static int write_document(struct writer *writer)
{
	FILE *out = writer->out;
	struct heddle_findings findings;
	fprintf(out, "{\"format\":\"heddle\",\"version\":%d,\"writer\":", SCHEMA_VERSION);
	export_json_string(out, writer->request->version);
	fprintf(out, ",\"merged\":%s,\n", writer->request->measurement->merged ? "true" : "false");
	write_metrics(writer);
	int error = heddle__findings_make(&findings, writer->request->measurement, writer->request->view);
	export_findings(out, &findings);
	fputs(",\n", out);
	if (!error)
		error = export_json_efficiency(out, writer->request);
	write_processes(writer);
	fputs("\"threads\":[", out);
	if (!error)
		error = export_threads_each(writer->request, write_thread, writer);
	fputs("],\n", out);
	if (!error)
		error = write_late(writer);
	export_json_exchanges(out, writer->request->measurement);
	if (!error)
		error = export_json_files(out, writer->request->measurement);
	write_functions(writer);
	write_paths(writer);
	fputs("\"values\":[", out);
	writer->separator = "\n";
	if (!error)
		error = export_costs_each(writer->request, &writer->sites, write_values, writer);
	fputs("]}\n", out);
	return error;
}

static int write_json(const struct export_request *request)
{
	struct writer writer = {.request = request, .out = request->out};
	int error =
		profile_sites_make(&writer.sites, request->view, &request->measurement->tree, request->naming, false);
	if (!error)
		error = write_document(&writer);
	profile_sites_free(&writer.sites);
	free(writer.threads);
	return error;
}

const struct export_format export_json = {
	.name = "json",
	.summary = "JSON of all metrics by path and thread, for programs (docs/json-export.md)",
	.next = "docs/json-export.md describes it",
	.uses_threads = true,
	.uses_trace = true,
	.several_metrics = true,
	.write = write_json,
};
