/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums runs by scale. Runs are added one by one, so only the values of their paths are in memory at the same time. */
#include "analysis/scaling.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/significance.h"
#include "profile/base/errors.h"

/* ---- runs ---- */

static void describe(struct heddle_scaling *scaling, struct heddle_scaling_run *run,
	const struct heddle_efficiency_factors *factors, double scale)
{
	const struct heddle_efficiency_scope *whole = &factors->scopes[0];
	run->number = scaling->run_count;
	run->threads = (double)whole->threads;
	run->ranks = (double)whole->ranks;
	run->scale = scale > 0 ? scale : run->threads;
	run->elapsed_ns = whole->elapsed_ns;
	run->useful_ns = whole->left[HEDDLE_FACTOR_COUNT];
	memcpy(run->left, whole->left, sizeof(run->left));
	scaling->counted =
		(scaling->counted || scaling->run_count == 1) && run->counts.instructions > 0 && run->counts.cycles > 0;
	scaling->of_ranks |= factors->of_ranks;
	scaling->of_threads |= factors->of_threads;
}

/* Returns NULL if there is no memory. */
static struct heddle_scaling *phase_of(struct heddle_scaling *scaling, const char *name)
{
	for (size_t i = 0; i < scaling->phase_count; i++)
		if (strcmp(scaling->phases[i].name, name) == 0)
			return &scaling->phases[i].of;
	char *copy = strdup(name);
	if (!copy || profile_reserve(&scaling->phases, &scaling->phase_capacity, scaling->phase_count + 1,
			     sizeof(*scaling->phases)) != 0) {
		free(copy);
		return NULL;
	}
	struct heddle_scaling_phase *phase = &scaling->phases[scaling->phase_count++];
	*phase = (struct heddle_scaling_phase){.name = copy, .of.metric = scaling->metric};
	return &phase->of;
}

/* A phase that occurs within different phases is added up. */
static int add_phase(struct heddle_scaling *phase, const struct heddle_scaling_run *whole,
	const struct heddle_efficiency_scope *scope)
{
	bool known = phase->run_count && phase->runs[phase->run_count - 1].number == whole->number;
	int error =
		known ? 0
		      : profile_reserve(&phase->runs, &phase->run_capacity, phase->run_count + 1, sizeof(*phase->runs));
	if (error)
		return error;
	if (!known)
		phase->runs[phase->run_count++] = (struct heddle_scaling_run){.number = whole->number,
			.scale = whole->scale,
			.threads = whole->threads,
			.ranks = whole->ranks};
	struct heddle_scaling_run *run = &phase->runs[phase->run_count - 1];
	run->elapsed_ns += scope->elapsed_ns;
	run->useful_ns += scope->left[HEDDLE_FACTOR_COUNT];
	for (int f = 0; f <= HEDDLE_FACTOR_COUNT; f++)
		run->left[f] += scope->left[f];
	return 0;
}

static int add_phases(struct heddle_scaling *scaling, const struct heddle_efficiency_factors *factors,
	const struct profile_view *view)
{
	int error = 0;
	for (size_t s = 1; !error && s < factors->count; s++) {
		const struct heddle_efficiency_scope *scope = &factors->scopes[s];
		if (scope->kind != HEDDLE_SCOPE_PHASE)
			continue;
		struct heddle_scaling *phase = phase_of(scaling, view->labels[scope->label].text);
		error = phase ? add_phase(phase, &scaling->runs[scaling->run_count - 1], scope) : -ENOMEM;
	}
	return error;
}

int heddle__scaling_add(struct heddle_scaling *scaling, const struct profile_measurement *measurement,
	const struct profile_view *view, double scale)
{
	struct heddle_efficiency_factors factors;
	struct heddle_path_times times = {0};
	int error =
		profile_reserve(&scaling->runs, &scaling->run_capacity, scaling->run_count + 1, sizeof(*scaling->runs));
	if (error)
		return error;
	error = heddle__efficiency_factors_make(&factors, measurement, view);
	if (!error)
		error = heddle__path_times_make(&times, measurement, view, scaling->metric);
	struct heddle_path_times kept = {.own = times.most_own, .total = times.total, .most_total = times.most_total};
	if (!error)
		error = heddle__comparison_add_times(&scaling->comparison, view, &kept);
	if (!error)
		error = heddle__useful_counts_make(&scaling->runs[scaling->run_count].counts, measurement);
	if (!error)
		describe(scaling, &scaling->runs[scaling->run_count++], &factors, scale);
	if (!error)
		error = add_phases(scaling, &factors, view);
	heddle__path_times_free(&times);
	heddle__efficiency_factors_free(&factors);
	return error;
}

