/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows the phases on each thread's stack. Only the levels of other entries are used. */
#include "profile/trace/trace_phases.h"

#include "profile/base/intern.h"
#include "profile/base/parallel.h"
#include "profile/trace/trace_spans.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- occurrences ---- */

struct open_phase {
	size_t level; /* of the stack */
	uint32_t node;
	uint64_t since_ns;
};

struct follow {
	const struct profile_trace *trace;
	const struct profile_trace_file *file;
	int (*each)(void *context, const struct profile_trace_phase *phase);
	void *context;
	struct open_phase *open;
	size_t count, capacity;
};

static const struct profile_node *phase_node(const struct follow *follow, uint32_t node)
{
	const struct profile_call_tree *tree = &follow->trace->measurement->tree;
	if (node >= follow->file->node_count || follow->file->map[node] == HEDDLE_NO_NODE)
		return NULL;
	const struct profile_node *found = &tree->nodes[follow->file->map[node]];
	return found->kind == HEDDLE_NODE_PHASE ? found : NULL;
}

static uint64_t number_of_name(const struct follow *follow, uint32_t node)
{
	return phase_node(follow, node)->place;
}

/* Ends the phases from index `from` up to, but not including, `to`, the innermost first; those above them stay. */
static int end_range(struct follow *follow, size_t from, size_t to, uint64_t ns)
{
	int error = 0;
	for (size_t i = to; i-- > from && !error;) {
		const struct open_phase *open = &follow->open[i];
		struct profile_trace_phase phase = {.from_ns = open->since_ns, .to_ns = ns, .depth = i};
		phase.name = follow->trace->measurement->tree.strings[number_of_name(follow, open->node)];
		error = follow->each(follow->context, &phase);
	}
	if (from < to)
		memmove(&follow->open[from], &follow->open[to], (follow->count - to) * sizeof(*follow->open));
	follow->count -= to - from;
	return error;
}

static int end_phases(struct follow *follow, size_t level, uint64_t ns)
{
	size_t from = follow->count;
	while (from && follow->open[from - 1].level >= level)
		from--;
	return end_range(follow, from, follow->count, ns);
}

/* Returns the lowest level, up to `level`, at which a phase is no longer open: a STACK record may repeat entries. */
static size_t unchanged(const struct follow *follow, const struct profile_trace_stream *stream, size_t level)
{
	for (size_t i = 0; i < follow->count; i++) {
		const struct open_phase *open = &follow->open[i];
		if (open->level >= stream->depth || stream->stack[open->level].node != open->node)
			return open->level < level ? open->level : level;
	}
	return level;
}

static int begin_phase(struct follow *follow, size_t level, uint32_t node, uint64_t ns)
{
	int error = profile_reserve(&follow->open, &follow->capacity, follow->count + 1, sizeof(*follow->open));
	if (!error)
		follow->open[follow->count++] = (struct open_phase){level, node, ns};
	return error;
}

/* A phase is open at that level. If entries around it ended, it continues at another level, on another path. */
static int go_on(struct follow *follow, size_t index, size_t level, uint32_t node, uint64_t ns)
{
	size_t at = index;
	while (at < follow->count && number_of_name(follow, follow->open[at].node) != number_of_name(follow, node))
		at++;
	bool begins = at == follow->count;
	int error = end_range(follow, index, at, ns);
	if (error || begins)
		return error ? error : begin_phase(follow, level, node, ns);
	follow->open[index].level = level;
	follow->open[index].node = node;
	return 0;
}

static int follow_stack(struct follow *follow, const struct profile_trace_stream *stream, uint64_t ns)
{
	int error = 0;
	size_t same = unchanged(follow, stream, stream->depth), index = 0;
	while (index < follow->count && follow->open[index].level < same)
		index++;
	for (size_t i = index ? follow->open[index - 1].level + 1 : 0; !error && i < stream->depth; i++) {
		if (phase_node(follow, stream->stack[i].node))
			error = go_on(follow, index++, i, stream->stack[i].node, ns);
	}
	return error ? error : end_range(follow, index, follow->count, ns);
}

/* Each record is handled by itself: a phase that ends and begins again without another record in between is two. */
static int take_event(
	struct follow *follow, const struct profile_trace_stream *stream, const struct profile_trace_event *event)
{
	switch (event->kind) {
	case HEDDLE_TRACE_END:
		return end_phases(follow, stream->depth, event->time_ns);
	case HEDDLE_TRACE_STACK:
		return follow_stack(follow, stream, event->time_ns);
	case HEDDLE_TRACE_BEGIN:
	case HEDDLE_TRACE_BEGIN_UNTIMED:
	case HEDDLE_TRACE_OPEN:
		return phase_node(follow, event->node) ? follow_stack(follow, stream, event->time_ns) : 0;
	default:
		return 0;
	}
}

