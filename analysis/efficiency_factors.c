/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over ranks, and their quotients. The values of one process's threads are collected by cell, then its ranks are
 * added to the scopes that they were in, so memory does not grow with the number of processes.
 */
#include "analysis/efficiency_factors.h"

#include "analysis/efficiency.h"
#include "analysis/efficiency_ranks.h"
#include "profile/base/errors.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *label, *loss;
} texts[HEDDLE_FACTOR_COUNT] = {
#define X(id, name, label, loss) {name, label, loss},
	HEDDLE_FACTORS(X)
#undef X
};

const char *heddle__factor_label(enum heddle_factor factor)
{
	return texts[factor].label;
}

const char *heddle__factor_name(enum heddle_factor factor)
{
	return texts[factor].name;
}

const char *heddle__factor_loss(enum heddle_factor factor)
{
	return texts[factor].loss;
}

bool heddle__factor_matters(const struct heddle_efficiency_factors *factors, enum heddle_factor factor)
{
	if (factor < HEDDLE_FACTOR_FIRST_OF_THREADS)
		return factors->of_ranks;
	if (factor <= HEDDLE_FACTOR_SYNCHRONIZATION)
		return factors->of_threads;
	return true;
}

/* ---- reading ---- */

static int finish_process(struct heddle_rank_sums *sums)
{
	int error = sums->process ? heddle__rank_sums_add(sums) : 0;
	sums->process = NULL;
	return error;
}

static int begin_process(struct heddle_rank_sums *sums, const struct profile_process *process)
{
	size_t room = process->thread_count * sums->cells.count;
	free(sums->times);
	sums->times = calloc(room + 1, sizeof(*sums->times));
	sums->process = process;
	return sums->times ? 0 : -ENOMEM;
}

static int add_values(void *context, const struct profile_thread_values *values)
{
	struct heddle_rank_sums *sums = context;
	int error = 0;
	if (values->process != sums->process) {
		error = finish_process(sums);
		if (!error)
			error = begin_process(sums, values->process);
	}
	size_t thread = error ? 0 : (size_t)(values->thread - values->process->threads);
	struct heddle_cell_times *times = error ? NULL : &sums->times[thread * sums->cells.count];
	for (size_t i = 0; !error && i < values->count; i++) {
		uint32_t node = values->nodes[i];
		struct heddle_cell_times *cell = &times[sums->cells.of_node[node]];
		double *of = values->metric == HEDDLE_METRIC_CPU_TIME ? cell->cpu : cell->wall;
		of[sums->cells.spent[node]] += (double)values->values[i];
		heddle__rank_sums_place(sums, values, i);
	}
	return error;
}

/* ---- quotients ---- */

/* What remains cannot be less than useful time, which is known from samples: larger losses are within its error. */
static void close_scope(struct heddle_efficiency_scope *scope, const struct heddle_scope_sums *sum)
{
	double useful = sum->useful, lost = 0, *left = scope->left;
	if (scope->kind == HEDDLE_SCOPE_REGION)
		left[0] = left[1] = left[2] = fmax(sum->outside, useful);
	else {
		left[0] = fmax(left[0], useful);
		left[2] = fmin(fmax(sum->outside, useful), left[0]);
		left[1] = fmin(fmax(left[1], left[2]), left[0]);
	}
	for (int factor = HEDDLE_FACTOR_FIRST_OF_THREADS; factor < HEDDLE_FACTOR_PROCESSORS; factor++)
		lost += sum->lost[factor];
	double scale = lost > left[2] - useful ? (left[2] - useful) / lost : 1;
	for (int factor = HEDDLE_FACTOR_FIRST_OF_THREADS; factor < HEDDLE_FACTOR_PROCESSORS; factor++)
		left[factor + 1] = fmax(left[factor] - scale * sum->lost[factor], useful);
	left[HEDDLE_FACTOR_COUNT] = useful;
}

static void name_places(struct heddle_efficiency_scope *run, const struct heddle_rank_sums *sums)
{
	for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++) {
		const double *by_label = sums->places[factor];
		for (size_t label = 0; label < sums->view->label_count; label++)
			if (by_label[label] > run->place[factor].ns)
				run->place[factor] = (struct heddle_loss_place){(uint32_t)label, by_label[label]};
	}
}

