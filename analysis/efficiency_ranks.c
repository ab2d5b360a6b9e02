/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank is the threads of a process that have its number, or the whole process. Its first thread is the one that
 * communicates and works alone outside of parallel regions.
 */
#include "analysis/efficiency_ranks.h"

#include "analysis/efficiency.h"
#include "profile/base/intern.h"
#include "profile/view/system_code.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* A rank of the process that is being added. */
struct rank {
	struct heddle_rank_sums *sums;
	const size_t *threads; /* indices into the process's threads; the rank's first thread comes first */
	size_t count;
};

static const struct heddle_cell_times *times_of(const struct rank *rank, size_t t, size_t cell)
{
	return &rank->sums->times[rank->threads[t] * rank->sums->cells.count + cell];
}

static double time_of(const struct rank *rank, size_t t, size_t cell, enum heddle_spent spent)
{
	const struct heddle_cell_times *times = times_of(rank, t, cell);
	switch (spent) {
	case HEDDLE_SPENT_EXCHANGE: /* events measure a wait's length; without events, samples show how long it spun */
	case HEDDLE_SPENT_BARRIER:
	case HEDDLE_SPENT_WAIT:
	case HEDDLE_SPENT_IDLE:
		return fmax(times->cpu[spent], times->wall[spent]);
	default:
		return rank->sums->sampled ? times->cpu[spent] : times->wall[spent];
	}
}

/* Returns all known time of the thread in a cell, except idleness. */
static double busy_in(const struct rank *rank, size_t t, size_t cell)
{
	double sum = 0;
	for (int spent = 0; spent < HEDDLE_SPENT_IDLE; spent++)
		sum += time_of(rank, t, cell, spent);
	return sum;
}

/* ---- the run, and phases ---- */

static double sum_in(const struct rank *rank, size_t t, uint32_t phase, enum heddle_spent spent)
{
	double sum = 0;
	for (size_t cell = 0; cell < rank->sums->cells.count; cell++)
		if (heddle__cell_is_in(&rank->sums->cells, cell, phase))
			sum += time_of(rank, t, cell, spent);
	return sum;
}

static double accounted(const struct rank *rank, size_t t, uint32_t phase)
{
	double sum = 0;
	for (int spent = 0; spent < HEDDLE_SPENT_IDLE; spent++)
		sum += sum_in(rank, t, phase, spent);
	return sum;
}

static const struct profile_thread *thread_of(const struct rank *rank, size_t t)
{
	return &rank->sums->process->threads[rank->threads[t]];
}

/* Returns how long a thread of a team existed and was not idle. */
static double present(const struct rank *rank, size_t t, uint32_t phase)
{
	double busy = accounted(rank, t, phase), wall = (double)thread_of(rank, t)->wall_ns;
	if (phase || !wall || rank->sums->process->parted)
		return busy;
	return fmax(busy, wall - sum_in(rank, t, phase, HEDDLE_SPENT_IDLE));
}

static struct heddle_job_sums *job_of(const struct rank *rank)
{
	size_t process = (size_t)(rank->sums->process - rank->sums->measurement->processes);
	return &rank->sums->by_job[rank->sums->jobs.of_process[process]];
}

static double elapsed_in(const struct rank *rank, uint32_t phase)
{
	double longest = 0;
	if (!phase && !rank->sums->process->parted) {
		double wall = (double)thread_of(rank, 0)->wall_ns;
		return wall > 0 ? fmin(wall, job_of(rank)->elapsed_ns) : job_of(rank)->elapsed_ns;
	}
	for (size_t t = 0; t < rank->count; t++)
		longest = fmax(longest, accounted(rank, t, phase));
	return longest;
}

/*
 * Returns the time that threads waited at barriers of a region for others with more work: summed over the parts of the
 * region, so that loops that are uneven in opposite ways do not cancel out. `phase` 0: in any phase.
 */
