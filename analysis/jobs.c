/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups ranks by model in the order of their starts: a rank that starts after all others ended begins a job. */
#include "analysis/jobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ranked {
	const char *model;
	uint64_t start_ns, end_ns;
	size_t process;
};

static const char *model_of(const struct profile_process *process)
{
	for (size_t t = 0; t < process->thread_count; t++)
		if (profile_thread_is_rank(&process->threads[t]))
			return process->threads[t].rank_model;
	return NULL;
}

static int by_model_and_start(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	int order = strcmp(x->model, y->model);
	if (order != 0)
		return order;
	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static void group(struct heddle_jobs *jobs, const struct ranked *ranked, size_t count)
{
	uint64_t end = 0;
	for (size_t i = 0; i < count; i++) {
		bool together = i && strcmp(ranked[i].model, ranked[i - 1].model) == 0 && ranked[i].start_ns <= end;
		if (!together)
			jobs->count++;
		end = together && end > ranked[i].end_ns ? end : ranked[i].end_ns;
		jobs->of_process[ranked[i].process] = (uint32_t)jobs->count - 1;
	}
}

int heddle__jobs_make(struct heddle_jobs *jobs, const struct profile_measurement *measurement)
{
	struct ranked *ranked = calloc(measurement->process_count + 1, sizeof(*ranked));
	size_t count = 0;
	*jobs = (struct heddle_jobs){calloc(measurement->process_count + 1, sizeof(*jobs->of_process)), 0};
	for (size_t p = 0; ranked && jobs->of_process && p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		const char *model = process->error ? NULL : model_of(process);
		if (model)
			ranked[count++] = (struct ranked){model, process->info->start_unix_ns,
				process->info->start_unix_ns + process->info->duration_ns, p};
		else if (!process->error)
			jobs->of_process[p] = (uint32_t)jobs->count++;
	}
	int error = ranked && jobs->of_process ? 0 : -ENOMEM;
	if (!error && count)
		qsort(ranked, count, sizeof(*ranked), by_model_and_start);
	if (!error)
		group(jobs, ranked, count);
	free(ranked);
	return error;
}

void heddle__jobs_free(struct heddle_jobs *jobs)
{
	free(jobs->of_process);
	*jobs = (struct heddle_jobs){0};
}
