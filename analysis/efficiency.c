/* SPDX-License-Identifier: BSD-3-Clause */
/* Quotients of sums that other tables have, too: the sum over all threads, and the length of the run. */
#include "analysis/efficiency.h"

#include "analysis/thread_table.h"

static bool has_workers(const struct profile_process *process)
{
	bool some = false;
	for (size_t t = 0; t < process->thread_count; t++)
		some |= profile_thread_is_worker(&process->threads[t]);
	return some;
}

/* Returns how long measurement was off, by the thread that existed longest. */
static uint64_t paused_of(const struct profile_process *process)
{
	uint64_t longest = 0, paused = 0;
	for (size_t t = 0; t < process->thread_count; t++) {
		const struct profile_thread *thread = &process->threads[t];
		uint64_t life = thread->end_ns > thread->start_ns ? thread->end_ns - thread->start_ns : 0;
		if (!profile_thread_number(thread) || life <= longest || !thread->wall_ns)
			continue;
		longest = life;
		paused = life > thread->wall_ns ? life - thread->wall_ns : 0;
	}
	return paused;
}

/* `everyone`: no process has working threads, so all processes count. `jobs` NULL: of all jobs. */
static uint64_t elapsed_of(
	const struct profile_measurement *measurement, bool everyone, const struct heddle_jobs *jobs, size_t job)
{
	uint64_t start = UINT64_MAX, end = 0, paused = UINT64_MAX;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (process->error || !(everyone || has_workers(process)) || (jobs && jobs->of_process[p] != job))
			continue;
		uint64_t from = process->info->start_unix_ns, to = from + process->info->duration_ns;
		uint64_t off = paused_of(process);
		start = from < start ? from : start;
		end = to > end ? to : end;
		paused = off < paused ? off : paused;
	}
	return end > start && paused < end - start ? end - start - paused : 0;
}

uint64_t heddle__efficiency_elapsed(const struct profile_measurement *measurement)
{
	uint64_t elapsed = elapsed_of(measurement, false, NULL, 0);
	return elapsed ? elapsed : elapsed_of(measurement, true, NULL, 0);
}

uint64_t heddle__efficiency_job_elapsed(
	const struct profile_measurement *measurement, bool everyone, const struct heddle_jobs *jobs, size_t job)
{
	return elapsed_of(measurement, everyone, jobs, job);
}

bool heddle__efficiency_make(struct heddle_efficiency *efficiency, const struct profile_measurement *measurement)
{
	bool sampled = profile_measurement_total(measurement, HEDDLE_METRIC_CPU_TIME) != 0;
	struct heddle_thread_row all =
		heddle__thread_row_of_all(measurement, sampled ? HEDDLE_METRIC_CPU_TIME : HEDDLE_METRIC_WALL_TIME);
	*efficiency = (struct heddle_efficiency){.threads = all.workers,
		.elapsed_ns = heddle__efficiency_elapsed(measurement),
		.useful_ns = all.work,
		.most_useful_ns = all.most};
	/* A row of threads that ran one after the other may have more time than the run. */
	if (!efficiency->elapsed_ns || !all.work || all.most > efficiency->elapsed_ns)
		return false;
	efficiency->load_balance = (double)all.work / ((double)all.workers * (double)all.most);
	efficiency->communication = (double)all.most / (double)efficiency->elapsed_ns;
	efficiency->parallel = efficiency->load_balance * efficiency->communication;
	return true;
}