static double imbalance_in(const struct rank *rank, uint32_t phase, uint32_t region, bool place)
{
	const struct heddle_cells *cells = &rank->sums->cells;
	double all = 0;
	for (size_t t = 0; t < rank->count; t++) {
		double behind = 0, waited = 0, worst = 0;
		uint32_t worst_unit = region;
		for (size_t c = 0; c < cells->count; c++) {
			if (cells->cells[c].region != region || !heddle__cell_is_in(cells, c, phase))
				continue;
			double most = 0, own = time_of(rank, t, c, HEDDLE_SPENT_USEFUL);
			for (size_t other = 0; other < rank->count; other++)
				most = fmax(most, time_of(rank, other, c, HEDDLE_SPENT_USEFUL));
			behind += most - own;
			waited += time_of(rank, t, c, HEDDLE_SPENT_BARRIER);
			if (most - own > worst) {
				worst = most - own;
				worst_unit = cells->cells[c].unit;
			}
		}
		all += fmin(behind, waited);
		if (place)
			rank->sums->places[HEDDLE_FACTOR_THREAD_BALANCE][worst_unit] += fmin(behind, waited);
	}
	return all;
}

/* Returns the load imbalance of all regions of a phase. */
static double imbalance_of(const struct rank *rank, uint32_t phase)
{
	const struct heddle_cells *cells = &rank->sums->cells;
	double sum = 0;
	for (size_t c = 0; c < cells->count; c++) {
		bool known = cells->cells[c].region == HEDDLE_NO_LABEL || !heddle__cell_is_in(cells, c, phase);
		for (size_t before = 0; !known && before < c; before++)
			known = cells->cells[before].region == cells->cells[c].region &&
				heddle__cell_is_in(cells, before, phase);
		if (!known)
			sum += imbalance_in(rank, phase, cells->cells[c].region, !phase);
	}
	return sum;
}

static void add_to_job(const struct rank *rank, double elapsed, double outside)
{
	struct heddle_job_sums *job = job_of(rank);
	job->ranks++;
	job->threads += rank->count;
	job->longest = fmax(job->longest, elapsed);
	job->most_outside = fmax(job->most_outside, outside);
}

static void add_to_phase(const struct rank *rank, uint32_t phase)
{
	struct heddle_scope_sums *sum = &rank->sums->scopes[phase];
	double elapsed = elapsed_in(rank, phase), waits = 0;
	double exchange =
		sum_in(rank, 0, phase, HEDDLE_SPENT_EXCHANGE) + sum_in(rank, 0, phase, HEDDLE_SPENT_EXCHANGING);
	double outside = fmax(elapsed - exchange, 0);
	if (elapsed <= 0)
		return;
	if (!phase)
		add_to_job(rank, elapsed, outside);
	sum->ranks++;
	sum->threads += rank->count;
	sum->longest = fmax(sum->longest, elapsed);
	sum->outside += outside * (double)rank->count;
	sum->most_outside = fmax(sum->most_outside, outside);
	for (size_t t = 0; t < rank->count; t++) {
		sum->useful += sum_in(rank, t, phase, HEDDLE_SPENT_USEFUL);
		sum->lost[HEDDLE_FACTOR_RUNTIME] += sum_in(rank, t, phase, HEDDLE_SPENT_RUNTIME);
		sum->lost[HEDDLE_FACTOR_MEASUREMENT] += sum_in(rank, t, phase, HEDDLE_SPENT_MEASURING);
		waits += sum_in(rank, t, phase, HEDDLE_SPENT_BARRIER) + sum_in(rank, t, phase, HEDDLE_SPENT_WAIT);
		if (t > 0) /* exchanges of other threads count as waits */
			waits += sum_in(rank, t, phase, HEDDLE_SPENT_EXCHANGE) +
				 sum_in(rank, t, phase, HEDDLE_SPENT_EXCHANGING);
		if (t > 0)
			sum->lost[HEDDLE_FACTOR_SERIALIZATION] += fmax(outside - present(rank, t, phase), 0);
	}
	double imbalance = imbalance_of(rank, phase);
	sum->lost[HEDDLE_FACTOR_THREAD_BALANCE] += imbalance;
	sum->lost[HEDDLE_FACTOR_SYNCHRONIZATION] += fmax(waits - imbalance, 0);
}

/* ---- regions ---- */

static struct heddle_scope_sums *region_sums(struct heddle_rank_sums *sums, uint32_t label)
{
	for (size_t s = sums->cells.phase_count; s < sums->count; s++)
		if (sums->scopes[s].label == label)
			return &sums->scopes[s];
	if (profile_reserve(&sums->scopes, &sums->capacity, sums->count + 1, sizeof(*sums->scopes)) != 0)
		return NULL;
	sums->scopes[sums->count] = (struct heddle_scope_sums){.kind = HEDDLE_SCOPE_REGION, .label = label};
	return &sums->scopes[sums->count++];
}