/* ---- points ---- */

static int by_scale(const void *a, const void *b)
{
	const struct heddle_scaling_point *x = a, *y = b;
	if (x->scale != y->scale)
		return x->scale > y->scale ? 1 : -1;
	return (x->ranks > y->ranks) - (x->ranks < y->ranks);
}

/* Two ranks with one thread each are not one rank with two. */
static bool is_of(const struct heddle_scaling *scaling, const struct heddle_scaling_run *run,
	const struct heddle_scaling_point *point)
{
	return run->scale == point->scale && (scaling->own_scale || run->ranks == point->ranks);
}

static void add_point(struct heddle_scaling *scaling, const struct heddle_scaling_run *run)
{
	for (size_t i = 0; i < scaling->point_count; i++)
		if (is_of(scaling, run, &scaling->points[i]))
			return;
	scaling->points[scaling->point_count++] =
		(struct heddle_scaling_point){.scale = run->scale, .ranks = run->ranks};
}

/* Half of the interval of a mean at 95 % confidence. */
static double margin_of(double sum, double squares, size_t count)
{
	if (count < 2)
		return 0;
	double variance = (squares - sum * sum / (double)count) / (double)(count - 1);
	return heddle__critical_t((double)(count - 1)) * sqrt(fmax(variance, 0) / (double)count);
}

/* Returns a value of one run; quotients by the smallest scale are not computed yet. */
static double value_of(const struct heddle_scaling_run *run, int value)
{
	const struct heddle_useful_counts *counts = &run->counts;
	const double *left = run->left;
	switch (value) {
	case HEDDLE_SCALING_COMPUTATION:
		return run->useful_ns;
	case HEDDLE_SCALING_INSTRUCTIONS:
		return counts->instructions;
	case HEDDLE_SCALING_IPC_IS:
	case HEDDLE_SCALING_IPC:
		return counts->cycles > 0 ? counts->instructions / counts->cycles : 0;
	case HEDDLE_SCALING_CLOCK:
		return run->useful_ns > 0 ? counts->cycles / run->useful_ns : 0;
	case HEDDLE_SCALING_PARALLEL:
		return left[0] > 0 ? left[HEDDLE_FACTOR_COUNT] / left[0] : 0;
	default:
		if (value < HEDDLE_SCALING_FACTORS)
			return run->elapsed_ns;
		value -= HEDDLE_SCALING_FACTORS;
		return left[value] > 0 ? left[value + 1] / left[value] : 1;
	}
}

static void find_margins(const struct heddle_scaling *scaling, struct heddle_scaling_point *point)
{
	for (int value = 0; value < HEDDLE_SCALING_VALUES; value++) {
		double sum = 0, squares = 0;
		for (size_t i = 0; i < scaling->run_count; i++) {
			double one = is_of(scaling, &scaling->runs[i], point) ? value_of(&scaling->runs[i], value) : 0;
			sum += one;
			squares += one * one;
		}
		point->margins[value] = margin_of(sum, squares, point->runs);
	}
}

/* Adds up the runs of a point. */
static void add_up(const struct heddle_scaling *scaling, struct heddle_scaling_point *point)
{
	double elapsed = 0, useful = 0, threads = 0, left[HEDDLE_FACTOR_COUNT + 1] = {0};
	struct heddle_useful_counts counts = {0};
	for (size_t i = 0; i < scaling->run_count; i++) {
		const struct heddle_scaling_run *run = &scaling->runs[i];
		if (!is_of(scaling, run, point))
			continue;
		point->runs++;
		elapsed += run->elapsed_ns;
		useful += run->useful_ns;
		threads += run->threads;
		counts.instructions += run->counts.instructions;
		counts.cycles += run->counts.cycles;
		for (int f = 0; f <= HEDDLE_FACTOR_COUNT; f++)
			left[f] += run->left[f];
	}
	point->elapsed_ns = elapsed / (double)point->runs;
	find_margins(scaling, point);
	point->threads = threads / (double)point->runs;
	point->computation = useful / (double)point->runs;               /* `relate` makes a quotient of it */
	point->instructions = counts.instructions / (double)point->runs; /* likewise */
	point->ipc_is = point->ipc = counts.cycles > 0 ? counts.instructions / counts.cycles : 0;
	point->clock = useful > 0 ? counts.cycles / useful : 0;
	point->parallel = left[0] > 0 ? left[HEDDLE_FACTOR_COUNT] / left[0] : 0;
	for (int f = 0; f < HEDDLE_FACTOR_COUNT; f++)
		point->factors[f] = left[f] > 0 ? left[f + 1] / left[f] : 1;
}

