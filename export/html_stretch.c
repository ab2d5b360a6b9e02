/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the stretch of a run of which a page has all events: the one in which the thread with most records spends
 * most time on short waits and communication, because a coarser timeline hides these; the middle if there are none.
 * Reads one thread's trace: the stretch is a heuristic choice.
 */
#include "export/html_timeline.h"

#include "profile/file/call_tree.h"
#include "profile/trace/trace_spans.h"

#define COLUMNS 1024u

struct waits {
	const struct export_timeline *timeline;
	const struct profile_trace_file *file;
	const uint8_t *states; /* of the tree's nodes */
	uint64_t shorter_ns;   /* only shorter waits count */
	uint64_t ns[COLUMNS];
};

static uint32_t column_of(const struct profile_trace_part *part, uint64_t ns)
{
	return (uint32_t)((double)(ns - part->from_ns) * COLUMNS / ((double)(part->to_ns - part->from_ns) + 1));
}

static int add_wait(void *context, const struct profile_trace_span *span)
{
	struct waits *waits = context;
	uint64_t length = span->to_ns - span->from_ns;
	if (span->off || span->node == HEDDLE_NO_NODE || length >= waits->shorter_ns)
		return 0;
	enum heddle_state state = waits->states[profile_trace_tree_node(waits->file, span->node)];
	if (profile_state_waits(state) || state == HEDDLE_STATE_COMMUNICATION || state == HEDDLE_STATE_IDLE)
		waits->ns[column_of(&waits->timeline->part, span->from_ns)] += length;
	return 0;
}

static size_t busiest_thread(const struct export_timeline *timeline)
{
	const struct profile_trace *trace = timeline->request->trace;
	size_t most = timeline->threads[0];
	for (size_t i = 1; i < timeline->count; i++)
		if (trace->threads[timeline->threads[i]].records > trace->threads[most].records)
			most = timeline->threads[i];
	return most;
}

/* Returns the first of `wide` adjacent columns with the largest sum; COLUMNS: all sums are 0. */
static uint32_t best_columns(const uint64_t ns[COLUMNS], uint32_t wide)
{
	uint64_t sum = 0, most = 0;
	uint32_t best = COLUMNS;
	for (uint32_t c = 0; c < COLUMNS; c++) {
		sum += ns[c] - (c >= wide ? ns[c - wide] : 0);
		if (sum > most && c + 1 >= wide) {
			most = sum;
			best = c + 1 - wide;
		}
	}
	return best;
}

int export_timeline_stretch(const struct export_timeline *timeline, const uint8_t *states, uint64_t length_ns,
	struct profile_trace_part *stretch)
{
	const struct profile_trace *trace = timeline->request->trace;
	const struct profile_trace_part *part = &timeline->part;
	uint64_t whole = part->to_ns - part->from_ns;
	uint64_t length = length_ns < whole ? length_ns : whole, from_ns = part->from_ns + (whole - length) / 2;
	struct waits waits = {.timeline = timeline, .states = states, .shorter_ns = length};
	int error = 0;
	if (length < whole && timeline->count) {
		size_t thread = busiest_thread(timeline);
		waits.file = &trace->files[trace->threads[thread].file];
		error = profile_trace_spans(trace, thread, part, add_wait, &waits);
		uint32_t wide = (uint32_t)((double)length * COLUMNS / (double)whole);
		uint32_t best = best_columns(waits.ns, wide ? wide : 1);
		if (best < COLUMNS)
			from_ns = part->from_ns + (uint64_t)((double)whole * best / COLUMNS);
	}
	from_ns = from_ns > part->to_ns - length ? part->to_ns - length : from_ns;
	*stretch = (struct profile_trace_part){from_ns, from_ns + length};
	return error;
}
