/* SPDX-License-Identifier: BSD-3-Clause */
/* Workers take indices from one counter, which balances work items of very different size. */
#include "profile/base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define WORKER_LIMIT 256

struct job {
	profile_work *work;
	void *context;
	size_t count;
	atomic_size_t next;
	atomic_int error;
};

struct worker {
	struct job *job;
	size_t number;
	pthread_t thread;
};

static void *draw(void *argument)
{
	struct worker *worker = argument;
	struct job *job = worker->job;
	size_t index;
	while (!atomic_load(&job->error) && (index = atomic_fetch_add(&job->next, 1)) < job->count) {
		int error = job->work(job->context, worker->number, index), none = 0;
		if (error)
			atomic_compare_exchange_strong(&job->error, &none, error);
	}
	return NULL;
}

int profile_parallel(size_t workers, size_t count, profile_work *work, void *context)
{
	struct job job = {.work = work, .context = context, .count = count};
	struct worker team[WORKER_LIMIT] = {{.job = &job}};
	size_t started = 1;
	if (workers > WORKER_LIMIT)
		workers = WORKER_LIMIT;
	for (; started < workers && started < count; started++) {
		team[started] = (struct worker){.job = &job, .number = started};
		if (pthread_create(&team[started].thread, NULL, draw, &team[started]) != 0)
			break;
	}
	draw(&team[0]);
	while (--started > 0)
		pthread_join(team[started].thread, NULL);
	return atomic_load(&job.error);
}

size_t profile_processors(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof(set), &set) != 0 || CPU_COUNT(&set) < 1)
		return 1;
	return (size_t)CPU_COUNT(&set);
}