static double lost_of(const struct heddle_efficiency_scope *scope)
{
	return scope->left[0] - scope->left[HEDDLE_FACTOR_COUNT];
}

static int by_loss(const void *a, const void *b)
{
	const struct heddle_efficiency_scope *x = a, *y = b;
	if (x->kind != y->kind)
		return (int)x->kind - (int)y->kind;
	double left = lost_of(x), right = lost_of(y);
	if (left != right)
		return left > right ? -1 : 1;
	return x->label < y->label ? -1 : x->label > y->label;
}

/*
 * Adds the thread time of all jobs, and what communication leaves of it: ranks wait only for others of their job. A
 * process exists longer than its threads, at both ends; with one rank that is not communication. True if a job has
 * several ranks.
 */
static bool add_jobs(struct heddle_efficiency_scope *run, const struct heddle_rank_sums *sums)
{
	bool several = false;
	for (size_t j = 0; j < sums->jobs.count; j++) {
		const struct heddle_job_sums *job = &sums->by_job[j];
		run->left[0] += (double)job->threads * (job->ranks > 1 ? job->elapsed_ns : job->longest);
		run->left[1] += (double)job->threads * job->most_outside;
		several |= job->ranks > 1;
	}
	return several;
}

static int close_all(struct heddle_efficiency_factors *factors, struct heddle_rank_sums *sums)
{
	factors->scopes = calloc(sums->count + 1, sizeof(*factors->scopes));
	if (!factors->scopes)
		return -ENOMEM;
	double elapsed = sums->scopes[0].ranks > 1 ? (double)heddle__efficiency_elapsed(sums->measurement)
						   : sums->scopes[0].longest;
	for (size_t s = 0; s < sums->count; s++) {
		const struct heddle_scope_sums *sum = &sums->scopes[s];
		struct heddle_efficiency_scope *scope = &factors->scopes[factors->count];
		*scope = (struct heddle_efficiency_scope){.kind = sum->kind,
			.label = sum->label,
			.ranks = sum->ranks,
			.threads = sum->threads,
			.elapsed_ns = s ? sum->longest : elapsed};
		scope->left[0] = s ? (double)sum->threads * sum->longest : 0;
		scope->left[1] = s ? (double)sum->threads * sum->most_outside : 0;
		if (!s)
			factors->of_ranks = add_jobs(scope, sums);
		for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++)
			scope->place[factor].label = HEDDLE_NO_LABEL;
		close_scope(scope, sum);
		factors->count += s == 0 || scope->left[0] > 0;
	}
	name_places(&factors->scopes[0], sums);
	qsort(factors->scopes, factors->count, sizeof(*factors->scopes), by_loss);
	factors->of_threads = factors->scopes[0].threads > factors->scopes[0].ranks;
	return 0;
}

/* ---- the factors ---- */

static bool has_workers(const struct profile_measurement *measurement)
{
	bool some = false;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		for (size_t t = 0; !process->error && t < process->thread_count; t++)
			some |= profile_thread_is_worker(&process->threads[t]);
	}
	return some;
}

int heddle__efficiency_factors_make(struct heddle_efficiency_factors *factors,
	const struct profile_measurement *measurement, const struct profile_view *view)
{
	static const enum heddle_metric metrics[] = {HEDDLE_METRIC_CPU_TIME, HEDDLE_METRIC_WALL_TIME};
	struct heddle_rank_sums sums = {.measurement = measurement,
		.view = view,
		.everyone = !has_workers(measurement),
		.sampled = profile_measurement_total(measurement, HEDDLE_METRIC_CPU_TIME) != 0};
	*factors = (struct heddle_efficiency_factors){.of_everyone = sums.everyone};
	int error = measurement->merged ? -HEDDLE_MERGED : heddle__rank_sums_make(&sums);
	if (!error)
		error = profile_measurement_thread_metrics(measurement, metrics, 2, add_values, &sums);
	if (!error)
		error = finish_process(&sums);
	if (!error)
		error = close_all(factors, &sums);
	heddle__rank_sums_free(&sums);
	return error;
}

void heddle__efficiency_factors_free(struct heddle_efficiency_factors *factors)
{
	free(factors->scopes);
	*factors = (struct heddle_efficiency_factors){0};
}
