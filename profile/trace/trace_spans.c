/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Spans of a thread's time. A sample has the time since the previous event or sample that the thread ran; before that,
 * the thread was off the processor.
 */
#include "profile/trace/trace_spans.h"

#include "profile/trace/trace_clock.h"
#include "profile/trace/trace_stream.h"

struct walk {
	const struct profile_trace_part *part;
	int (*each)(void *context, const struct profile_trace_span *span);
	int (*take)(void *context, const struct profile_trace_event *event); /* NULL: events are not requested */
	void *context;
	uint64_t ns_per_tick;
	uint64_t since_ns, since_ticks;
	uint32_t node, off_cpu; /* off_cpu: HEDDLE_NO_NODE: unknown */
	bool timed;             /* of the innermost entry: then samples add nothing */
	bool absent;            /* between the end of one thread and the begin of the next in the same context */
	bool off;
	bool begun;
	bool lost; /* records before the next event are missing */
};

static int emit(struct walk *walk, uint64_t to_ns, uint32_t node, bool off)
{
	uint64_t from = walk->since_ns > walk->part->from_ns ? walk->since_ns : walk->part->from_ns;
	uint64_t to = to_ns < walk->part->to_ns ? to_ns : walk->part->to_ns;
	walk->since_ns = to_ns > walk->since_ns ? to_ns : walk->since_ns;
	if (!walk->begun || walk->absent || from >= to)
		return 0;
	struct profile_trace_span span = {.from_ns = from, .to_ns = to, .node = node, .off = off};
	return walk->each(walk->context, &span);
}

static uint64_t ns_of(const struct walk *walk, uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * walk->ns_per_tick >> 32);
}

/* Measured ticks do not advance during a pause: the rest of the elapsed time was paused. */
static int emit_around_pause(struct walk *walk, const struct profile_trace_event *event)
{
	uint64_t ticks = event->ticks - walk->since_ticks;
	uint64_t pause_ns = walk->since_ns + ns_of(walk, ticks);
	int error = emit(walk, pause_ns < event->time_ns ? pause_ns : event->time_ns, walk->node, walk->off);
	return error ? error : emit(walk, event->time_ns, walk->node, true);
}

/* A sample comes after a period on a processor; the rest of the time since the previous event is before that period. */
static int emit_off_cpu(struct walk *walk, const struct profile_trace_event *event)
{
	uint64_t ran_ns = ns_of(walk, event->wall_ticks);
	uint64_t since_ns = walk->since_ns < event->time_ns ? event->time_ns - walk->since_ns : 0;
	if (walk->off_cpu == HEDDLE_NO_NODE || walk->off || ran_ns >= since_ns)
		return 0;
	return emit(walk, event->time_ns - ran_ns, walk->off_cpu, false);
}

static int emit_before(struct walk *walk, const struct profile_trace_event *event)
{
	if (walk->lost)
		return emit(walk, event->time_ns, walk->node, true);
	if (event->kind == HEDDLE_TRACE_SAMPLE && !walk->timed) {
		int error = emit_off_cpu(walk, event);
		if (error)
			return error;
		walk->node = event->node;
	}
	if (event->kind == HEDDLE_TRACE_MARK && event->operand == HEDDLE_TRACE_PAUSED)
		return emit_around_pause(walk, event);
	return emit(walk, event->time_ns, walk->node, walk->off);
}

static void take_mark(struct walk *walk, uint32_t mark)
{
	walk->absent = mark == HEDDLE_TRACE_THREAD_END || (walk->absent && mark != HEDDLE_TRACE_THREAD_BEGIN);
	walk->off = mark == HEDDLE_TRACE_OFF || (walk->off && mark != HEDDLE_TRACE_ON);
}

static bool changes_stack(enum heddle_trace_kind kind)
{
	switch (kind) {
	case HEDDLE_TRACE_END:
	case HEDDLE_TRACE_BEGIN:
	case HEDDLE_TRACE_BEGIN_UNTIMED:
	case HEDDLE_TRACE_OPEN:
	case HEDDLE_TRACE_STACK:
	case HEDDLE_TRACE_IDLE:
		return true;
	default:
		return false;
	}
}

