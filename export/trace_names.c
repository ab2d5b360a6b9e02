/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of processes and threads of a trace. */
#include "export/costs.h"
#include "export/trace_steps.h"
#include "profile/base/base_name.h"

#include <inttypes.h>
#include <string.h>

static const struct profile_model *rank_model(const struct export_request *request, const struct profile_thread *thread)
{
	return profile_models_named(&request->measurement->tree.models, thread->rank_model);
}

void export_thread_name(const struct export_request *request, size_t number, char *name, size_t size)
{
	const struct profile_trace_thread *thread = &request->trace->threads[number];
	const struct profile_thread *row = thread->row;
	if (!row)
		snprintf(name, size, "thread %" PRIu32, thread->id);
	else
		export_row_name(request, row, name, size);
}

/* Finds threads of the process with a rank of their own: returns the first, and sets the lowest and highest rank. */
static const struct profile_thread *find_ranks(const struct profile_process *process, uint32_t *low, uint32_t *high)
{
	const struct profile_thread *found = NULL;
	*low = UINT32_MAX;
	*high = 0;
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct profile_thread *thread = &process->threads[i];
		if (!profile_thread_is_rank(thread))
			continue;
		found = found ? found : thread;
		*low = thread->rank - 1 < *low ? thread->rank - 1 : *low;
		*high = thread->rank - 1 > *high ? thread->rank - 1 : *high;
	}
	return found;
}

void export_process_name(
	const struct export_request *request, const struct profile_process *process, char *name, size_t size)
{
	uint32_t low, high;
	const char *program = profile_base_name(process->info->program);
	const struct profile_thread *ranked = find_ranks(process, &low, &high);
	const char *noun = ranked ? rank_model(request, ranked)->ranks : "";
	if (!ranked)
		snprintf(name, size, "%s, process %" PRIu64, program, process->info->pid);
	else if (low == high)
		snprintf(name, size, "%s, %s %" PRIu32, program, noun, low);
	else
		snprintf(name, size, "%s, %ss %" PRIu32 " to %" PRIu32, program, noun, low, high);
}
