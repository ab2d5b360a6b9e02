/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A forward pass records the path that leads to each thread (profile/trace/trace_chain.h). The path of the last event's
 * thread is the critical one; a second pass finds what happened on it.
 */
#include "profile/trace/trace_critical.h"

#include "profile/base/parallel.h"
#include "profile/trace/trace_chain.h"
#include "profile/trace/trace_spans.h"
#include "profile/trace/trace_sync.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct walk {
	struct profile_trace_chains chains;
	size_t last_thread;
	uint64_t last_ns, end_ns;
	struct profile_trace_late_sums *late; /* or NULL */
};

static void see(void *context, size_t thread, uint64_t ns)
{
	struct walk *walk = context;
	if (ns < walk->last_ns)
		return;
	walk->last_ns = ns;
	walk->last_thread = thread;
}

static int add_meeting(void *context, const struct profile_trace_meeting *meeting)
{
	struct walk *walk = context;
	return profile_trace_late_add(walk->late, meeting);
}

/* The chain goes back in time, so it is written from its end, without what is outside the part. */
static int lay_out(
	struct profile_trace_critical *critical, const struct walk *walk, const struct profile_trace_part *part)
{
	const struct profile_trace_link *last =
		walk->chains.thread_count ? walk->chains.paths[walk->last_thread] : NULL;
	uint64_t end = walk->end_ns < part->to_ns ? walk->end_ns : part->to_ns;
	size_t count = 0;
	for (const struct profile_trace_link *link = last; link; link = link->before)
		count++;
	critical->path = calloc(count + 1, sizeof(*critical->path));
	if (!critical->path)
		return -ENOMEM;
	size_t at = count;
	for (const struct profile_trace_link *link = last; link && end > part->from_ns; link = link->before) {
		uint64_t from = link->from_ns > part->from_ns ? link->from_ns : part->from_ns;
		if (from >= end)
			continue;
		critical->path[--at] = (struct profile_trace_stretch){link->thread, from, end};
		end = from;
	}
	critical->count = count - at;
	memmove(critical->path, &critical->path[at], critical->count * sizeof(*critical->path));
	for (size_t i = 1; i < critical->count; i++)
		critical->changes += critical->path[i].thread != critical->path[i - 1].thread;
	return 0;
}

static int find_path(struct profile_trace_critical *critical, const struct profile_trace *trace,
	const struct profile_trace_part *part, struct profile_trace_late_sums *late)
{
	const struct profile_trace_sync_hooks hooks = {.mark = profile_trace_chain_mark,
		.drop = profile_trace_chain_drop,
		.resume = profile_trace_chain_resume,
		.begin = profile_trace_chain_begin,
		.event = see,
		.met = late ? add_meeting : NULL};
	struct walk walk = {.end_ns = trace->end_ns, .late = late};
	int error = profile_trace_chains_begin(&walk.chains, trace->thread_count);
	if (!error)
		error = profile_trace_sync(trace, &hooks, &walk);
	if (!error)
		error = walk.chains.failed ? -ENOMEM : lay_out(critical, &walk, part);
	profile_trace_chains_end(&walk.chains);
	return error;
}

/* ---- what happened on it ---- */

struct add_up {
	struct profile_trace_critical *critical;
	const struct profile_trace *trace;
	const uint8_t *states;
	uint64_t **nodes; /* by worker; [0] is the result's */
};

struct row {
	const struct add_up *job;
	size_t thread, at; /* at: index of the next stretch that may be this thread's */
	uint64_t *nodes;
	uint64_t seen_ns;
};

static void charge(const struct row *row, uint32_t node, uint64_t ns)
{
	const struct add_up *job = row->job;
	row->nodes[node] += ns;
	job->critical->of_thread[row->thread] += ns;
	job->critical->of_state[row->thread * HEDDLE_STATE_COUNT + job->states[node]] += ns;
}

/* Skips stretches of other threads, and those before the span. */
static const struct profile_trace_stretch *stretch_at(struct row *row, uint64_t ns)
{
	const struct profile_trace_critical *critical = row->job->critical;
	while (row->at < critical->count &&
		(critical->path[row->at].thread != row->thread || critical->path[row->at].to_ns <= ns))
		row->at++;
	return row->at < critical->count ? &critical->path[row->at] : NULL;
}

