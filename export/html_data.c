/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The data of a page. Numbers are in columns; ascending ones are differences, so most have one digit and compress well.
 */
#include "export/html_data.h"
#include "analysis/summary.h"
#include "export/findings.h"
#include "export/html_heat.h"

#include "export/costs.h"
#include "export/html_parts.h"
#include "export/html_views.h"
#include "export/json_text.h"
#include "profile/base/errors.h"
#include "profile/file/profile_peek.h"
#include "profile/view/source_text.h"
#include "profile/view/system_code.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DATA_VERSION 1

/* Values of single threads are left out if there are more: about 3 bytes each in the file. */
#define THREAD_VALUES_LEAST 200000u
#define THREAD_VALUES_PER_SITE 12u

#define SOURCE_LIMIT (1u << 20) /* bytes; larger files are not embedded */

struct writer {
	const struct export_page *page;
	const struct export_request *request;
	FILE *out;
	struct profile_sites sites;
	struct profile_intern files;
	uint64_t *sums;      /* of all threads; metric m of site s: sums[s * metric_count + m] */
	size_t value_count;  /* of single threads, so far */
	const char *between; /* separator between two threads */
	size_t thread;       /* number of the next thread that is written */
};

/* ---- columns ---- */

struct column {
	FILE *out;
	const char *separator;
	int64_t before;
};

static struct column begin_column(FILE *out, const char *name)
{
	fprintf(out, "\"%s\":[", name);
	return (struct column){out, "", 0};
}

static void put_number(struct column *column, int64_t number)
{
	fprintf(column->out, "%s%" PRId64, column->separator, number);
	column->separator = ",";
}

static void put_difference(struct column *column, int64_t number)
{
	put_number(column, number - column->before);
	column->before = number;
}

static void end_column(FILE *out, const char *after)
{
	fprintf(out, "]%s", after);
}

/* ---- the program ---- */

static void write_strings(FILE *out, const char *name, char *const *texts, size_t count)
{
	export_json_strings(out, name, (const char *const *)texts, count);
	fputs(",\n", out);
}

static void write_process(FILE *out, const Heddle__Profile__Process *info)
{
	fprintf(out, "{\"pid\":%" PRIu64 ",\"host\":", info->pid);
	export_json_string(out, info->host);
	fprintf(out,
		",\"start\":%" PRIu64 ",\"duration\":%" PRIu64 ",\"cpu\":%" PRIu64 ",\"periods\":%" PRIu64
		",\"samples\":%" PRIu64 ",\"hz\":%" PRIu64 ",\"source\":",
		info->start_unix_ns, info->duration_ns, info->cpu_ns, info->samples_taken, heddle__samples_of(info),
		info->sample_hz);
	export_json_string(out, info->sample_source);
	fprintf(out, ",\"incomplete\":%s}", profile_is_incomplete(info) ? "true" : "false");
}

static void write_processes(const struct writer *writer)
{
	const struct profile_measurement *measurement = writer->request->measurement;
	const Heddle__Profile__Process *first = NULL;
	struct profile_intern notes = {0};
	const char *separator = "";
	fputs("\"processes\":[", writer->out);
	for (size_t p = 0; p < measurement->process_count; p++) {
		const Heddle__Profile__Process *info = measurement->processes[p].info;
		if (measurement->processes[p].error)
			continue;
		first = first ? first : info;
		fputs(separator, writer->out);
		separator = ",\n";
		write_process(writer->out, info);
	}
	(void)heddle__notes_collect(&notes, measurement, writer->request->view); /* as far as memory suffices */
	fputs("],\n\"program\":", writer->out);
	export_json_string(writer->out, first ? first->program : "");
	fputs(",\n", writer->out);
	write_strings(writer->out, "arguments", first ? first->arguments : NULL, first ? first->n_arguments : 0);
	write_strings(writer->out, "notes", notes.texts, notes.count);
	profile_intern_free(&notes);
}

/* ---- threads ---- */

