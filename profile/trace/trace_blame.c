/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A forward pass: the path that led to the end of a wait (profile/trace/trace_chain.h) shows which threads worked
 * meanwhile. A second pass, over each thread by itself, finds what they did, between changes of the number of threads
 * that wait for it.
 */
#include "profile/trace/trace_blame.h"

#include "profile/base/intern.h"
#include "profile/base/parallel.h"
#include "profile/trace/trace_chain.h"
#include "profile/trace/trace_spans.h"
#include "profile/trace/trace_sync.h"

#include <errno.h>
#include <stdlib.h>

/* From `ns` on, `more` more threads wait for this one. */
struct change {
	uint64_t ns;
	int64_t more;
};

struct charged {
	struct change *changes;
	size_t count, capacity;
	uint64_t now_ns;   /* of the current event */
	uint64_t since_ns; /* when it entered the last region whose waits are charged */
	uint32_t node;     /* of its innermost region */
};

struct walk {
	struct profile_trace_chains chains;
	const bool *is_charged;
	const struct profile_trace_part *part;
	struct charged *threads;
	uint64_t waited_ns;
};

/* ---- who was waited for, and when ---- */

static void add_change(struct walk *walk, size_t thread, uint64_t ns, int64_t more)
{
	struct charged *charged = &walk->threads[thread];
	if (profile_reserve(&charged->changes, &charged->capacity, charged->count + 1, sizeof(*charged->changes)) != 0)
		walk->chains.failed = true;
	else
		charged->changes[charged->count++] = (struct change){ns, more};
}

static void charge(struct walk *walk, size_t thread, uint64_t since_ns, const struct profile_trace_cut *cut)
{
	uint64_t from = since_ns > walk->part->from_ns ? since_ns : walk->part->from_ns;
	uint64_t end = cut->ns < walk->part->to_ns ? cut->ns : walk->part->to_ns;
	walk->waited_ns += end > from ? end - from : 0;
	for (const struct profile_trace_link *link = cut->link; link && end > from; link = link->before) {
		uint64_t at = link->from_ns > from ? link->from_ns : from;
		if (at >= end)
			continue;
		if (link->thread != thread) {
			add_change(walk, link->thread, at, 1);
			add_change(walk, link->thread, end, -1);
		}
		end = at;
	}
}

/* A wait may be reported after the thread has left its region. */
static void resume(void *context, size_t thread, uint64_t since_ns, const void *token)
{
	struct walk *walk = context;
	if (walk->threads[thread].since_ns == since_ns)
		charge(walk, thread, since_ns, token);
	profile_trace_chain_resume(context, thread, since_ns, token);
}

static void enter(void *context, size_t thread, uint64_t ns)
{
	struct walk *walk = context;
	walk->threads[thread].now_ns = ns;
}

static void leave(void *context, size_t thread, uint32_t node)
{
	struct walk *walk = context;
	struct charged *charged = &walk->threads[thread];
	if (walk->is_charged[node] && charged->node != node)
		charged->since_ns = charged->now_ns;
	charged->node = node;
}

/* ---- what the thread did ---- */

struct sums {
	const struct profile_trace *trace;
	const struct profile_trace_part *part;
	struct charged *threads;
	uint64_t **nodes; /* by worker; [0] is the result's */
};

struct row {
	const struct profile_trace_file *file;
	struct charged *charged;
	uint64_t *nodes;
	size_t at; /* index of the next change */
	int64_t waiting;
};

static int by_time(const void *one, const void *other)
{
	const struct change *a = one, *b = other;
	return (a->ns > b->ns) - (a->ns < b->ns);
}

static int add_span(void *context, const struct profile_trace_span *span)
{
	struct row *row = context;
	const struct charged *charged = row->charged;
	uint32_t node = span->node == HEDDLE_NO_NODE ? 0 : profile_trace_tree_node(row->file, span->node);
	uint64_t at = span->from_ns;
	while (at < span->to_ns) {
		while (row->at < charged->count && charged->changes[row->at].ns <= at)
			row->waiting += charged->changes[row->at++].more;
		if (row->at == charged->count && !row->waiting)
			return 0;
		uint64_t to = row->at < charged->count ? charged->changes[row->at].ns : span->to_ns;
		to = to < span->to_ns ? to : span->to_ns;
		row->nodes[node] += (to - at) * (uint64_t)row->waiting;
		at = to;
	}
	return 0;
}

static int add_thread(void *context, size_t worker, size_t index)
{
	const struct sums *sums = context;
	struct row row = {.file = &sums->trace->files[sums->trace->threads[index].file],
		.charged = &sums->threads[index],
		.nodes = sums->nodes[worker]};
	if (!row.charged->count)
		return 0;
	qsort(row.charged->changes, row.charged->count, sizeof(*row.charged->changes), by_time);
	return profile_trace_spans(sums->trace, index, sums->part, add_span, &row);
}

static int add_up(struct profile_trace_blame *blame, struct sums *sums)
{
	size_t workers = profile_processors();
	sums->nodes = calloc(workers, sizeof(*sums->nodes));
	bool room = sums->nodes;
	for (size_t w = 0; w < workers && room; w++)
		room = (sums->nodes[w] = calloc(blame->node_count + 1, sizeof(**sums->nodes))) != NULL;
	int error = room ? profile_parallel(workers, sums->trace->thread_count, add_thread, sums) : -ENOMEM;
	for (size_t w = 1; w < workers && sums->nodes; w++) {
		for (size_t i = 0; i < blame->node_count && !error; i++)
			sums->nodes[0][i] += sums->nodes[w][i];
		free(sums->nodes[w]);
	}
	blame->of_node = sums->nodes ? sums->nodes[0] : NULL;
	free(sums->nodes);
	return error;
}

static int find_charges(struct walk *walk, const struct profile_trace *trace)
{
	static const struct profile_trace_sync_hooks hooks = {.mark = profile_trace_chain_mark,
		.drop = profile_trace_chain_drop,
		.resume = resume,
		.begin = profile_trace_chain_begin,
		.enter = enter,
		.leave = leave};
	int error = profile_trace_chains_begin(&walk->chains, trace->thread_count);
	if (!error && walk->threads)
		error = profile_trace_sync(trace, &hooks, walk);
	if (walk->chains.failed || !walk->threads)
		error = -ENOMEM;
	profile_trace_chains_end(&walk->chains);
	return error;
}

int profile_trace_blame_make(struct profile_trace_blame *blame, const struct profile_trace *trace,
	const struct profile_trace_part *part, const bool *charged)
{
	struct walk walk = {.is_charged = charged, .part = part};
	walk.threads = calloc(trace->thread_count + 1, sizeof(*walk.threads));
	*blame = (struct profile_trace_blame){.node_count = trace->measurement->tree.node_count};
	for (size_t t = 0; walk.threads && t < trace->thread_count; t++)
		walk.threads[t].since_ns = UINT64_MAX;
	struct sums sums = {.trace = trace, .part = part, .threads = walk.threads};
	int error = find_charges(&walk, trace);
	if (!error)
		error = add_up(blame, &sums);
	blame->waited_ns = walk.waited_ns;
	for (size_t t = 0; walk.threads && t < trace->thread_count; t++)
		free(walk.threads[t].changes);
	free(walk.threads);
	return error;
}

void profile_trace_blame_free(struct profile_trace_blame *blame)
{
	free(blame->of_node);
	*blame = (struct profile_trace_blame){0};
}
