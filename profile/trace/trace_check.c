/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the sums of a trace with the columns in the profile's file. */
#include "profile/trace/trace_check.h"

#include "profile/base/errors.h"
#include "profile/base/parallel.h"
#include "profile/trace/trace_sum.h"

#include <stdlib.h>
#include <string.h>

/* The threads of one file. Each has its own result, so that their order does not depend on the workers. */
struct comparing {
	const struct profile_trace *trace;
	uint32_t file;
	const struct profile_file_section **sections;
	struct profile_trace_check *results;
};

struct one_thread {
	const struct profile_trace_file *file;
	const Heddle__Profile__Thread *thread;
	struct profile_trace_check *check;
};

static const struct profile_trace_file *file_of(const struct comparing *all)
{
	return &all->trace->files[all->file];
}

static void compare(const struct one_thread *one, struct profile_trace_difference difference)
{
	struct profile_trace_check *check = one->check;
	if (!difference.profile && !difference.trace)
		return;
	check->values++;
	if (difference.profile == difference.trace)
		return;
	difference.process = one->file->process;
	difference.thread = one->thread->id;
	difference.node = one->file->process->map[difference.node];
	if (check->differences < HEDDLE_TRACE_DIFFERENCES)
		check->first[check->differences] = difference;
	check->differences++;
}

/* ---- columns ---- */

/* Adds up a metric's columns by node. */
static void add_columns(uint64_t *sums, size_t count, const Heddle__Profile__Thread *thread, uint32_t metric)
{
	memset(sums, 0, count * sizeof(*sums));
	for (size_t c = 0; c < thread->n_columns; c++)
		for (size_t i = 0; thread->columns[c]->metric == metric && i < thread->columns[c]->n_node; i++)
			sums[thread->columns[c]->node[i]] += thread->columns[c]->value[i];
}

static int compare_columns(const struct one_thread *one, const struct profile_trace_values *values)
{
	size_t count = one->file->process->map_size;
	uint64_t *sums = calloc(count + 1, sizeof(*sums));
	if (!sums)
		return -ENOMEM;
	for (uint32_t m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
		if (profile_metric_is_sketched((enum heddle_metric)m))
			continue;
		add_columns(sums, count, one->thread, m);
		for (uint32_t n = 0; n < count; n++) {
			uint64_t found = values->of[m] && n < values->node_count ? values->of[m][n] : 0;
			compare(one, (struct profile_trace_difference){
					     .node = n, .metric = m, .profile = sums[n], .trace = found});
		}
	}
	free(sums);
	return 0;
}

/* ---- distributions ---- */

static uint64_t count_of(const struct profile_distributions *set, const Heddle__Profile__Distribution *like)
{
	size_t count;
	const struct profile_distribution *found = profile_distributions_of(set, like->node, &count);
	for (size_t i = 0; i < count; i++)
		if (found[i].argument == like->argument && found[i].text == like->text &&
			found[i].minimum == like->minimum && found[i].maximum == like->maximum)
			return found[i].count;
	return 0;
}

/* Sums are not compared, because their last digits depend on the order of adding. */
static void compare_distributions(const struct one_thread *one, struct profile_distributions *set)
{
	uint64_t profile = 0, trace = 0;
	profile_distributions_sort(set);
	for (size_t i = 0; i < one->thread->n_distributions; i++) {
		const Heddle__Profile__Distribution *like = one->thread->distributions[i];
		profile += like->count;
		compare(one, (struct profile_trace_difference){.node = like->node,
				     .distribution = true,
				     .profile = like->count,
				     .trace = count_of(set, like)});
	}
	for (size_t i = 0; i < set->count; i++)
		trace += set->items[i].count;
	if (profile != trace)
		compare(one,
			(struct profile_trace_difference){.distribution = true, .profile = profile, .trace = trace});
}

/* ---- threads ---- */

/* Returns the index of the trace's thread with that id, or the number of threads if there is none. */
static size_t find_thread(const struct comparing *all, uint32_t id)
{
	size_t t = 0;
	while (t < all->trace->thread_count &&
		(all->trace->threads[t].file != all->file || all->trace->threads[t].id != id))
		t++;
	return t;
}

static int compare_thread(
	struct comparing *all, const Heddle__Profile__Thread *thread, struct profile_trace_check *check)
{
	struct profile_trace_sum sum = {0};
	struct one_thread one = {file_of(all), thread, check};
	size_t number = find_thread(all, thread->id);
	int error = 0;
	if (number < all->trace->thread_count)
		error = profile_trace_add_up(&sum, all->trace, number, &profile_trace_whole);
	check->broken += error == -HEDDLE_CORRUPTED;
	profile_trace_fold(&sum.values, one.file);
	profile_trace_convert(&sum.values, one.file);
	if (!error || error == -HEDDLE_CORRUPTED)
		error = compare_columns(&one, &sum.values);
	if (!error)
		compare_distributions(&one, &sum.distributions);
	profile_trace_sum_free(&sum);
	check->threads++;
	return error;
}

static int compare_section(void *context, size_t worker, size_t index)
{
	(void)worker;
	struct comparing *all = context;
	const struct profile_process *process = file_of(all)->process;
	Heddle__Profile__Thread *thread;
	int error = profile_decode_thread(all->sections[index], process->info, process->map_size - 1, &thread);
	if (error)
		return error;
	error = compare_thread(all, thread, &all->results[index]);
	heddle__profile__thread__free_unpacked(thread, NULL);
	return error;
}

static void add_result(struct profile_trace_check *check, const struct profile_trace_check *more)
{
	for (uint64_t i = 0; i < more->differences && i < HEDDLE_TRACE_DIFFERENCES; i++)
		if (check->differences + i < HEDDLE_TRACE_DIFFERENCES)
			check->first[check->differences + i] = more->first[i];
	check->threads += more->threads;
	check->broken += more->broken;
	check->values += more->values;
	check->differences += more->differences;
}

static int compare_sections(struct profile_trace_check *check, struct comparing *all, const struct profile_file *file)
{
	size_t count = 0;
	all->sections = calloc(file->section_count + 1, sizeof(*all->sections));
	all->results = calloc(file->section_count + 1, sizeof(*all->results));
	int error = all->sections && all->results ? 0 : -ENOMEM;
	for (size_t i = 0; !error && i < file->section_count; i++)
		if (file->sections[i].type == HEDDLE_SECTION_THREAD)
			all->sections[count++] = &file->sections[i];
	if (!error)
		error = profile_parallel(profile_processors(), count, compare_section, all);
	for (size_t i = 0; !error && i < count; i++)
		add_result(check, &all->results[i]);
	free(all->sections);
	free(all->results);
	return error;
}

static int compare_file(struct profile_trace_check *check, const struct profile_trace *trace, uint32_t number)
{
	struct profile_file file;
	struct comparing all = {.trace = trace, .file = number};
	int error = profile_file_open(&file, trace->files[number].process->path);
	if (error)
		return error;
	error = compare_sections(check, &all, &file);
	profile_file_close(&file);
	return error;
}

int profile_trace_check(struct profile_trace_check *check, const struct profile_trace *trace, char **bad_path)
{
	*check = (struct profile_trace_check){0};
	*bad_path = NULL;
	for (uint32_t f = 0; f < trace->file_count; f++) {
		int error = compare_file(check, trace, f);
		if (error) {
			*bad_path = strdup(trace->files[f].process->path);
			return error;
		}
	}
	return 0;
}
