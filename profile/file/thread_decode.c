/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes and checks THREAD sections, several at once, and adds their values to the tree. */
#include "profile/file/thread_decode.h"

#include "profile/base/errors.h"
#include "profile/base/parallel.h"
#include "profile/file/old_models.h"
#include "profile/file/unpack.h"

#include <stdlib.h>
#include <string.h>

/* A counter with the name of one of Heddle's own metrics is rejected. */
int profile_stored_metric(const Heddle__Profile__Process *process, uint32_t stored)
{
	if (stored < HEDDLE_COUNTER_FIRST)
		return heddle__metric_is_stored(stored) ? (int)stored : -HEDDLE_NEWER;
	for (size_t i = 0; i < process->n_counters; i++) {
		const Heddle__Profile__Counter *counter = process->counters[i];
		if (counter->metric != stored)
			continue;
		int number = profile_metric_add(counter->name, counter->unit, counter->meaning);
		if (number == HEDDLE_METRIC_LIMIT)
			return -HEDDLE_TOO_BIG;
		return profile_metric_is_counter((enum heddle_metric)number) ? number : -HEDDLE_INCONSISTENT;
	}
	return -HEDDLE_INCONSISTENT;
}

static int check_column(Heddle__Profile__Column *column, const Heddle__Profile__Process *process, size_t node_count)
{
	int metric = profile_stored_metric(process, column->metric);
	if (metric < 0)
		return metric;
	column->metric = (uint32_t)metric;
	if (column->n_node != column->n_value)
		return -HEDDLE_INCONSISTENT;
	uint64_t node = 0;
	for (size_t i = 0; i < column->n_node; i++) {
		if (i != 0 && column->node[i] == 0)
			return -HEDDLE_INCONSISTENT;
		node += column->node[i];
		if (node >= node_count)
			return -HEDDLE_INCONSISTENT;
		column->node[i] = (uint32_t)node;
	}
	return 0;
}

static int check_distribution(const Heddle__Profile__Distribution *one, size_t node_count, size_t string_count)
{
	bool right = one->node < node_count && one->argument <= HEDDLE_ARGUMENT_LIMIT && one->text <= string_count &&
		     one->n_buckets <= HEDDLE_SIZE_BUCKETS;
	return right ? 0 : -HEDDLE_INCONSISTENT;
}

int profile_decode_thread(const struct profile_file_section *section, const Heddle__Profile__Process *process,
	size_t node_count, Heddle__Profile__Thread **thread)
{
	*thread = profile_unpack(&heddle__profile__thread__descriptor, section->size, section->data);
	if (!*thread)
		return -HEDDLE_INCONSISTENT;
	int error = 0;
	for (size_t i = 0; !error && i < (*thread)->n_columns; i++)
		error = check_column((*thread)->columns[i], process, node_count);
	for (size_t i = 0; !error && i < (*thread)->n_distributions; i++)
		error = check_distribution((*thread)->distributions[i], node_count, process->n_strings);
	if (error) {
		heddle__profile__thread__free_unpacked(*thread, NULL);
		*thread = NULL;
	}
	return error;
}

/* Shared by the workers of one file. Worker 0 sums into the tree itself, the others into arrays of their own. */
struct thread_job {
	struct profile_decoded *decoded;
	const struct profile_file_section **sections;
	size_t workers;
	uint64_t *(*sums)[HEDDLE_METRIC_LIMIT];
	struct profile_distributions *distributions; /* by worker */
};

static uint64_t *sums_of(struct thread_job *job, size_t worker, uint32_t metric)
{
	if (worker == 0)
		return profile_call_tree_values(&job->decoded->tree, metric);
	uint64_t **sums = &job->sums[worker][metric];
	if (!*sums)
		*sums = calloc(job->decoded->tree.node_count, sizeof(**sums));
	return *sums;
}

static int add_column(
	struct thread_job *job, size_t worker, const Heddle__Profile__Column *column, struct profile_thread *row)
{
	uint64_t *sums = sums_of(job, worker, column->metric);
	uint64_t *mine = profile_thread_values_by_state(row, column->metric);
	const uint8_t *states = job->decoded->states;
	if (!sums || !mine)
		return -ENOMEM;
	for (size_t i = 0; i < column->n_node; i++) {
		sums[column->node[i]] += column->value[i];
		mine[states[column->node[i]]] += column->value[i];
	}
	return 0;
}

static int add_distribution(struct thread_job *job, size_t worker, const Heddle__Profile__Distribution *one)
{
	uint64_t buckets[HEDDLE_SIZE_BUCKETS] = {0};
	if (one->count == 0)
		return 0;
	if (one->n_buckets)
		memcpy(buckets, one->buckets, one->n_buckets * sizeof(*buckets));
	struct profile_distribution more = {
		.node = one->node,
		.argument = one->argument,
		.text = one->text,
		.count = one->count,
		.minimum = one->minimum,
		.maximum = one->maximum,
		.sum = one->sum,
		.rest = one->rest,
		.buckets = one->n_buckets ? buckets : NULL,
	};
	return profile_distributions_add(&job->distributions[worker], &more);
}