static int add_region(const struct rank *rank, uint32_t label)
{
	const struct heddle_cells *cells = &rank->sums->cells;
	struct heddle_scope_sums *sum = region_sums(rank->sums, label);
	double longest = 0, waits = 0;
	size_t threads = 0;
	if (!sum)
		return -ENOMEM;
	for (size_t t = 0; t < rank->count; t++) {
		double busy = 0;
		for (size_t c = 0; c < cells->count; c++) {
			if (cells->cells[c].region != label)
				continue;
			busy += busy_in(rank, t, c);
			sum->useful += time_of(rank, t, c, HEDDLE_SPENT_USEFUL);
			sum->lost[HEDDLE_FACTOR_RUNTIME] += time_of(rank, t, c, HEDDLE_SPENT_RUNTIME);
			sum->lost[HEDDLE_FACTOR_MEASUREMENT] += time_of(rank, t, c, HEDDLE_SPENT_MEASURING);
			waits += time_of(rank, t, c, HEDDLE_SPENT_BARRIER) + time_of(rank, t, c, HEDDLE_SPENT_WAIT);
		}
		threads += busy > 0;
		longest = fmax(longest, busy);
	}
	double imbalance = imbalance_in(rank, 0, label, false);
	sum->lost[HEDDLE_FACTOR_THREAD_BALANCE] += imbalance;
	sum->lost[HEDDLE_FACTOR_SYNCHRONIZATION] += fmax(waits - imbalance, 0);
	sum->ranks += threads > 0;
	sum->threads += threads;
	sum->longest = fmax(sum->longest, longest);
	sum->outside += longest * (double)threads;
	return 0;
}

/* ---- ranks of a process ---- */

static bool counts(const struct heddle_rank_sums *sums, const struct profile_thread *thread)
{
	return sums->everyone ? profile_thread_number(thread) > 0 : profile_thread_is_worker(thread);
}

static int add_rank(struct heddle_rank_sums *sums, const size_t *threads, size_t count)
{
	struct rank rank = {sums, threads, count};
	const struct heddle_cells *cells = &sums->cells;
	int error = 0;
	for (uint32_t phase = 0; phase < cells->phase_count; phase++)
		add_to_phase(&rank, phase);
	for (size_t c = 0; !error && c < cells->count; c++) {
		bool known = cells->cells[c].region == HEDDLE_NO_LABEL;
		for (size_t before = 0; !known && before < c; before++)
			known = cells->cells[before].region == cells->cells[c].region;
		if (!known)
			error = add_region(&rank, cells->cells[c].region);
	}
	return error;
}

/* True if a thread is preferred as the first of its rank. */
static bool comes_before(const struct profile_thread *thread, const struct profile_thread *other)
{
	if (profile_thread_is_rank(thread) != profile_thread_is_rank(other))
		return profile_thread_is_rank(thread);
	if ((thread->number == 0) != (other->number == 0))
		return thread->number == 0;
	return thread->id < other->id;
}

int heddle__rank_sums_add(struct heddle_rank_sums *sums)
{
	const struct profile_process *process = sums->process;
	uint32_t only = process->only_rank; /* of threads without a rank */
	size_t *threads = calloc(process->thread_count + 1, sizeof(*threads));
	bool *added = calloc(process->thread_count + 1, sizeof(*added));
	int error = threads && added ? 0 : -ENOMEM;
	for (size_t first = 0; !error && first < process->thread_count; first++) {
		uint32_t rank = process->threads[first].rank ? process->threads[first].rank : only;
		size_t count = 0;
		if (added[first] || !counts(sums, &process->threads[first]))
			continue;
		for (size_t t = first; t < process->thread_count; t++) {
			uint32_t own = process->threads[t].rank ? process->threads[t].rank : only;
			if (added[t] || own != rank || !counts(sums, &process->threads[t]))
				continue;
			added[t] = true;
			threads[count++] = t;
			if (!comes_before(&process->threads[t], &process->threads[threads[0]]))
				continue;
			threads[count - 1] = threads[0];
			threads[0] = t;
		}
		if (count)
			error = add_rank(sums, threads, count);
	}
	free(threads);
	free(added);
	return error;
}