int profile_trace_phases(const struct profile_trace *trace, size_t thread,
	int (*each)(void *context, const struct profile_trace_phase *phase), void *context)
{
	struct follow follow = {.trace = trace, .each = each, .context = context};
	struct profile_trace_stream stream;
	struct profile_trace_event event = {.time_ns = 0};
	follow.file = &trace->files[trace->threads[thread].file];
	int error = profile_trace_stream_open(&stream, trace, thread);
	if (error)
		return error;
	while (!error && profile_trace_next(&stream, &event) == 1)
		error = take_event(&follow, &stream, &event);
	if (!error)
		error = end_phases(&follow, 0, stream.time_ns);
	profile_trace_stream_close(&stream);
	free(follow.open);
	return error;
}

/* ---- parts ---- */

struct find {
	struct profile_trace_parts *parts;
	const struct profile_trace *trace;
	const char *name;
	size_t occurrence;
};

struct found {
	const struct find *find;
	struct profile_trace_parts *parts;
};

static int put_part(struct profile_trace_parts *parts, uint64_t from_ns, uint64_t to_ns)
{
	int error = profile_reserve(&parts->items, &parts->capacity, parts->count + 1, sizeof(*parts->items));
	if (!error)
		parts->items[parts->count++] = (struct profile_trace_part){from_ns, to_ns};
	return error;
}

static int put_phase(void *context, const struct profile_trace_phase *phase)
{
	const struct found *found = context;
	if (strcmp(phase->name, found->find->name) != 0)
		return 0;
	return put_part(found->parts, phase->from_ns, phase->to_ns);
}

static int by_begin(const void *a, const void *b)
{
	const struct profile_trace_part *x = a, *y = b;
	if (x->from_ns != y->from_ns)
		return x->from_ns < y->from_ns ? -1 : 1;
	return (x->to_ns > y->to_ns) - (x->to_ns < y->to_ns);
}

/* Joins parts that overlap, such as those of a phase within itself. */
static void merge_overlapping(struct profile_trace_parts *parts)
{
	size_t kept = 0;
	if (parts->count)
		qsort(parts->items, parts->count, sizeof(*parts->items), by_begin);
	for (size_t i = 0; i < parts->count; i++) {
		struct profile_trace_part *last = kept ? &parts->items[kept - 1] : NULL;
		if (!last || parts->items[i].from_ns > last->to_ns)
			parts->items[kept++] = parts->items[i];
		else if (parts->items[i].to_ns > last->to_ns)
			last->to_ns = parts->items[i].to_ns;
	}
	parts->count = kept;
}

static int find_thread(void *context, size_t worker, size_t index)
{
	const struct find *find = context;
	struct found found = {.find = find, .parts = &find->parts[index]};
	(void)worker;
	int error = profile_trace_phases(find->trace, index, put_phase, &found);
	if (error || !find->occurrence) {
		merge_overlapping(found.parts);
		return error;
	}
	if (found.parts->count >= find->occurrence) {
		qsort(found.parts->items, found.parts->count, sizeof(*found.parts->items), by_begin);
		found.parts->items[0] = found.parts->items[find->occurrence - 1];
		found.parts->count = 1;
	} else {
		found.parts->count = 0;
	}
	return 0;
}

static int put_parts(struct profile_trace_parts *parts, const struct profile_trace_parts *more)
{
	int error = 0;
	for (size_t i = 0; i < more->count && !error; i++)
		error = put_part(parts, more->items[i].from_ns, more->items[i].to_ns);
	return error;
}

/* Gives the united parts of a process's threads to those that have none. */
static int share(const struct find *find, uint32_t file, bool *any)
{
	struct profile_trace_parts all = {0};
	const struct profile_trace *trace = find->trace;
	int error = 0;
	for (size_t t = 0; t < trace->thread_count && !error; t++)
		if (trace->threads[t].file == file)
			error = put_parts(&all, &find->parts[t]);
	merge_overlapping(&all);
	*any = *any || all.count;
	for (size_t t = 0; t < trace->thread_count && !error; t++)
		if (trace->threads[t].file == file && !find->parts[t].count)
			error = put_parts(&find->parts[t], &all);
	free(all.items);
	return error;
}

int profile_trace_phase_parts(
	struct profile_trace_parts *parts, const struct profile_trace *trace, const char *name, size_t occurrence)
{
	struct find find = {parts, trace, name, occurrence};
	bool any = false;
	int error = profile_parallel(profile_processors(), trace->thread_count, find_thread, &find);
	for (uint32_t f = 0; f < trace->file_count && !error; f++)
		error = share(&find, f, &any);
	return error ? error : any ? 0 : -ENOENT;
}

void profile_trace_parts_free(struct profile_trace_parts *parts, size_t count)
{
	for (size_t t = 0; t < count; t++)
		free(parts[t].items);
}
