/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the values of one thread at a time, so memory does not grow with the number of threads. */
#include "export/costs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct collection {
	const struct export_request *request;
	const struct profile_sites *sites;
	enum heddle_metric metrics[HEDDLE_METRIC_LIMIT]; /* those that threads have */
	size_t columns[HEDDLE_METRIC_LIMIT];             /* by metric: its column in a row of values */
	size_t metric_count;
	uint64_t *values;
	bool *has_value; /* by site */
	uint32_t *listed;
	size_t count;
	struct export_thread_costs costs; /* of the thread that is being collected */
	int (*each)(void *context, const struct export_thread_costs *costs);
	void *context;
};

/* ---- one thread ---- */

static void add_value(struct collection *collection, uint32_t site, size_t column, uint64_t value)
{
	if (!value)
		return;
	collection->values[site * collection->request->metric_count + column] += value;
	if (!collection->has_value[site])
		collection->listed[collection->count++] = site;
	collection->has_value[site] = true;
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Passes the collected values on, and clears them. */
static int finish(struct collection *collection)
{
	size_t width = collection->request->metric_count;
	int result = 0;
	if (collection->count) {
		qsort(collection->listed, collection->count, sizeof(*collection->listed), by_number);
		collection->costs.count = collection->count;
		collection->costs.sites = collection->listed;
		collection->costs.values = collection->values;
		result = collection->each(collection->context, &collection->costs);
	}
	for (size_t i = 0; i < collection->count; i++) {
		uint32_t site = collection->listed[i];
		memset(&collection->values[site * width], 0, width * sizeof(*collection->values));
		collection->has_value[site] = false;
	}
	collection->count = 0;
	return result;
}

static void next_process(const struct collection *collection, const struct profile_process *process)
{
	const struct profile_measurement *measurement = collection->request->measurement;
	if (collection->costs.process != process)
		profile_progress_step(collection->request->progress, "exporting threads of files",
			(size_t)(process - measurement->processes), measurement->process_count);
}

/* Values are passed metric by metric; the first values of another thread end the current one. */
static int add_column(void *context, const struct profile_thread_values *values)
{
	struct collection *collection = context;
	int result = 0;
	if (collection->costs.thread != values->thread) {
		next_process(collection, values->process);
		if (collection->costs.thread) {
			result = finish(collection);
			collection->costs.number++;
		}
		collection->costs.process = values->process;
		collection->costs.thread = values->thread;
	}
	size_t column = collection->columns[values->metric];
	for (size_t i = 0; i < values->count; i++)
		add_value(collection, profile_site_holder(collection->sites, values->nodes[i], values->metric), column,
			values->values[i]);
	return result;
}

/* ---- all threads ---- */

static int add_sums(struct collection *collection, bool of_threads)
{
	const struct export_request *request = collection->request;
	const struct profile_call_tree *tree = &request->measurement->tree;
	for (size_t m = 0; m < request->metric_count; m++) {
		enum heddle_metric metric = request->metrics[m];
		if (!tree->values[metric] || (!of_threads && profile_metric_is_of_threads(metric)))
			continue;
		for (uint32_t n = 0; n < tree->node_count; n++)
			add_value(collection, profile_site_holder(collection->sites, n, metric), m,
				tree->values[metric][n]);
	}
	collection->costs.process = NULL;
	collection->costs.thread = NULL;
	return finish(collection);
}

static int collect(struct collection *collection)
{
	const struct export_request *request = collection->request;
	if (request->measurement->merged)
		return add_sums(collection, true);
	for (size_t m = 0; m < request->metric_count; m++) {
		if (!profile_metric_is_of_threads(request->metrics[m]))
			continue;
		collection->columns[request->metrics[m]] = m;
		collection->metrics[collection->metric_count++] = request->metrics[m];
	}
	int result = profile_measurement_thread_metrics(
		request->measurement, collection->metrics, collection->metric_count, add_column, collection);
	if (!result)
		result = finish(collection);
	return result ? result : add_sums(collection, false);
}

int export_costs_each(const struct export_request *request, const struct profile_sites *sites,
	int (*each)(void *context, const struct export_thread_costs *costs), void *context)
{
	struct collection collection = {
		.request = request,
		.sites = sites,
		.each = each,
		.context = context,
		.values = calloc(sites->count, request->metric_count * sizeof(uint64_t)),
		.has_value = calloc(sites->count, sizeof(bool)),
		.listed = malloc(sites->count * sizeof(uint32_t)),
	};
	int result = collection.values && collection.has_value && collection.listed ? collect(&collection) : -ENOMEM;
	free(collection.values);
	free(collection.has_value);
	free(collection.listed);
	return result;
}

uint64_t *export_costs_sums(const struct export_request *request, const struct profile_sites *sites)
{
	const struct profile_call_tree *tree = &request->measurement->tree;
	size_t width = request->metric_count;
	uint64_t *sums = calloc(sites->count, width * sizeof(*sums));
	for (size_t m = 0; sums && m < width; m++) {
		const uint64_t *values = tree->values[request->metrics[m]];
		for (uint32_t n = 0; values && n < tree->node_count; n++)
			sums[profile_site_holder(sites, n, request->metrics[m]) * width + m] += values[n];
	}
	return sums;
}

int export_threads_each(const struct export_request *request,
	int (*each)(void *context, const struct profile_process *process, const struct profile_thread *thread,
		size_t number),
	void *context)
{
	const struct profile_measurement *measurement = request->measurement;
	size_t number = 0;
	int result = 0;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		for (size_t t = 0; !result && !process->error && t < process->thread_count; t++)
			result = each(context, process, &process->threads[t], number++);
	}
	return result;
}

struct search {
	const struct profile_thread *wanted;
	int64_t number;
};

static int is_thread(
	void *context, const struct profile_process *process, const struct profile_thread *thread, size_t number)
{
	struct search *search = context;
	(void)process;
	if (thread != search->wanted)
		return 0;
	search->number = (int64_t)number;
	return 1;
}

int64_t export_thread_number(const struct export_request *request, const struct profile_thread *thread)
{
	struct search search = {thread, -1};
	(void)export_threads_each(request, is_thread, &search);
	return search.number;
}

void export_row_name(const struct export_request *request, const struct profile_thread *thread, char *name, size_t size)
{
	const struct profile_models *models = &request->measurement->tree.models;
	if (profile_thread_is_rank(thread))
		snprintf(name, size, "%s %" PRIu32, profile_models_named(models, thread->rank_model)->rank,
			thread->rank - 1);
	else if (thread->number >= 0)
		snprintf(name, size, "%s %" PRId32, thread->role, thread->number);
	else
		snprintf(name, size, "%s %" PRIu32, thread->role, thread->id);
}

const char *export_kind_name(uint8_t kind)
{
	switch (kind) {
	case HEDDLE_NODE_ROOT:
		return "program";
	case HEDDLE_NODE_REGION:
		return "region";
	case HEDDLE_NODE_STATE:
		return "state";
	case HEDDLE_NODE_PHASE:
		return "phase";
	case HEDDLE_NODE_RUNTIME_FRAME:
		return "runtime function";
	default:
		return "function";
	}
}
