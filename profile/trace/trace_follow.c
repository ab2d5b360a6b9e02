/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A record's attributes come after it: each record is held until the next one that is none. The merged order keeps a
 * record and its attributes together, as they have the same time.
 */
#include "profile/trace/trace_follow.h"

#include "profile/base/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct follow {
	const struct profile_trace_follow_hooks *hooks;
	void *context;
	struct profile_trace_stack *stacks; /* of each thread */
	/* The held record: */
	bool holds, begins; /* begins: a region, the stack's last entry */
	size_t thread;
	struct profile_trace_event event;
	struct profile_trace_attributes attributes;
	struct profile_trace_open *ended; /* innermost first */
	size_t ended_count, ended_capacity;
};

/* Most have no attributes, which are most of an entry. */
static void copy_open(struct profile_trace_open *to, const struct profile_trace_open *from)
{
	to->node = from->node;
	to->since_ns = from->since_ns;
	to->region = from->region;
	to->number = from->number;
	profile_trace_take_attributes(&to->attributes, &from->attributes);
}

static int pop(struct follow *follow, struct profile_trace_stack *stack, size_t depth)
{
	size_t count = stack->depth > depth ? stack->depth - depth : 0;
	int error = profile_reserve(&follow->ended, &follow->ended_capacity, count, sizeof(*follow->ended));
	for (size_t i = 0; i < count && !error; i++)
		copy_open(&follow->ended[follow->ended_count++], &stack->entries[--stack->depth]);
	return error;
}

/* An entry below which another was taken out was not ended, but moved. */
static bool take_moved(struct follow *follow, uint32_t node, struct profile_trace_open *open)
{
	for (size_t i = follow->ended_count; i-- > 0;) {
		if (follow->ended[i].node != node)
			continue;
		*open = follow->ended[i];
		memmove(&follow->ended[i], &follow->ended[i + 1], (--follow->ended_count - i) * sizeof(*follow->ended));
		return true;
	}
	return false;
}

/* The entries up to the stream's depth that are not there yet. */
static int push(struct follow *follow, struct profile_trace_stack *stack, const struct profile_trace_stream *stream,
	bool region)
{
	int error = profile_reserve(&stack->entries, &stack->capacity, stream->depth, sizeof(*stack->entries));
	for (; stack->depth < stream->depth && !error; stack->depth++) {
		struct profile_trace_open *open = &stack->entries[stack->depth];
		uint32_t node = stream->stack[stack->depth].node;
		if (!region && take_moved(follow, node, open))
			continue;
		open->node = node;
		open->since_ns = follow->event.time_ns;
		open->region = region;
		open->number = 0;
		open->attributes.given = 0;
	}
	return error;
}

/* The record at a chunk's begin repeats the stack: entries with the same nodes are the same entries. */
static size_t unchanged(const struct profile_trace_stack *stack, const struct profile_trace_stream *stream)
{
	size_t level = 0;
	while (level < stack->depth && level < stream->depth && stack->entries[level].node == stream->stack[level].node)
		level++;
	return level;
}

/*
 * The stack that a chunk begins with may already have the region that is about to begin: a visit follows. The region is
 * a region then.
 */
static bool take_visit(struct profile_trace_stack *stack, const struct profile_trace_event *event)
{
	struct profile_trace_open *last = stack->depth ? &stack->entries[stack->depth - 1] : NULL;
	bool begins = stack->restored && last && !last->region && last->node == event->node;
	stack->restored = false;
	if (begins)
		last->region = true;
	return begins;
}

static int hold(
	struct follow *follow, const struct profile_trace_stream *stream, const struct profile_trace_event *event)
{
	follow->holds = true;
	follow->thread = (size_t)(stream->thread - stream->trace->threads);
	follow->event = *event;
	follow->attributes.given = 0;
	follow->ended_count = 0;
	follow->begins = event->kind == HEDDLE_TRACE_BEGIN || event->kind == HEDDLE_TRACE_BEGIN_UNTIMED;
	struct profile_trace_stack *stack = &follow->stacks[follow->thread];
	if (event->kind == HEDDLE_TRACE_VISIT)
		follow->begins = take_visit(stack, event);
	else if (event->kind != HEDDLE_TRACE_MARK && event->kind != HEDDLE_TRACE_MESSAGE)
		stack->restored = event->kind == HEDDLE_TRACE_STACK;
	switch (event->kind) {
	case HEDDLE_TRACE_END:
		return pop(follow, stack, stream->depth);
	case HEDDLE_TRACE_BEGIN:
	case HEDDLE_TRACE_BEGIN_UNTIMED:
		return push(follow, stack, stream, true);
	case HEDDLE_TRACE_OPEN:
		return push(follow, stack, stream, false);
	case HEDDLE_TRACE_STACK:
		break;
	default:
		return 0;
	}
	int error = pop(follow, stack, unchanged(stack, stream));
	return error ? error : push(follow, stack, stream, false);
}

