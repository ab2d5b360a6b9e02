/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of meetings (profile/trace/trace_sync.h) by barrier and thread. */
#include "profile/trace/trace_late.h"

#include "profile/base/intern.h"
#include "profile/trace/trace_sync.h"

#include <errno.h>
#include <stdlib.h>

struct job {
	struct profile_trace_late *late;
	const struct profile_trace_part *part;
	uint32_t *of_node; /* index + 1 */
};

static struct profile_trace_lateness *lateness_of(struct job *job, uint32_t node)
{
	struct profile_trace_late *late = job->late;
	if (job->of_node[node])
		return &late->items[job->of_node[node] - 1];
	if (profile_reserve(&late->items, &late->capacity, late->count + 1, sizeof(*late->items)) != 0)
		return NULL;
	struct profile_trace_lateness *made = &late->items[late->count];
	*made = (struct profile_trace_lateness){.node = node};
	made->last = calloc(late->thread_count, sizeof(*made->last));
	made->caused_ns = calloc(late->thread_count, sizeof(*made->caused_ns));
	late->count++; /* also when there is no memory: what was allocated is to be freed */
	job->of_node[node] = (uint32_t)late->count;
	return made->last && made->caused_ns ? made : NULL;
}

static int add_meeting(void *context, const struct profile_trace_meeting *meeting)
{
	struct job *job = context;
	if (meeting->last_ns < job->part->from_ns || meeting->last_ns > job->part->to_ns)
		return 0;
	struct profile_trace_lateness *sum = lateness_of(job, meeting->node);
	if (!sum)
		return -ENOMEM;
	sum->count++;
	sum->waited_ns += meeting->waited_ns;
	sum->last[meeting->last]++;
	sum->caused_ns[meeting->last] += meeting->waited_ns;
	if (meeting->longest_ns > sum->longest_ns) {
		sum->longest_ns = meeting->longest_ns;
		sum->longest_at_ns = meeting->last_ns;
		sum->longest_by = meeting->last;
	}
	return 0;
}

int profile_trace_late_make(
	struct profile_trace_late *late, const struct profile_trace *trace, const struct profile_trace_part *part)
{
	static const struct profile_trace_sync_hooks hooks = {.met = add_meeting};
	struct job job = {.late = late, .part = part};
	*late = (struct profile_trace_late){.thread_count = trace->thread_count};
	job.of_node = calloc(trace->measurement->tree.node_count + 1, sizeof(*job.of_node));
	int error = job.of_node ? profile_trace_sync(trace, &hooks, &job) : -ENOMEM;
	free(job.of_node);
	return error;
}

void profile_trace_late_free(struct profile_trace_late *late)
{
	for (size_t i = 0; i < late->count; i++) {
		free(late->items[i].last);
		free(late->items[i].caused_ns);
	}
	free(late->items);
	*late = (struct profile_trace_late){0};
}