static void write_thread_states(const struct writer *writer, const struct profile_thread *thread)
{
	static const enum heddle_metric times[] = {HEDDLE_METRIC_CPU_TIME, HEDDLE_METRIC_WALL_TIME};
	for (size_t i = 0; i < 2; i++) {
		fputs(",", writer->out);
		struct column states = begin_column(writer->out, profile_metric_name(times[i]));
		for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
			put_number(&states, (int64_t)profile_thread_value(thread, times[i], s));
		end_column(writer->out, "");
	}
}

static int write_thread(
	void *context, const struct profile_process *process, const struct profile_thread *thread, size_t number)
{
	struct writer *writer = context;
	FILE *out = writer->out;
	char name[256];
	export_row_name(writer->request, thread, name, sizeof(name));
	fputs(number ? ",\n{\"label\":" : "\n{\"label\":", out);
	export_json_string(out, name);
	fprintf(out, ",\"pid\":%" PRIu64 ",\"rank\":%" PRIu32 ",\"threads\":%" PRIu32 ",\"wall\":%" PRIu64,
		process->info->pid, profile_thread_is_rank(thread) ? thread->rank : 0, profile_thread_number(thread),
		profile_thread_number(thread) ? thread->wall_ns : 0);
	write_thread_states(writer, thread);
	fputc('}', out);
	return 0;
}

static int write_threads(struct writer *writer)
{
	fputs("\"states\":[", writer->out);
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		fprintf(writer->out, "%s\"%s\"", s ? "," : "", profile_state_label(s));
	fputs("],\n\"threads\":[", writer->out);
	int error = export_threads_each(writer->request, write_thread, writer);
	fputs("],\n", writer->out);
	return error;
}

/* ---- names and paths ---- */

/* Writes the modules of labels, and which modules belong to the system. */
static void write_modules(const struct writer *writer)
{
	const struct profile_view *view = writer->request->view;
	FILE *out = writer->out;
	struct profile_intern modules = {0};
	struct column column = begin_column(out, "module");
	for (size_t i = 0; i < view->label_count; i++)
		put_number(&column, (int64_t)profile_intern(&modules, view->labels[i].module));
	end_column(out, ",\n");
	column = begin_column(out, "system");
	for (size_t i = 0; i < view->label_count; i++)
		put_number(&column, profile_is_system_code(&view->labels[i]));
	end_column(out, ",\n");
	export_json_strings(out, "modules", (const char *const *)modules.texts, modules.count);
	fputs("},\n", out);
	profile_intern_free(&modules);
}

static void write_labels(struct writer *writer)
{
	const struct profile_view *view = writer->request->view;
	FILE *out = writer->out;
	fputs("\"labels\":{\"text\":[", out);
	for (size_t i = 0; i < view->label_count; i++) {
		fputs(i ? "," : "", out);
		export_json_string(out, view->labels[i].text);
	}
	fputs("],\n", out);
	struct column kinds = begin_column(out, "kind");
	for (size_t i = 0; i < view->label_count; i++)
		put_number(&kinds, view->labels[i].kind);
	end_column(out, ",\n");
	struct column files = begin_column(out, "file");
	for (size_t i = 0; i < view->label_count; i++)
		put_number(&files, (int64_t)profile_intern(&writer->files, view->labels[i].file));
	end_column(out, ",\n");
	struct column lines = begin_column(out, "line");
	for (size_t i = 0; i < view->label_count; i++)
		put_number(&lines, view->labels[i].line);
	end_column(out, ",\n");
	write_modules(writer);
}