static int add_span(void *context, const struct profile_trace_span *span)
{
	struct row *row = context;
	const struct profile_trace_file *file = &row->job->trace->files[row->job->trace->threads[row->thread].file];
	uint32_t node = span->node == HEDDLE_NO_NODE ? 0 : profile_trace_tree_node(file, span->node);
	const struct profile_trace_stretch *stretch;
	for (uint64_t at = span->from_ns; at < span->to_ns && (stretch = stretch_at(row, at)) != NULL;) {
		uint64_t from = stretch->from_ns > at ? stretch->from_ns : at;
		uint64_t to = stretch->to_ns < span->to_ns ? stretch->to_ns : span->to_ns;
		if (from >= to)
			return 0;
		charge(row, node, to - from);
		row->seen_ns += to - from;
		at = to;
	}
	return 0;
}

/* Time without a span, such as that before a thread's first event, is charged to the program. */
static int add_thread(void *context, size_t worker, size_t index)
{
	const struct add_up *job = context;
	struct profile_trace_part whole = {0, UINT64_MAX};
	struct row row = {.job = job, .thread = index, .nodes = job->nodes[worker]};
	uint64_t length = 0;
	for (size_t i = 0; i < job->critical->count; i++)
		if (job->critical->path[i].thread == index)
			length += job->critical->path[i].to_ns - job->critical->path[i].from_ns;
	int error = length ? profile_trace_spans(job->trace, index, &whole, add_span, &row) : 0;
	if (!error && length > row.seen_ns)
		charge(&row, 0, length - row.seen_ns);
	return error;
}

static int allocate(struct add_up *job, size_t workers)
{
	struct profile_trace_critical *critical = job->critical;
	job->nodes = calloc(workers, sizeof(*job->nodes));
	critical->of_thread = calloc(critical->thread_count + 1, sizeof(*critical->of_thread));
	critical->of_state = calloc(critical->thread_count * HEDDLE_STATE_COUNT + 1, sizeof(*critical->of_state));
	bool room = job->nodes && critical->of_thread && critical->of_state;
	for (size_t w = 0; w < workers && room; w++)
		room = (job->nodes[w] = calloc(critical->node_count + 1, sizeof(**job->nodes))) != NULL;
	critical->of_node = job->nodes ? job->nodes[0] : NULL;
	return room ? 0 : -ENOMEM;
}

static int add_up(struct profile_trace_critical *critical, const struct profile_trace *trace)
{
	struct add_up job = {.critical = critical, .trace = trace};
	size_t workers = profile_processors();
	uint8_t *states = calloc(critical->node_count + 1, 1);
	int error = states ? allocate(&job, workers) : -ENOMEM;
	job.states = states;
	if (!error) {
		profile_call_tree_states(&trace->measurement->tree, states);
		error = profile_parallel(workers, trace->thread_count, add_thread, &job);
	}
	for (size_t w = 1; w < workers && job.nodes; w++) {
		for (size_t i = 0; i < critical->node_count && !error; i++)
			critical->of_node[i] += job.nodes[w][i];
		free(job.nodes[w]);
	}
	free(job.nodes);
	free(states);
	return error;
}

static int make(struct profile_trace_critical *critical, const struct profile_trace *trace,
	const struct profile_trace_part *part, struct profile_trace_late_sums *late)
{
	*critical = (struct profile_trace_critical){
		.node_count = trace->measurement->tree.node_count, .thread_count = trace->thread_count};
	int error = find_path(critical, trace, part, late);
	return error ? error : add_up(critical, trace);
}

int profile_trace_critical_make(struct profile_trace_critical *critical, const struct profile_trace *trace,
	const struct profile_trace_part *part)
{
	return make(critical, trace, part, NULL);
}

int profile_trace_critical_late_make(struct profile_trace_critical *critical, struct profile_trace_late *late,
	const struct profile_trace *trace, const struct profile_trace_part *part)
{
	struct profile_trace_late_sums *sums = profile_trace_late_begin(late, trace, part);
	*critical = (struct profile_trace_critical){0};
	if (!sums)
		return -ENOMEM;
	int error = make(critical, trace, part, sums);
	profile_trace_late_end(sums);
	return error;
}

void profile_trace_critical_free(struct profile_trace_critical *critical)
{
	free(critical->path);
	free(critical->of_node);
	free(critical->of_thread);
	free(critical->of_state);
	*critical = (struct profile_trace_critical){0};
}
