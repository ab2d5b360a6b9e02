/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of a thread, allocated by metric on first use. */
#include "profile/file/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint64_t *profile_thread_values_by_state(struct profile_thread *row, uint32_t metric)
{
	if (!row->values)
		row->values = calloc(HEDDLE_METRIC_LIMIT, sizeof(*row->values));
	if (!row->values)
		return NULL;
	if (!row->values[metric])
		row->values[metric] = calloc(HEDDLE_STATE_COUNT, sizeof(uint64_t));
	return row->values[metric];
}

uint64_t profile_thread_total(const struct profile_thread *thread, enum heddle_metric metric)
{
	uint64_t total = 0;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		total += profile_thread_value(thread, metric, s);
	return total;
}

bool profile_thread_is_rank(const struct profile_thread *thread)
{
	return thread->rank != 0 && (!*thread->model || strcmp(thread->model, thread->rank_model) == 0);
}

uint32_t profile_thread_number(const struct profile_thread *thread)
{
	if (strcmp(thread->role, "heddle") == 0)
		return 0;
	return thread->threads ? thread->threads : 1;
}

void profile_thread_forget_values(struct profile_thread *thread)
{
	for (int m = 0; thread->values && m < HEDDLE_METRIC_LIMIT; m++)
		free(thread->values[m]);
	free(thread->values);
	thread->values = NULL;
	if (thread->part)
		heddle__profile__thread__free_unpacked(thread->part, NULL);
	thread->part = NULL;
}

void profile_threads_free(struct profile_thread *threads, size_t count)
{
	for (size_t i = 0; threads && i < count; i++) {
		free(threads[i].role);
		free(threads[i].name);
		free(threads[i].model);
		free(threads[i].rank_model);
		profile_partners_free(&threads[i].partners);
		profile_exchanges_free(&threads[i].exchanges);
		profile_thread_forget_values(&threads[i]);
	}
	free(threads);
}

/* The same metrics as profile_call_tree_derive, except memory in use, which is unknown for a single thread. */
int profile_thread_derive(struct profile_thread *row)
{
	const uint64_t *times = row->values ? row->values[HEDDLE_METRIC_WALL_TIME] : NULL;
	for (int s = 0; times && s < HEDDLE_STATE_COUNT; s++) {
		if (!times[s] || !profile_state_waits(s))
			continue;
		uint64_t *waiting = profile_thread_values_by_state(row, HEDDLE_METRIC_WAITING);
		if (!waiting)
			return -ENOMEM;
		waiting[s] = times[s];
	}
	return 0;
}