/* Returns the name of a model by its id in the file; "": no model has it. */
static const char *model_name(const Heddle__Profile__Process *process, uint32_t id)
{
	for (size_t i = 0; id && i < process->n_models; i++)
		if (process->models[i]->id == id)
			return process->models[i]->name;
	return "";
}

static int name_models(
	struct profile_thread *row, const Heddle__Profile__Thread *thread, const Heddle__Profile__Process *process)
{
	bool old = process->n_models == 0;
	row->model = strdup(old ? profile_old_model_of_thread(thread->role) : model_name(process, thread->model));
	row->rank_model =
		strdup(old ? profile_old_model_of_rank(thread->rank) : model_name(process, thread->rank_model));
	return row->model && row->rank_model ? 0 : -ENOMEM;
}

int profile_thread_fill(
	struct profile_thread *row, const Heddle__Profile__Thread *thread, const Heddle__Profile__Process *process)
{
	*row = (struct profile_thread){
		.id = thread->id,
		.tid = thread->tid,
		.role = strdup(thread->role),
		.name = strdup(thread->name),
		.threads = thread->threads,
		.number = thread->number,
		.start_ns = thread->start_ns,
		.end_ns = thread->end_ns,
		.wall_ns = thread->wall_ns,
		.cpu_ns = thread->cpu_ns,
		.samples = thread->samples,
		.samples_in_heddle = thread->samples_in_heddle,
		.rank = thread->rank,
	};
	int error = row->role && row->name ? name_models(row, thread, process) : -ENOMEM;
	error = error ? error : profile_partners_decode(&row->partners, thread->partners, process);
	return error ? error : profile_exchanges_decode(&row->exchanges, thread->exchanges, process);
}

static int add_uncharged(struct thread_job *job, size_t worker, struct profile_thread *row)
{
	if (row->samples_in_heddle == 0)
		return 0;
	uint64_t *sums = sums_of(job, worker, HEDDLE_METRIC_SAMPLES);
	uint64_t *mine = profile_thread_values_by_state(row, HEDDLE_METRIC_SAMPLES);
	if (!sums || !mine)
		return -ENOMEM;
	sums[job->decoded->heddle_node] += row->samples_in_heddle;
	mine[HEDDLE_STATE_HEDDLE] += row->samples_in_heddle;
	return 0;
}

static int decode_one_thread(void *context, size_t worker, size_t index)
{
	struct thread_job *job = context;
	struct profile_thread *row = &job->decoded->threads[index];
	Heddle__Profile__Thread *thread;
	int error =
		profile_decode_thread(job->sections[index], job->decoded->process, job->decoded->heddle_node, &thread);
	if (error)
		return error;
	error = profile_thread_fill(row, thread, job->decoded->process);
	for (size_t i = 0; !error && i < thread->n_columns; i++)
		error = add_column(job, worker, thread->columns[i], row);
	for (size_t i = 0; !error && i < thread->n_distributions; i++)
		error = add_distribution(job, worker, thread->distributions[i]);
	if (!error)
		error = profile_thread_derive(row);
	heddle__profile__thread__free_unpacked(thread, NULL);
	return error ? error : add_uncharged(job, worker, row);
}

/* The first worker's set becomes that of the tree. */
static int gather_distributions(struct thread_job *job)
{
	struct profile_distributions *all = &job->decoded->tree.distributions;
	int error = 0;
	*all = job->distributions[0];
	for (size_t w = 1; w < job->workers; w++) {
		struct profile_distributions *from = &job->distributions[w];
		for (size_t i = 0; !error && i < from->count; i++)
			error = profile_distributions_add(all, &from->items[i]);
		profile_distributions_free(from);
	}
	return error;
}

static int gather_sums(struct thread_job *job)
{
	struct profile_call_tree *tree = &job->decoded->tree;
	int error = 0;
	for (size_t w = 1; w < job->workers; w++) {
		for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
			uint64_t *from = job->sums[w][m], *to = from ? profile_call_tree_values(tree, m) : NULL;
			if (from && !to)
				error = -ENOMEM;
			for (size_t i = 0; to && i < tree->node_count; i++)
				to[i] += from[i];
			free(from);
		}
	}
	return error;
}

int profile_decode_threads(struct profile_decoded *decoded, const struct profile_file *file, size_t workers)
{
	size_t count = 0;
	struct thread_job job = {.decoded = decoded, .workers = workers};
	job.sections = calloc(file->section_count, sizeof(*job.sections));
	job.sums = calloc(workers, sizeof(*job.sums));
	decoded->threads = calloc(file->section_count, sizeof(*decoded->threads));
	job.distributions = calloc(workers, sizeof(*job.distributions));
	int error = job.sections && job.sums && job.distributions && decoded->threads ? 0 : -ENOMEM;
	for (size_t i = 0; !error && i < file->section_count; i++)
		if (file->sections[i].type == HEDDLE_SECTION_THREAD)
			job.sections[count++] = &file->sections[i];
	decoded->thread_count = count;
	if (!error)
		error = profile_parallel(workers, count, decode_one_thread, &job);
	if (job.sums) {
		int gathered = gather_sums(&job);
		error = error ? error : gathered;
	}
	if (job.distributions) {
		int gathered = gather_distributions(&job);
		error = error ? error : gathered;
	}
	free(job.sections);
	free(job.sums);
	free(job.distributions);
	return error;
}