/* A node's own values count as one state, although nodes of the tree that were folded into it may count as others. */
static int write_nodes(const struct writer *writer)
{
	const struct profile_view *view = writer->request->view;
	const struct profile_call_tree *tree = &writer->request->measurement->tree;
	uint8_t *states = malloc(tree->node_count + 1), *of_view = calloc(view->node_count + 1, 1);
	if (states && of_view) {
		profile_call_tree_states(tree, states);
		for (size_t i = tree->node_count; i-- > 0;)
			of_view[view->of_node[i]] = states[i];
		fputs("\"nodes\":{", writer->out);
		struct column parents = begin_column(writer->out, "parent");
		for (size_t i = 0; i < view->node_count; i++)
			put_number(&parents, (int64_t)i - view->parents[i]);
		end_column(writer->out, ",\n");
		struct column labels = begin_column(writer->out, "label");
		for (size_t i = 0; i < view->node_count; i++)
			put_difference(&labels, view->label_of[i]);
		end_column(writer->out, ",\n");
		struct column column = begin_column(writer->out, "state");
		for (size_t i = 0; i < view->node_count; i++)
			put_number(&column, of_view[i]);
		end_column(writer->out, "},\n");
	}
	int error = states && of_view ? 0 : -ENOMEM;
	free(states);
	free(of_view);
	return error;
}

/* Writes for each site the index of its parent among the sites of the parent's node, which is nearly always 0. */
static int write_site_parents(const struct writer *writer, struct column *column)
{
	const struct profile_sites *sites = &writer->sites;
	uint32_t *counts = calloc(writer->request->view->node_count + 1, sizeof(*counts));
	uint32_t *ranks = calloc(sites->count + 1, sizeof(*ranks));
	int error = counts && ranks ? 0 : -ENOMEM;
	for (size_t i = 0; !error && i < sites->count; i++) {
		ranks[i] = counts[sites->items[i].node]++;
		put_number(column, ranks[sites->items[i].parent]);
	}
	free(counts);
	free(ranks);
	return error;
}

static int write_sites(struct writer *writer)
{
	const struct profile_sites *sites = &writer->sites;
	FILE *out = writer->out;
	fputs("\"sites\":{", out);
	struct column nodes = begin_column(out, "node");
	for (size_t i = 0; i < sites->count; i++)
		put_difference(&nodes, sites->items[i].node);
	end_column(out, ",\n");
	struct column files = begin_column(out, "file");
	for (size_t i = 0; i < sites->count; i++)
		put_difference(&files, (int64_t)profile_intern(&writer->files, sites->items[i].file));
	end_column(out, ",\n");
	struct column lines = begin_column(out, "line");
	for (size_t i = 0; i < sites->count; i++)
		put_difference(&lines, sites->items[i].line);
	end_column(out, ",\n");
	struct column parents = begin_column(out, "parent");
	int error = write_site_parents(writer, &parents);
	end_column(out, "},\n");
	write_strings(out, "files", writer->files.texts, writer->files.count);
	return error;
}

/* ---- values ---- */

/* Writes {"metric":[[sites],[values]],...}, without sites that have no value. */
static void write_values(const struct writer *writer, const uint64_t *values, const uint32_t *listed, size_t count)
{
	const struct export_request *request = writer->request;
	fputc('{', writer->out);
	for (size_t m = 0; m < request->metric_count; m++) {
		fprintf(writer->out, "%s\"%s\":[[", m ? ",\n" : "", profile_metric_name(request->metrics[m]));
		struct column sites = {writer->out, "", 0}, column = {writer->out, "", 0};
		for (size_t i = 0; i < count; i++)
			if (values[(listed ? listed[i] : i) * request->metric_count + m])
				put_difference(&sites, (int64_t)(listed ? listed[i] : i));
		fputs("],[", writer->out);
		for (size_t i = 0; i < count; i++) {
			uint64_t value = values[(listed ? listed[i] : i) * request->metric_count + m];
			if (value)
				put_number(&column, (int64_t)value);
		}
		fputs("]]", writer->out);
	}
	fputc('}', writer->out);
}

static int count_values(void *context, const struct export_thread_costs *costs)
{
	struct writer *writer = context;
	writer->value_count += costs->count;
	return 0;
}

