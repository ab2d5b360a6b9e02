/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Merges the streams of all threads. If there are enough processors, helper threads decode and merge some of the
 * streams each (profile/trace/trace_ahead.h), and the caller only chooses between their next events, in the same order.
 */
#include "profile/base/parallel.h"
#include "profile/trace/trace_ahead.h"
#include "profile/trace/trace_order.h"
#include "profile/trace/trace_stream.h"

#include <errno.h>
#include <stdlib.h>

#define HELPERS_MOST 4         /* more helpers decode more than one thread can take */
#define WORTH_HELPERS 0x10000u /* events; fewer are read before helpers have started */

/* What a helper decodes. */
struct part {
	struct profile_trace_ahead *ahead;
	struct profile_trace_taken taken;
};

struct profile_trace_merge {
	struct profile_trace_order *order; /* NULL with helpers */
	struct part parts[HELPERS_MOST];
	size_t part_count;
	struct part *last;                    /* that an event was taken from; NULL: none */
	struct profile_trace_stream *streams; /* with helpers: as after the events returned so far, by position */
	size_t stream_count;
	uint32_t *threads; /* by position */
	int error;
};

static void next_block(struct part *part)
{
	part->taken = (struct profile_trace_taken){.block = profile_trace_ahead_next(part->ahead)};
}

/* ---- opening ---- */

static int open_parts(
	struct profile_trace_merge *merge, const struct profile_trace_selection *selection, size_t helpers)
{
	merge->streams = calloc(selection->count + 1, sizeof(*merge->streams));
	merge->threads = calloc(selection->count + 1, sizeof(*merge->threads));
	if (!merge->streams || !merge->threads)
		return -ENOMEM;
	for (; merge->stream_count < selection->count; merge->stream_count++) {
		size_t thread = profile_trace_selected(selection, merge->stream_count);
		merge->threads[merge->stream_count] = (uint32_t)thread;
		if (profile_trace_stream_open(&merge->streams[merge->stream_count], selection->trace, thread) != 0)
			return -EINVAL;
	}
	for (; merge->part_count < helpers; merge->part_count++) {
		struct profile_trace_selection own = *selection;
		own.first = merge->part_count;
		own.stride = helpers;
		merge->parts[merge->part_count].ahead = profile_trace_ahead_open(&own);
		if (!merge->parts[merge->part_count].ahead)
			return -EAGAIN;
	}
	for (size_t i = 0; i < helpers; i++)
		next_block(&merge->parts[i]);
	return 0;
}

static void close_parts(struct profile_trace_merge *merge)
{
	for (size_t i = 0; i < merge->part_count; i++)
		profile_trace_ahead_close(merge->parts[i].ahead);
	for (size_t i = 0; i < merge->stream_count; i++)
		profile_trace_stream_close(&merge->streams[i]);
	free(merge->streams);
	free(merge->threads);
	merge->streams = NULL;
	merge->threads = NULL;
	merge->part_count = merge->stream_count = 0;
}

/* If threads can't be started, continues without helpers. */
static struct profile_trace_merge *open_selection(const struct profile_trace_selection *selection, size_t helpers)
{
	struct profile_trace_merge *merge = calloc(1, sizeof(*merge));
	if (!merge)
		return NULL;
	helpers = helpers < selection->count ? helpers : selection->count;
	helpers = helpers < HELPERS_MOST ? helpers : HELPERS_MOST;
	if (helpers && open_parts(merge, selection, helpers) == 0)
		return merge;
	close_parts(merge);
	merge->order = profile_trace_order_open(selection);
	if (merge->order)
		return merge;
	free(merge);
	return NULL;
}

/* Returns the number of helpers that pay off for the chosen threads: `most` or 0. */
static size_t choose_helpers(const struct profile_trace_selection *selection, size_t most)
{
	uint64_t records = 0;
	for (size_t i = 0; i < selection->count; i++)
		records += selection->trace->threads[profile_trace_selected(selection, i)].records;
	return profile_processors() > 1 && records >= WORTH_HELPERS ? most : 0;
}

struct profile_trace_merge *profile_trace_merge_open_with(
	const struct profile_trace *trace, uint64_t from_ns, size_t helpers)
{
	return open_selection(
		&(struct profile_trace_selection){
			.trace = trace, .count = trace->thread_count, .stride = 1, .from_ns = from_ns},
		helpers);
}

