/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A record's attributes come after it, so each record is held until the next one that is not an attribute. A record and
 * its attributes have the same time, so the merged order keeps them together.
 */
#include "profile/trace/trace_follow.h"

#include "profile/base/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct follow {
	const struct profile_trace *trace;
	const struct profile_trace_follow_hooks *hooks;
	void *context;
	struct profile_trace_stack *stacks; /* by thread */
	/* The held record: */
	bool holds, begins; /* begins: a region begins, the stack's last entry */
	size_t thread;
	struct profile_trace_event *event, *next; /* next: the event being taken */
	struct profile_trace_attributes attributes;
	struct profile_trace_open *ended; /* innermost first */
	size_t ended_count, ended_capacity;
};

/* Copies only given attributes: most entries have none, and attributes are most of an entry. */
static void copy_open(struct profile_trace_open *to, const struct profile_trace_open *from)
{
	to->node = from->node;
	to->tree_node = from->tree_node;
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

/* An entry below which another one was removed has not ended, but moved. */
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

static int push(
	struct follow *follow, struct profile_trace_stack *stack, uint32_t node, uint32_t tree_node, bool region)
{
	if (stack->depth == stack->capacity &&
		profile_reserve(&stack->entries, &stack->capacity, stack->depth + 1, sizeof(*stack->entries)) != 0)
		return -ENOMEM;
	struct profile_trace_open *open = &stack->entries[stack->depth++];
	if (!region && take_moved(follow, node, open))
		return 0;
	open->node = node;
	open->tree_node = tree_node;
	open->since_ns = follow->event->time_ns;
	open->region = region;
	open->number = 0;
	open->attributes.given = 0;
	return 0;
}

/* Returns the level up to which a STACK, at a chunk's begin, repeats the stack: equal nodes are the same entries. */
static size_t unchanged(const struct profile_trace_stack *stack, const struct profile_trace_event *event,
	const struct profile_trace_entry *pushed)
{
	size_t kept = event->operand, level = kept, depth = kept + event->pushed;
	while (level < stack->depth && level < depth && stack->entries[level].node == pushed[level - kept].node)
		level++;
	return level;
}

/*
 * The stack at a chunk's begin may already have the region that is about to begin: then its visit follows, and the
 * entry is a region.
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

static int restore(struct follow *follow, struct profile_trace_stack *stack, const struct profile_trace_entry *pushed)
{
	const struct profile_trace_file *file = &follow->trace->files[follow->trace->threads[follow->thread].file];
	const struct profile_trace_event *event = follow->event;
	int error = pop(follow, stack, unchanged(stack, event, pushed));
	for (size_t i = stack->depth - event->operand; i < event->pushed && !error; i++)
		error = push(follow, stack, pushed[i].node, file->map[pushed[i].node], false);
	return error;
}

static int hold(struct follow *follow, size_t thread, const struct profile_trace_entry *pushed)
{
	struct profile_trace_event *event = follow->next;
	follow->next = follow->event;
	follow->event = event;
	follow->holds = true;
	follow->thread = thread;
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
		return pop(follow, stack, stack->depth - 1);
	case HEDDLE_TRACE_BEGIN:
	case HEDDLE_TRACE_BEGIN_UNTIMED:
		return push(follow, stack, event->node, event->tree_node, true);
	case HEDDLE_TRACE_OPEN:
		return push(follow, stack, event->node, event->tree_node, false);
	case HEDDLE_TRACE_STACK:
		return restore(follow, stack, pushed);
	default:
		return 0;
	}
}

static int pass_on(struct follow *follow)
{
	const struct profile_trace_follow_hooks *hooks = follow->hooks;
	struct profile_trace_stack *stack = &follow->stacks[follow->thread];
	const struct profile_trace_event *event = follow->event;
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

/* True for the STACK and IDLE records at a chunk's begin, which may come between a record and its attributes. */
static bool says_nothing(const struct follow *follow, size_t thread, const struct profile_trace_entry *pushed)
{
	const struct profile_trace_event *event = follow->next;
	const struct profile_trace_stack *stack = &follow->stacks[thread];
	if (event->kind == HEDDLE_TRACE_IDLE)
		return stack->begun;
	return event->kind == HEDDLE_TRACE_STACK && stack->begun &&
	       stack->depth == (size_t)event->operand + event->pushed &&
	       unchanged(stack, event, pushed) == stack->depth;
}

static int take_event(struct follow *follow, size_t thread, const struct profile_trace_entry *pushed)
{
	const struct profile_trace_event *event = follow->next;
	if (says_nothing(follow, thread, pushed))
		return 0;
	if (event->kind == HEDDLE_TRACE_ATTRIBUTE) {
		if (event->operand < HEDDLE_TRACE_ATTRIBUTES) {
			follow->attributes.given |= 1u << event->operand;
			follow->attributes.value[event->operand] = event->value;
		}
		return 0;
	}
	int error = pass_on(follow);
	return error ? error : hold(follow, thread, pushed);
}

int profile_trace_follow(
	const struct profile_trace *trace, const struct profile_trace_follow_hooks *hooks, void *context)
{
	struct profile_trace_event events[2];
	struct follow follow = {
		.trace = trace, .hooks = hooks, .context = context, .event = &events[0], .next = &events[1]};
	const struct profile_trace_entry *pushed = NULL;
	size_t thread;
	struct profile_trace_merge *merge = profile_trace_merge_open(trace, 0);
	follow.stacks = calloc(trace->thread_count + 1, sizeof(*follow.stacks));
	int error = merge && follow.stacks ? 0 : -ENOMEM;
	while (!error && profile_trace_merge_take(merge, &thread, follow.next, &pushed) == 1)
		error = take_event(&follow, thread, pushed);
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
