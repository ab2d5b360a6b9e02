/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads by functions, for pages without values of single threads by path: values of each thread in the functions and
 * regions with the largest exclusive values of the first metric. The matrix is small for any number of threads and
 * paths.
 */
#include "export/html_heat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define COLUMNS 32u /* as many as html/src/heat.tsx shows */

struct heat {
	const struct export_request *request;
	const struct profile_sites *sites;
	uint64_t *by_label;
	uint32_t *labels, *column_of; /* by column; by label: its column + 1 */
	size_t count, threads;
	uint64_t *values; /* thread t and column c: values[t * COLUMNS + c] */
};

static uint32_t label_of(const struct heat *heat, size_t site)
{
	return heat->request->view->label_of[heat->sites->items[site].node];
}

/* Chooses the labels with the largest values, one after the other. */
static void choose_columns(struct heat *heat)
{
	size_t labels = heat->request->view->label_count;
	while (heat->count < COLUMNS) {
		size_t most = 0;
		for (size_t l = 1; l < labels; l++)
			most = heat->by_label[l] > heat->by_label[most] ? l : most;
		if (!labels || !heat->by_label[most])
			return;
		heat->by_label[most] = 0;
		heat->labels[heat->count++] = (uint32_t)most;
		heat->column_of[most] = (uint32_t)heat->count;
	}
}

static int add_thread(void *context, const struct export_thread_costs *costs)
{
	struct heat *heat = context;
	if (!costs->thread || costs->number >= heat->threads)
		return 0;
	for (size_t i = 0; i < costs->count; i++) {
		uint32_t column = heat->column_of[label_of(heat, costs->sites[i])];
		if (column)
			heat->values[costs->number * COLUMNS + column - 1] +=
				costs->values[costs->sites[i] * heat->request->metric_count];
	}
	return 0;
}

static int count_thread(
	void *context, const struct profile_process *process, const struct profile_thread *thread, size_t number)
{
	struct heat *heat = context;
	(void)process;
	(void)thread;
	heat->threads = number + 1;
	return 0;
}

static void write_heat(const struct heat *heat, FILE *out)
{
	fprintf(out, "\"heat\":{\"metric\":\"%s\",\"labels\":[", profile_metric_name(heat->request->metrics[0]));
	for (size_t c = 0; c < heat->count; c++)
		fprintf(out, "%s%" PRIu32, c ? "," : "", heat->labels[c]);
	fputs("],\"values\":[", out);
	for (size_t c = 0; c < heat->count; c++) {
		fputs(c ? ",\n[" : "[", out);
		for (size_t t = 0; t < heat->threads; t++)
			fprintf(out, "%s%" PRIu64, t ? "," : "", heat->values[t * COLUMNS + c]);
		fputc(']', out);
	}
	fputs("]},\n", out);
}

int export_page_heat(
	const struct export_request *request, const struct profile_sites *sites, const uint64_t *sums, FILE *out)
{
	size_t labels = request->view->label_count;
	struct heat heat = {.request = request, .sites = sites};
	int error = export_threads_each(request, count_thread, &heat);
	heat.by_label = calloc(labels + 1, sizeof(*heat.by_label));
	heat.column_of = calloc(labels + 1, sizeof(*heat.column_of));
	heat.labels = calloc(COLUMNS, sizeof(*heat.labels));
	heat.values = calloc((heat.threads + 1) * COLUMNS, sizeof(*heat.values));
	if (!heat.by_label || !heat.column_of || !heat.labels || !heat.values)
		error = -ENOMEM;
	for (size_t s = 0; !error && s < sites->count; s++)
		heat.by_label[label_of(&heat, s)] += sums[s * request->metric_count];
	if (!error)
		choose_columns(&heat);
	if (!error)
		error = export_costs_each(request, sites, add_thread, &heat);
	if (!error)
		write_heat(&heat, out);
	free(heat.by_label);
	free(heat.column_of);
	free(heat.labels);
	free(heat.values);
	return error;
}