struct profile_trace_merge *profile_trace_merge_open(const struct profile_trace *trace, uint64_t from_ns)
{
	struct profile_trace_selection all = {.trace = trace, .count = trace->thread_count};
	return profile_trace_merge_open_with(trace, from_ns, choose_helpers(&all, profile_processors()));
}

struct profile_trace_merge *profile_trace_merge_open_some(
	const struct profile_trace *trace, const size_t *threads, size_t count, size_t helpers)
{
	struct profile_trace_selection some = {.trace = trace, .threads = threads, .count = count, .stride = 1};
	return open_selection(&some, choose_helpers(&some, helpers));
}

/* ---- events ---- */

static inline const struct profile_trace_step *step_of(const struct part *part)
{
	return &part->taken.block->steps[part->taken.steps];
}

static inline bool is_before(const struct profile_trace_step *one, const struct profile_trace_step *other)
{
	return one->time_ns < other->time_ns || (one->time_ns == other->time_ns && one->position < other->position);
}

/* Returns the part with the first event; NULL: there are no more. */
static inline struct part *choose(struct profile_trace_merge *merge)
{
	struct part *first = NULL;
	for (size_t i = 0; i < merge->part_count; i++) {
		struct part *part = &merge->parts[i];
		if (part->taken.block && (!first || is_before(step_of(part), step_of(first))))
			first = part;
	}
	return first;
}

/* Leaves the block that ended with the last event; not earlier, as the entries that the event pushed are in it. */
static inline void leave_block(struct profile_trace_merge *merge)
{
	struct part *part = merge->last;
	if (part && part->taken.block && part->taken.steps == part->taken.block->count)
		next_block(part);
}

static int next_of_parts(struct profile_trace_merge *merge, const struct profile_trace_stream **stream,
	struct profile_trace_event *event)
{
	leave_block(merge);
	struct part *part = merge->error ? NULL : choose(merge);
	if (!part)
		return 0;
	struct profile_trace_stream *copy = &merge->streams[step_of(part)->position];
	merge->error = profile_trace_replay(copy, &part->taken, event);
	*stream = copy;
	merge->last = part;
	return !merge->error;
}

int profile_trace_merge_next(struct profile_trace_merge *merge, const struct profile_trace_stream **stream,
	struct profile_trace_event *event)
{
	if (merge->part_count)
		return next_of_parts(merge, stream, event);
	return profile_trace_order_next(merge->order, stream, event);
}

static int take_of_order(struct profile_trace_merge *merge, size_t *thread, struct profile_trace_event *event,
	const struct profile_trace_entry **pushed)
{
	const struct profile_trace_stream *stream;
	if (!profile_trace_order_next(merge->order, &stream, event))
		return 0;
	*thread = (size_t)(stream->thread - stream->trace->threads);
	if (event->kind == HEDDLE_TRACE_STACK)
		*pushed = event->pushed ? stream->stack + stream->depth - event->pushed : NULL;
	return 1;
}

int profile_trace_merge_take(struct profile_trace_merge *merge, size_t *thread, struct profile_trace_event *event,
	const struct profile_trace_entry **pushed)
{
	leave_block(merge);
	struct part *part = choose(merge);
	if (!merge->part_count)
		return take_of_order(merge, thread, event, pushed);
	if (!part)
		return 0;
	*thread = merge->threads[profile_trace_take_step(&part->taken, event, pushed)->position];
	merge->last = part;
	return 1;
}

size_t profile_trace_merge_broken(const struct profile_trace_merge *merge)
{
	size_t broken = merge->order ? profile_trace_order_broken(merge->order) : 0;
	for (size_t i = 0; i < merge->part_count; i++)
		broken += profile_trace_ahead_broken(merge->parts[i].ahead);
	return broken;
}

int profile_trace_merge_error(const struct profile_trace_merge *merge)
{
	int error = merge->order ? profile_trace_order_error(merge->order) : merge->error;
	for (size_t i = 0; !error && i < merge->part_count; i++)
		error = profile_trace_ahead_error(merge->parts[i].ahead);
	return error;
}

void profile_trace_merge_close(struct profile_trace_merge *merge)
{
	if (!merge)
		return;
	close_parts(merge);
	profile_trace_order_close(merge->order);
	free(merge);
}
