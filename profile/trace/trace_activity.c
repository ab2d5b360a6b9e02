/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up spans of threads by columns and slices. Each worker has its own slices, which are added up at the end. */
#include "profile/trace/trace_activity.h"

#include "profile/base/parallel.h"
#include "profile/trace/trace_spans.h"

#include <errno.h>
#include <stdlib.h>

struct job {
	struct profile_trace_activity *activity;
	const struct profile_trace *trace;
	uint8_t *states;  /* of the tree's nodes */
	uint64_t **nodes; /* by worker, as in the activity; [0] is the activity's */
};

/* The position of a thread's spans among columns or slices, which they pass in order. */
struct cursor {
	size_t at, count;
	uint64_t end_ns;
};

struct row {
	const struct job *job;
	const struct profile_trace_file *file;
	size_t thread;
	bool helper;
	uint64_t *nodes;
	struct cursor column, slice;
};

uint64_t profile_trace_boundary(const struct profile_trace_part *part, size_t number, size_t count)
{
	return part->from_ns + (uint64_t)((unsigned __int128)(part->to_ns - part->from_ns) * number / count);
}

static void cursor_start(struct cursor *cursor, const struct profile_trace_part *part, size_t count)
{
	*cursor = (struct cursor){.count = count, .end_ns = profile_trace_boundary(part, 1, count)};
}

/* Moves on to the column or slice of `ns`. Returns its end, or `to_ns` if that is earlier. */
static uint64_t cursor_move(struct cursor *cursor, const struct profile_trace_part *part, uint64_t ns, uint64_t to_ns)
{
	while (ns >= cursor->end_ns && cursor->at + 1 < cursor->count)
		cursor->end_ns = profile_trace_boundary(part, ++cursor->at + 1, cursor->count);
	return cursor->end_ns < to_ns && cursor->at + 1 < cursor->count ? cursor->end_ns : to_ns;
}

static bool is_helper(const struct profile_trace *trace, size_t index)
{
	const struct profile_trace_thread *thread = &trace->threads[index];
	return thread->row && profile_thread_number(thread->row) &&
	       profile_thread_is_helper(trace->files[thread->file].process, thread->row);
}

static int add_span(void *context, const struct profile_trace_span *span)
{
	struct row *row = context;
	const struct profile_trace_activity *activity = row->job->activity;
	uint32_t node = span->node == HEDDLE_NO_NODE ? 0 : profile_trace_tree_node(row->file, span->node);
	unsigned kind = span->off ? HEDDLE_ACTIVITY_OFF : row->job->states[node];
	for (uint64_t at = span->from_ns, end; at < span->to_ns; at = end) {
		end = cursor_move(&row->column, &activity->part, at, span->to_ns);
		profile_trace_activity_of(activity, row->thread, row->column.at)[kind] += end - at;
	}
	if (span->off || (row->helper && kind == HEDDLE_STATE_OFF_CPU))
		return 0;
	for (uint64_t at = span->from_ns, end; at < span->to_ns; at = end) {
		end = cursor_move(&row->slice, &activity->part, at, span->to_ns);
		row->nodes[row->slice.at * activity->node_count + node] += end - at;
	}
	return 0;
}

static int add_thread(void *context, size_t worker, size_t index)
{
	struct job *job = context;
	const struct profile_trace_activity *activity = job->activity;
	struct row row = {.job = job, .thread = index};
	row.file = &job->trace->files[job->trace->threads[index].file];
	row.helper = is_helper(job->trace, index);
	row.nodes = job->nodes[worker];
	cursor_start(&row.column, &activity->part, activity->columns);
	cursor_start(&row.slice, &activity->part, activity->slices);
	return profile_trace_spans(job->trace, index, &activity->part, add_span, &row);
}

static void add_workers(const struct job *job, size_t workers)
{
	const struct profile_trace_activity *activity = job->activity;
	for (size_t w = 1; w < workers; w++)
		for (size_t i = 0; i < activity->slices * activity->node_count; i++)
			activity->nodes[i] += job->nodes[w][i];
}

static int allocate(struct job *job, size_t workers)
{
	struct profile_trace_activity *activity = job->activity;
	activity->thread_count = job->trace->thread_count;
	activity->node_count = job->trace->measurement->tree.node_count;
	activity->states = calloc(
		activity->thread_count * activity->columns + 1, HEDDLE_ACTIVITY_KINDS * sizeof(*activity->states));
	job->states = calloc(activity->node_count + 1, 1);
	job->nodes = calloc(workers, sizeof(*job->nodes));
	activity->helpers = 0;
	for (size_t i = 0; i < activity->thread_count; i++)
		activity->helpers += is_helper(job->trace, i);
	bool room = activity->states && job->states && job->nodes;
	for (size_t w = 0; w < workers && room; w++) {
		job->nodes[w] = calloc(activity->slices * activity->node_count + 1, sizeof(**job->nodes));
		room = job->nodes[w];
	}
	activity->nodes = job->nodes ? job->nodes[0] : NULL;
	return room ? 0 : -ENOMEM;
}

int profile_trace_activity_make(
	struct profile_trace_activity *activity, const struct profile_trace *trace, size_t workers)
{
	struct job job = {.activity = activity, .trace = trace};
	workers = workers < 1 ? 1 : workers > trace->thread_count ? trace->thread_count + 1 : workers;
	int error = allocate(&job, workers);
	if (!error) {
		profile_call_tree_states(&trace->measurement->tree, job.states);
		error = profile_parallel(workers, trace->thread_count, add_thread, &job);
	}
	if (!error)
		add_workers(&job, workers);
	for (size_t w = 1; w < workers && job.nodes; w++)
		free(job.nodes[w]);
	free(job.nodes);
	free(job.states);
	if (error)
		profile_trace_activity_free(activity);
	return error;
}

void profile_trace_activity_free(struct profile_trace_activity *activity)
{
	free(activity->states);
	free(activity->nodes);
	activity->states = activity->nodes = NULL;
}