static void take_event(
	struct walk *walk, const struct profile_trace_stream *stream, const struct profile_trace_event *event)
{
	const struct profile_trace_entry *top = stream->depth ? &stream->stack[stream->depth - 1] : &stream->idle;
	walk->begun = true;
	walk->since_ticks = event->ticks;
	if (event->kind == HEDDLE_TRACE_MARK) {
		take_mark(walk, event->operand);
	} else if (changes_stack(event->kind)) {
		walk->node = top->node;
		walk->timed = top->node != HEDDLE_NO_NODE && top->timed;
	}
}

/* True if chunks between the previously read one and the current one are missing. */
static bool is_behind_gap(const struct profile_trace_stream *stream, size_t before)
{
	for (size_t c = before + 1; c <= stream->chunk; c++)
		if (profile_trace_follows_gap(stream->thread, c))
			return true;
	return false;
}

/* Entries that were open at the last event stay open until the process writes its profile. */
static int emit_tail(
	struct walk *walk, const struct profile_trace_stream *stream, const struct profile_trace_file *file)
{
	uint64_t end = file->info.end_ticks;
	if (stream->error || !stream->loaded || end <= stream->ticks)
		return 0;
	return emit(walk, profile_trace_ns(stream->trace, file, end, stream->paused), walk->node, walk->off);
}

static int read_events(struct walk *walk, struct profile_trace_stream *stream)
{
	struct profile_trace_event event;
	while (walk->since_ns < walk->part->to_ns) {
		size_t chunk = stream->chunk;
		if (profile_trace_next(stream, &event) != 1)
			return emit_tail(walk, stream, &stream->trace->files[stream->thread->file]);
		walk->lost = is_behind_gap(stream, chunk);
		int error = emit_before(walk, &event);
		if (!error && walk->take)
			error = walk->take(walk->context, &event);
		if (error)
			return error;
		take_event(walk, stream, &event);
	}
	return 0;
}

int profile_trace_spans(const struct profile_trace *trace, size_t thread, const struct profile_trace_part *part,
	int (*each)(void *context, const struct profile_trace_span *span), void *context)
{
	return profile_trace_spans_and_events(trace, thread, part, each, NULL, context);
}

int profile_trace_spans_and_events(const struct profile_trace *trace, size_t thread,
	const struct profile_trace_part *part, int (*each)(void *context, const struct profile_trace_span *span),
	int (*take)(void *context, const struct profile_trace_event *event), void *context)
{
	const struct profile_trace_file *file = &trace->files[trace->threads[thread].file];
	struct walk walk = {.part = part, .each = each, .take = take, .context = context, .node = HEDDLE_NO_NODE};
	struct profile_trace_stream stream;
	walk.ns_per_tick = file->info.ns_per_tick;
	walk.off_cpu = profile_trace_off_cpu_node(file, &trace->measurement->tree);
	int error = profile_trace_stream_open(&stream, trace, thread);
	if (error)
		return error;
	if (part->from_ns)
		error = profile_trace_stream_seek(&stream, part->from_ns);
	if (!error)
		error = read_events(&walk, &stream);
	profile_trace_stream_close(&stream);
	return error;
}

uint32_t profile_trace_off_cpu_node(const struct profile_trace_file *file, const struct profile_call_tree *tree)
{
	for (uint32_t i = 1; i < file->node_count && profile_is_sampled(file->process->info); i++) {
		const struct profile_node *node = file->map[i] != HEDDLE_NO_NODE ? &tree->nodes[file->map[i]] : NULL;
		if (node && node->kind == HEDDLE_NODE_STATE && node->event == HEDDLE_STATE_OFF_CPU && !node->parent)
			return i;
	}
	return HEDDLE_NO_NODE;
}

uint32_t profile_trace_tree_node(const struct profile_trace_file *file, uint32_t node)
{
	while (node && node < file->node_count && file->map[node] == HEDDLE_NO_NODE)
		node = file->parents[node];
	return node && node < file->node_count ? file->map[node] : 0;
}