/* Returns the work at a scale relative to the smallest scale. */
static double work_at(const struct heddle_scaling *scaling, double scale)
{
	return scaling->weak ? scale / scaling->points[0].scale : 1;
}

static double by(double value, double reference)
{
	return reference > 0 ? value / reference : 0;
}

/* Returns the margin of the quotient `value`: squares of relative errors add up. The first scale's quotient is 1. */
static double margin_by(const struct heddle_scaling_point *point, const struct heddle_scaling_point *first,
	enum heddle_scaling_value what, double own, double reference, double value)
{
	if (point->scale == first->scale && point->ranks == first->ranks)
		return 0;
	return value * hypot(by(point->margins[what], own), by(first->margins[what], reference));
}

/* Called before `relate` replaces the values by quotients. */
static void relate_margins(struct heddle_scaling_point *point, const struct heddle_scaling_point *first, double work)
{
	const double own[] = {point->elapsed_ns, point->computation, point->instructions, point->ipc, point->clock};
	const double reference[] = {
		first->elapsed_ns, first->computation, first->instructions, first->ipc, first->clock};
	static const enum heddle_scaling_value what[] = {HEDDLE_SCALING_SPEEDUP, HEDDLE_SCALING_COMPUTATION,
		HEDDLE_SCALING_INSTRUCTIONS, HEDDLE_SCALING_IPC, HEDDLE_SCALING_CLOCK};
	for (size_t i = 0; i < sizeof(what) / sizeof(*what); i++) {
		bool rate = what[i] == HEDDLE_SCALING_IPC || what[i] == HEDDLE_SCALING_CLOCK;
		double value = rate ? by(own[i], reference[i]) : by(work * reference[i], own[i]);
		point->margins[what[i]] = margin_by(point, first, what[i], own[i], reference[i], value);
	}
	point->margins[HEDDLE_SCALING_EFFICIENCY] =
		point->margins[HEDDLE_SCALING_SPEEDUP] / (point->scale / first->scale);
}

static void relate(const struct heddle_scaling *scaling, struct heddle_scaling_point *point,
	const struct heddle_scaling_point *first)
{
	double work = work_at(scaling, point->scale), ratio = point->scale / first->scale;
	relate_margins(point, first, work);
	point->speedup = by(work * first->elapsed_ns, point->elapsed_ns);
	point->efficiency = point->speedup / ratio;
	point->computation = by(work * first->computation, point->computation);
	point->instructions = by(work * first->instructions, point->instructions);
	point->ipc = by(point->ipc, first->ipc);
	point->clock = by(point->clock, first->clock);
}

static int finish_phases(struct heddle_scaling *scaling)
{
	int error = 0;
	for (size_t i = 0; !error && i < scaling->phase_count; i++) {
		struct heddle_scaling *phase = &scaling->phases[i].of;
		phase->weak = scaling->weak;
		phase->own_scale = scaling->own_scale;
		phase->of_ranks = scaling->of_ranks;
		phase->of_threads = scaling->of_threads;
		error = heddle__scaling_finish(phase);
	}
	return error;
}

int heddle__scaling_finish(struct heddle_scaling *scaling)
{
	scaling->points = calloc(scaling->run_count, sizeof(*scaling->points));
	scaling->scales = calloc(scaling->run_count, sizeof(*scaling->scales));
	scaling->values = calloc(scaling->run_count, sizeof(*scaling->values));
	scaling->law_scales = calloc(scaling->run_count, sizeof(*scaling->law_scales));
	scaling->law_values = calloc(scaling->run_count, sizeof(*scaling->law_values));
	if (!scaling->points || !scaling->scales || !scaling->values || !scaling->law_scales || !scaling->law_values)
		return -ENOMEM;
	for (size_t i = 0; i < scaling->run_count; i++) {
		scaling->scales[i] = scaling->runs[i].scale;
		add_point(scaling, &scaling->runs[i]);
	}
	qsort(scaling->points, scaling->point_count, sizeof(*scaling->points), by_scale);
	for (size_t i = 0; i < scaling->point_count; i++) {
		add_up(scaling, &scaling->points[i]);
		scaling->scale_count += i == 0 || scaling->points[i].scale != scaling->points[i - 1].scale;
	}
	const struct heddle_scaling_point first = scaling->points[0];
	for (size_t i = 0; i < scaling->point_count; i++)
		relate(scaling, &scaling->points[i], &first);
	return finish_phases(scaling);
}