static int pass_on(struct follow *follow)
{
	const struct profile_trace_follow_hooks *hooks = follow->hooks;
	struct profile_trace_stack *stack = &follow->stacks[follow->thread];
	const struct profile_trace_event *event = &follow->event;
	int error = 0;
	if (!follow->holds)
		return 0;
	follow->holds = false;
	if (!stack->begun)
		error = hooks->first(follow->context, follow->thread, event->time_ns);
	stack->begun = true;
	if (hooks->before && !error)
		hooks->before(follow->context, follow->thread, event->time_ns);
	for (size_t i = 0; i < follow->ended_count && !error; i++)
		error = hooks->ended(
			follow->context, follow->thread, stack, &follow->ended[i], &follow->attributes, event->time_ns);
	if (follow->begins && stack->depth && !error) {
		profile_trace_take_attributes(&stack->entries[stack->depth - 1].attributes, &follow->attributes);
		error = hooks->begun(follow->context, follow->thread, stack);
	}
	return error ? error : hooks->record(follow->context, follow->thread, stack, event, &follow->attributes);
}

/*
 * A chunk begins with the stack and what is charged when it is empty. That may be between a record and its attributes.
 */
static bool says_nothing(
	const struct follow *follow, const struct profile_trace_stream *stream, const struct profile_trace_event *event)
{
	const struct profile_trace_stack *stack = &follow->stacks[stream->thread - stream->trace->threads];
	if (event->kind == HEDDLE_TRACE_IDLE)
		return stack->begun;
	return event->kind == HEDDLE_TRACE_STACK && stack->begun && stack->depth == stream->depth &&
	       unchanged(stack, stream) == stream->depth;
}

/* Threads take turns: until a thread's next event, its stack has left the caches. */
static void prefetch(const struct follow *follow, const struct profile_trace_merge *merge)
{
	size_t thread;
	uint32_t node;
	if (!profile_trace_merge_soon(merge, &thread, &node))
		return;
	const struct profile_trace_stack *stack = &follow->stacks[thread];
	if (stack->entries) {
		const struct profile_trace_open *next = stack->entries + stack->depth;
		__builtin_prefetch(next);
		__builtin_prefetch(&next->number);
		__builtin_prefetch(stack->depth ? next - 1 : next);
	}
	if (follow->hooks->soon)
		follow->hooks->soon(follow->context, thread, node);
}

static int take_event(
	struct follow *follow, const struct profile_trace_stream *stream, const struct profile_trace_event *event)
{
	if (says_nothing(follow, stream, event))
		return 0;
	if (event->kind == HEDDLE_TRACE_ATTRIBUTE) {
		if (event->operand < HEDDLE_TRACE_ATTRIBUTES) {
			follow->attributes.given |= 1u << event->operand;
			follow->attributes.value[event->operand] = event->value;
		}
		return 0;
	}
	int error = pass_on(follow);
	return error ? error : hold(follow, stream, event);
}

int profile_trace_follow(
	const struct profile_trace *trace, const struct profile_trace_follow_hooks *hooks, void *context)
{
	struct follow follow = {.hooks = hooks, .context = context};
	const struct profile_trace_stream *stream;
	struct profile_trace_event event;
	struct profile_trace_merge *merge = profile_trace_merge_open(trace, 0);
	follow.stacks = calloc(trace->thread_count + 1, sizeof(*follow.stacks));
	int error = merge && follow.stacks ? 0 : -ENOMEM;
	while (!error && profile_trace_merge_next(merge, &stream, &event) == 1) {
		prefetch(&follow, merge);
		error = take_event(&follow, stream, &event);
	}
	if (!error)
		error = pass_on(&follow);
	for (size_t t = 0; follow.stacks && t < trace->thread_count; t++)
		free(follow.stacks[t].entries);
	free(follow.stacks);
	free(follow.ended);
	if (merge)
		profile_trace_merge_close(merge);
	return error;
}