/* ---- places ---- */

/* Returns the factor to which time of a kind is lost, for the places; HEDDLE_FACTOR_COUNT: none. */
static enum heddle_factor factor_of(const struct heddle_rank_sums *sums, enum heddle_spent spent, uint32_t node)
{
	const struct heddle_cell *cell = &sums->cells.cells[sums->cells.of_node[node]];
	switch (spent) {
	case HEDDLE_SPENT_EXCHANGE:
		return HEDDLE_FACTOR_COMMUNICATION;
	case HEDDLE_SPENT_BARRIER:
	case HEDDLE_SPENT_WAIT:
		return HEDDLE_FACTOR_SYNCHRONIZATION;
	case HEDDLE_SPENT_RUNTIME:
		return HEDDLE_FACTOR_RUNTIME;
	case HEDDLE_SPENT_USEFUL:
		return cell->region == HEDDLE_NO_LABEL ? HEDDLE_FACTOR_SERIALIZATION : HEDDLE_FACTOR_COUNT;
	default:
		return HEDDLE_FACTOR_COUNT;
	}
}

void heddle__rank_sums_place(struct heddle_rank_sums *sums, const struct profile_thread_values *values, size_t i)
{
	const struct profile_view *view = sums->view;
	uint32_t node = values->nodes[i], shown = profile_view_holder(view, node, values->metric);
	enum heddle_factor factor = factor_of(sums, sums->cells.spent[node], node);
	bool by_cpu = factor == HEDDLE_FACTOR_SERIALIZATION || factor == HEDDLE_FACTOR_RUNTIME;
	if (factor == HEDDLE_FACTOR_COUNT || (values->metric == HEDDLE_METRIC_CPU_TIME) != (by_cpu && sums->sampled))
		return;
	while (shown && view->labels[view->label_of[shown]].kind == HEDDLE_NODE_STATE)
		shown = view->parents[shown];
	uint32_t label = view->label_of[profile_user_code(view, shown)];
	if (view->labels[label].kind == HEDDLE_NODE_ROOT)
		return;
	sums->places[factor][label] += (double)values->values[i];
	if (factor == HEDDLE_FACTOR_COMMUNICATION)
		sums->places[HEDDLE_FACTOR_RANK_BALANCE][label] += (double)values->values[i];
}

/* ---- memory ---- */

static int make_jobs(struct heddle_rank_sums *sums)
{
	int error = heddle__jobs_make(&sums->jobs, sums->measurement);
	sums->by_job = error ? NULL : calloc(sums->jobs.count + 1, sizeof(*sums->by_job));
	for (size_t job = 0; sums->by_job && job < sums->jobs.count; job++)
		sums->by_job[job].elapsed_ns =
			(double)heddle__efficiency_job_elapsed(sums->measurement, sums->everyone, &sums->jobs, job);
	return sums->by_job ? 0 : -ENOMEM;
}

int heddle__rank_sums_make(struct heddle_rank_sums *sums)
{
	int error = heddle__cells_make(&sums->cells, sums->measurement, sums->view);
	if (!error)
		error = make_jobs(sums);
	if (error)
		return error;
	sums->capacity = sums->cells.phase_count + 16;
	sums->scopes = calloc(sums->capacity, sizeof(*sums->scopes));
	for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++) {
		sums->places[factor] = calloc(sums->view->label_count + 1, sizeof(*sums->places[factor]));
		if (!sums->places[factor])
			error = -ENOMEM;
	}
	if (error || !sums->scopes)
		return -ENOMEM;
	sums->count = sums->cells.phase_count;
	for (uint32_t phase = 0; phase < sums->count; phase++) {
		sums->scopes[phase].kind = phase ? HEDDLE_SCOPE_PHASE : HEDDLE_SCOPE_RUN;
		sums->scopes[phase].label = sums->cells.phases[phase].label;
	}
	return 0;
}

void heddle__rank_sums_free(struct heddle_rank_sums *sums)
{
	heddle__cells_free(&sums->cells);
	for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++)
		free(sums->places[factor]);
	heddle__jobs_free(&sums->jobs);
	free(sums->by_job);
	free(sums->times);
	free(sums->scopes);
	*sums = (struct heddle_rank_sums){0};
}