double heddle__scaling_phase_share(const struct heddle_scaling *scaling, const struct heddle_scaling_phase *phase)
{
	double most = 0;
	for (size_t i = 0; i < phase->of.run_count; i++) {
		const struct heddle_scaling_run *run = &phase->of.runs[i], *whole = &scaling->runs[run->number - 1];
		most = fmax(most, by(run->elapsed_ns, whole->elapsed_ns));
	}
	return most;
}

void heddle__scaling_free(struct heddle_scaling *scaling)
{
	heddle__comparison_free(&scaling->comparison);
	free(scaling->runs);
	free(scaling->points);
	free(scaling->scales);
	free(scaling->values);
	free(scaling->law_scales);
	free(scaling->law_values);
	for (size_t i = 0; i < scaling->phase_count; i++) {
		free(scaling->phases[i].name);
		heddle__scaling_free(&scaling->phases[i].of);
	}
	free(scaling->phases);
	*scaling = (struct heddle_scaling){0};
}

/* ---- paths ---- */

static double mean_at(const struct heddle_scaling *scaling, uint32_t path, double scale,
	uint64_t (*of)(const struct heddle_compared_run *run, uint32_t path))
{
	double sum = 0;
	size_t count = 0;
	for (size_t i = 0; i < scaling->run_count; i++) {
		if (scaling->scales[i] != scale)
			continue;
		sum += (double)of(&scaling->comparison.runs[i], path);
		count++;
	}
	return count ? sum / (double)count : 0;
}

struct heddle_scaling_path heddle__scaling_path(const struct heddle_scaling *scaling, uint32_t path)
{
	double first = scaling->points[0].scale, last = scaling->points[scaling->point_count - 1].scale;
	double before = mean_at(scaling, path, first, heddle__run_total);
	double after = mean_at(scaling, path, last, heddle__run_total);
	double whole = mean_at(scaling, 0, last, heddle__run_total);
	double ideal = scaling->own_scale ? after : before * work_at(scaling, last);
	return (struct heddle_scaling_path){
		.first_ns = mean_at(scaling, path, first, heddle__run_most_total),
		.last_ns = mean_at(scaling, path, last, heddle__run_most_total),
		.loss = whole > 0 ? (after - ideal) / whole : 0,
	};
}

/* A single thread waits for no other: a value that is absent there does not follow a law. */
static bool is_there(const struct heddle_scaling *scaling, const double *values)
{
	bool there = false;
	for (size_t i = 0; i < scaling->run_count; i++)
		there |= scaling->runs[i].threads <= 1 && values[i] > 0;
	return there || scaling->own_scale;
}

void heddle__scaling_model(struct heddle_scaling *scaling, const double *values, struct heddle_model *model)
{
	double *scales = scaling->law_scales, *kept = scaling->law_values;
	bool all = is_there(scaling, values);
	size_t count = 0;
	for (size_t i = 0; i < scaling->run_count; i++) {
		if (!all && scaling->runs[i].threads <= 1)
			continue;
		scales[count] = scaling->scales[i];
		kept[count++] = values[i];
	}
	heddle__model_find(model, scales, kept, count);
}

void heddle__scaling_path_model(struct heddle_scaling *scaling, uint32_t path, struct heddle_model *model)
{
	for (size_t i = 0; i < scaling->run_count; i++)
		scaling->values[i] = (double)heddle__run_most_total(&scaling->comparison.runs[i], path);
	heddle__scaling_model(scaling, scaling->values, model);
}

bool heddle__scaling_named(const struct heddle_scaling *scaling, const char *name, double *values)
{
	const struct heddle_comparison *all = &scaling->comparison;
	bool *inside = calloc(all->count, sizeof(*inside));
	bool found = false;
	memset(values, 0, scaling->run_count * sizeof(*values));
	for (uint32_t i = 1; inside && i < all->count; i++) {
		inside[i] = inside[all->paths[i].parent];
		if (inside[i] || strcmp(all->paths[i].text, name) != 0)
			continue;
		inside[i] = found = true;
		for (size_t r = 0; r < scaling->run_count; r++)
			values[r] += (double)heddle__run_most_total(&all->runs[r], i);
	}
	free(inside);
	return found;
}
