/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks have their model's word for them, other threads their role. */
#include "cli/report/thread_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void heddle__thread_name(char *text, size_t size, const struct profile_measurement *measurement,
	const struct profile_process *process, const struct profile_thread *thread)
{
	int used = snprintf(text, size, "%" PRIu64 ".%-3" PRIu32 " ", process->info->pid, thread->id);
	if (used < 0 || (size_t)used >= size)
		return;
	char *end = text + used;
	size_t left = size - (size_t)used;
	const struct profile_model *model = profile_models_named(&measurement->tree.models, thread->rank_model);
	if (profile_thread_is_rank(thread))
		snprintf(end, left, "%s %" PRIu32, model->rank, thread->rank - 1);
	else if (thread->threads > 1)
		snprintf(end, left, "%s (%" PRIu32 "x)", thread->role, thread->threads);
	else if (thread->number >= 0)
		snprintf(end, left, "%s %" PRId32, thread->role, thread->number);
	else
		snprintf(end, left, "%s", thread->role);
}

void heddle__traced_thread_name(char *text, size_t size, const struct profile_trace *trace, size_t thread)
{
	const struct profile_trace_thread *traced = &trace->threads[thread];
	const struct profile_process *process = trace->files[traced->file].process;
	if (traced->row)
		heddle__thread_name(text, size, trace->measurement, process, traced->row);
	else
		snprintf(text, size, "%" PRIu64 ".%-3" PRIu32 " thread", process->info->pid, traced->id);
}

struct item {
	size_t thread;
	uint32_t process_rank, file, rank; /* UINT32_MAX: none */
	int32_t number;
};

static int by_rank(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	if (x->process_rank != y->process_rank)
		return x->process_rank < y->process_rank ? -1 : 1;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

static uint32_t own_rank(const struct profile_thread *row)
{
	return row && profile_thread_is_rank(row) ? row->rank - 1 : UINT32_MAX;
}

static uint32_t first_rank(const struct profile_process *process)
{
	uint32_t first = UINT32_MAX;
	for (size_t t = 0; t < process->thread_count; t++) {
		uint32_t rank = own_rank(&process->threads[t]);
		first = rank < first ? rank : first;
	}
	return first;
}

size_t heddle__traced_thread_order(const struct profile_trace *trace, size_t *order)
{
	struct item *items = calloc(trace->thread_count + 1, sizeof(*items));
	size_t count = 0;
	for (size_t t = 0; t < trace->thread_count; t++) {
		const struct profile_trace_thread *thread = &trace->threads[t];
		if (thread->row && !profile_thread_number(thread->row))
			continue;
		order[count] = t;
		if (items)
			items[count] = (struct item){t, first_rank(trace->files[thread->file].process), thread->file,
				own_rank(thread->row), thread->row ? thread->row->number : INT32_MAX};
		count++;
	}
	if (items) {
		qsort(items, count, sizeof(*items), by_rank);
		for (size_t i = 0; i < count; i++)
			order[i] = items[i].thread;
	}
	free(items);
	return count;
}
