/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks have the word of their model, other threads their role. */
#include "analysis/thread_names.h"

#include "profile/base/base_name.h"
#include "profile/view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL_NAME 15 /* characters of a thread's name that the kernel stores */

static bool is_named_by(const char *name, const char *path)
{
	return strncmp(name, profile_base_name(path), KERNEL_NAME) == 0;
}

/* Returns the name that the program gave the thread; "": none, as the kernel has the name of the executed file. */
static const char *own_name(const struct profile_process *process, const struct profile_thread *thread)
{
	bool inherited = is_named_by(thread->name, process->info->program) ||
			 (process->info->n_arguments && is_named_by(thread->name, process->info->arguments[0]));
	return inherited || thread->threads > 1 || !profile_thread_number(thread) ? "" : thread->name;
}

/* Returns the number of digits of the process's thread numbers: three, unless it has a thousand threads or more. */
static int digits_of(const struct profile_process *process)
{
	int digits = 3;
	for (size_t count = process->thread_count; count >= 1000; count /= 10)
		digits++;
	return digits;
}

void heddle__thread_name(char *text, size_t size, const struct profile_measurement *measurement,
	const struct profile_process *process, const struct profile_thread *thread)
{
	int used =
		snprintf(text, size, "%" PRIu64 ".%-*" PRIu32 " ", process->info->pid, digits_of(process), thread->id);
	if (used < 0 || (size_t)used >= size)
		return;
	char *end = text + used;
	size_t left = size - (size_t)used;
	const struct profile_model *model = profile_models_named(&measurement->tree.models, thread->rank_model);
	if (profile_thread_is_rank(thread))
		used = snprintf(end, left, "%s %" PRIu32, model->rank, thread->rank - 1);
	else if (thread->threads > 1)
		used = snprintf(end, left, "%s (%" PRIu32 "x)", thread->role, thread->threads);
	else if (thread->number >= 0)
		used = snprintf(end, left, "%s %" PRId32, thread->role, thread->number);
	else
		used = snprintf(end, left, "%s", thread->role);
	const char *own = own_name(process, thread);
	if (used > 0 && (size_t)used < left && *own)
		snprintf(end + used, left - (size_t)used, " %s", own);
}

void heddle__thread_in_words(char *text, size_t size, const struct profile_measurement *measurement,
	const struct profile_process *process, const struct profile_thread *thread)
{
	const struct profile_model *model = profile_models_named(&measurement->tree.models, thread->rank_model);
	const char *own = own_name(process, thread);
	char of[48] = "";
	if (measurement->process_count > 1)
		snprintf(of, sizeof(of), " of process %" PRIu64, process->info->pid);
	if (profile_thread_is_rank(thread))
		snprintf(text, size, "%s %" PRIu32, model->rank, thread->rank - 1);
	else if (*own)
		snprintf(text, size, "thread %s%s", own, of);
	else if (strcmp(thread->role, "main") == 0)
		snprintf(text, size, "the main thread%s", of);
	else if (thread->number >= 0)
		snprintf(text, size, "%s %" PRId32 "%s", thread->role, thread->number, of);
	else
		snprintf(text, size, "%s %" PRIu32 "%s", thread->role, thread->id, of);
}

void heddle__traced_thread_name(char *text, size_t size, const struct profile_trace *trace, size_t thread)
{
	const struct profile_trace_thread *traced = &trace->threads[thread];
	const struct profile_process *process = trace->files[traced->file].process;
	if (traced->row)
		heddle__thread_name(text, size, trace->measurement, process, traced->row);
	else
		snprintf(text, size, "%" PRIu64 ".%-*" PRIu32 " thread", process->info->pid, digits_of(process),
			traced->id);
}

struct item {
	size_t thread;
	uint32_t process_rank, file, rank, number; /* UINT32_MAX: none; these are last */
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
	uint32_t first = UINT32_MAX;
	for (size_t t = 0; t < trace->thread_count; t++) {
		const struct profile_trace_thread *thread = &trace->threads[t];
		if (t == 0 || thread->file != trace->threads[t - 1].file)
			first = first_rank(trace->files[thread->file].process);
		if (thread->row && !profile_thread_number(thread->row))
			continue;
		order[count] = t;
		if (items)
			items[count] = (struct item){t, first, thread->file, own_rank(thread->row),
				thread->row ? (uint32_t)thread->row->number : UINT32_MAX};
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