static int write_thread_values(void *context, const struct export_thread_costs *costs)
{
	struct writer *writer = context;
	if (!costs->thread)
		return 0;
	for (; writer->thread < costs->number; writer->thread++, writer->between = ",\n")
		fprintf(writer->out, "%s{}", writer->between);
	fputs(writer->between, writer->out);
	writer->between = ",\n";
	writer->thread++;
	write_values(writer, costs->values, costs->sites, costs->count);
	return 0;
}

/* Writes the values by thread; if there are too many, those of some functions, which the page mentions. */
static int write_by_thread(struct writer *writer)
{
	int error = export_costs_each(writer->request, &writer->sites, count_values, writer);
	size_t limit = THREAD_VALUES_LEAST + THREAD_VALUES_PER_SITE * writer->sites.count;
	fputs("\"byThread\":[", writer->out);
	writer->between = "\n";
	bool fits = writer->value_count * writer->request->metric_count <= limit;
	if (!error && fits)
		error = export_costs_each(writer->request, &writer->sites, write_thread_values, writer);
	fputs("],\n", writer->out);
	if (fits)
		fputs("\"heat\":null,\n", writer->out);
	else if (!error)
		error = export_page_heat(writer->request, &writer->sites, writer->sums, writer->out);
	return error;
}

/* ---- sources ---- */

/* Writes the text of a file, unless it is missing, barred, empty, or too large. Returns true if it was written. */
static bool write_source(const struct writer *writer, size_t number, const char *separator)
{
	const struct export_page *page = writer->page;
	struct profile_source source =
		profile_source_find(writer->request->measurement, writer->files.texts[number], HEDDLE_SOURCE_EMBEDDED);
	bool fits = source.status == HEDDLE_SOURCE_READ && *source.text && strlen(source.text) <= SOURCE_LIMIT;
	if (fits) {
		fprintf(writer->out, "%s\"%zu\":", separator, number);
		export_json_string(writer->out, source.text);
	}
	if (page->report_source && (fits || source.status == HEDDLE_SOURCE_BARRED))
		page->report_source(page->report_context, source.path, fits);
	profile_source_free(&source);
	return fits;
}

static void write_sources(const struct writer *writer)
{
	const char *separator = "";
	fputs("\"sources\":{", writer->out);
	for (size_t i = 0; writer->page->sources && i < writer->files.count; i++)
		if (write_source(writer, i, separator))
			separator = ",\n";
	fputs("}", writer->out);
}

/* ---- the whole ---- */

static int write_all(struct writer *writer)
{
	FILE *out = writer->out;
	fprintf(out, "{\"version\":%d,\"writer\":", DATA_VERSION);
	export_json_string(out, writer->request->version);
	fputs(",\n", out);
	write_processes(writer);
	export_findings(writer->out, writer->page->findings);
	fputs(",\n", writer->out);
	export_page_metrics(out, writer->request->metrics, writer->request->metric_count);
	int error = write_threads(writer);
	write_labels(writer);
	if (!error)
		error = write_nodes(writer);
	if (!error)
		error = write_sites(writer);
	fputs("\"sums\":", out);
	write_values(writer, writer->sums, NULL, writer->sites.count);
	fputs(",\n", out);
	if (!error)
		error = write_by_thread(writer);
	write_sources(writer);
	fputs(",\n", out);
	if (!error)
		error = export_page_more(writer->page, out);
	fputs("}\n", out);
	return error;
}

int export_page_data(const struct export_page *page, FILE *out)
{
	struct writer writer = {.page = page, .request = page->request, .out = out};
	const struct export_request *request = page->request;
	int error =
		profile_sites_make(&writer.sites, request->view, &request->measurement->tree, request->naming, false);
	if (!error)
		writer.sums = export_costs_sums(request, &writer.sites);
	if (!error)
		error = writer.sums ? write_all(&writer) : -ENOMEM;
	profile_sites_free(&writer.sites);
	profile_intern_free(&writer.files);
	free(writer.sums);
	return error;
}
