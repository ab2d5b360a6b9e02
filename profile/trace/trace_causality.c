/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks the causes and effects of all machines: those of one machine in the order of its clock, an effect never before
 * its cause. A machine whose next event is an effect waits until the others have reached the cause. Barriers and
 * collectives are matched by their number on each rank, among all or in a communicator, and messages by their number
 * from one rank to another, so wrong clocks have no influence on these. The previous holder of a lock is known only by
 * the order of time; if that is wrong, machines may wait for each other, and then one continues without a check. As
 * long as clocks are not corrected, two threads may hold a lock at the same time.
 */
#include "profile/trace/trace_causality.h"

#include "profile/base/parallel.h"
#include "profile/trace/trace_causal.h"
#include "profile/trace/trace_stream.h"

#include <errno.h>
#include <stdlib.h>

#define MACHINES_OF_A_PROCESSOR 2 /* if there are more, no helper threads read ahead */

/* ---- machines ---- */

/*
 * True if events of the kind count. Threads of a rank that are not the rank itself count only when they send, receive
 * or take part in collectives.
 */
static bool counts(const struct profile_causal_walk *walk, size_t thread, enum profile_trace_cause_kind kind)
{
	return profile_causal_is_rank(walk, thread) || kind == HEDDLE_CAUSE_SEND || kind == HEDDLE_CAUSE_RECEIVE ||
	       kind == HEDDLE_CAUSE_JOIN || kind == HEDDLE_CAUSE_PART || kind == HEDDLE_CAUSE_LOSS;
}

/* Moves on to the machine's next cause or effect. */
static int advance(struct profile_causal_walk *walk, struct profile_causal_machine *machine)
{
	const struct profile_trace_stream *stream;
	struct profile_trace_event event;
	while (profile_trace_merge_next(machine->merge, &stream, &event)) {
		size_t thread = (size_t)(stream->thread - walk->trace->threads);
		machine->thread = thread;
		if (profile_trace_cause_of(&walk->ranks[thread].causer, &walk->roles, stream, &event, &machine->next) &&
			counts(walk, thread, machine->next.kind))
			return 0;
	}
	machine->over = true;
	walk->result->partial |= profile_trace_merge_broken(machine->merge) != 0;
	for (size_t t = 0; t < walk->trace->thread_count; t++)
		if (profile_causal_is_rank(walk, t) &&
			profile_causal_machine_of(walk, t) == (size_t)(machine - walk->machines))
			profile_causal_lose_meetings(walk, walk->ranks[t].entered);
	return profile_trace_merge_error(machine->merge);
}

static bool may_go(struct profile_causal_walk *walk, const struct profile_causal_machine *machine)
{
	const struct profile_causal_rank *rank = &walk->ranks[machine->thread];
	switch (machine->next.kind) {
	case HEDDLE_CAUSE_ENTER:
		return profile_causal_may_enter(walk, rank->entered + 1);
	case HEDDLE_CAUSE_LEAVE:
		return profile_causal_may_leave(walk, rank->entered);
	case HEDDLE_CAUSE_ACQUIRE:
		return profile_causal_may_acquire(walk, machine);
	case HEDDLE_CAUSE_RECEIVE:
		return profile_causal_may_receive(walk, machine);
	case HEDDLE_CAUSE_PART:
		return profile_causal_may_part(walk, machine);
	default:
		return true;
	}
}

static void lose(struct profile_causal_walk *walk, size_t thread)
{
	walk->losses[walk->trace->threads[thread].file]++;
	walk->ranks[thread].losses++;
	walk->ranks[thread].part.number = 0;
	if (profile_causal_is_rank(walk, thread))
		profile_causal_give_up(walk, walk->ranks[thread].entered);
}

static int go(struct profile_causal_walk *walk, struct profile_causal_machine *machine)
{
	switch (machine->next.kind) {
	case HEDDLE_CAUSE_ENTER:
		profile_causal_enter(walk, machine);
		return 0;
	case HEDDLE_CAUSE_LEAVE:
		return profile_causal_leave(walk, machine);
	case HEDDLE_CAUSE_ACQUIRE:
		return profile_causal_acquire(walk, machine);
	case HEDDLE_CAUSE_RELEASE:
		return profile_causal_release(walk, machine);
	case HEDDLE_CAUSE_SEND:
		return profile_causal_send(walk, machine);
	case HEDDLE_CAUSE_RECEIVE:
		return profile_causal_receive(walk, machine);
	case HEDDLE_CAUSE_JOIN:
		return profile_causal_join(walk, machine);
	case HEDDLE_CAUSE_PART:
		return profile_causal_part(walk, machine);
	case HEDDLE_CAUSE_LOSS:
		break;
	}
	lose(walk, machine->thread);
	return 0;
}

static bool is_cause(const struct profile_causal_machine *machine)
{
	return machine->next.kind == HEDDLE_CAUSE_ENTER || machine->next.kind == HEDDLE_CAUSE_RELEASE ||
	       machine->next.kind == HEDDLE_CAUSE_SEND || machine->next.kind == HEDDLE_CAUSE_JOIN;
}

/* At the same time, causes come before effects. */
static bool is_earlier(const struct profile_causal_walk *walk, const struct profile_causal_machine *machine,
	const struct profile_causal_machine *other)
{
	uint64_t ns = profile_causal_time_of(walk, machine), other_ns = profile_causal_time_of(walk, other);
	return ns < other_ns || (ns == other_ns && is_cause(machine) && !is_cause(other));
}

/*
 * If all machines wait, the most urgent one continues: its clock or trace may be the reason, so the least is given up.
 */
static int urgency(const struct profile_causal_machine *machine)
{
	bool matched = machine->next.kind == HEDDLE_CAUSE_RECEIVE || machine->next.kind == HEDDLE_CAUSE_PART;
	return machine->next.kind == HEDDLE_CAUSE_ACQUIRE ? 2 : matched ? 1 : 0;
}

/*
 * Returns the machine with the earliest next event that waits for nothing; if all wait, the most urgent one; NULL: all
 * events were processed.
 */
static struct profile_causal_machine *choose(struct profile_causal_walk *walk)
{
	struct profile_causal_machine *first = NULL, *stuck = NULL;
	for (size_t m = 0; m < walk->machine_count; m++) {
		struct profile_causal_machine *machine = &walk->machines[m];
		if (machine->over)
			continue;
		struct profile_causal_machine **best = may_go(walk, machine) ? &first : &stuck;
		int more = best == &stuck && *best ? urgency(machine) - urgency(*best) : 0;
		if (more > 0 || (more == 0 && (!*best || is_earlier(walk, machine, *best))))
			*best = machine;
	}
	return first ? first : stuck;
}

/* ---- the walk ---- */

static int open_machine(struct profile_causal_walk *walk, size_t index, size_t *threads)
{
	size_t count = 0;
	struct profile_causal_machine *machine = &walk->machines[index];
	for (size_t t = 0; t < walk->trace->thread_count; t++)
		if ((profile_causal_is_rank(walk, t) || profile_causal_file_of(walk, t)->group_count) &&
			profile_causal_machine_of(walk, t) == index)
			threads[count++] = t;
	size_t helpers = walk->machine_count <= MACHINES_OF_A_PROCESSOR * profile_processors() ? 1 : 0;
	machine->merge = profile_trace_merge_open_some(walk->trace, threads, count, helpers);
	return machine->merge ? advance(walk, machine) : -ENOMEM;
}

static int go_through(struct profile_causal_walk *walk)
{
	size_t *threads = calloc(walk->trace->thread_count + 1, sizeof(*threads));
	walk->machines = calloc(walk->machine_count, sizeof(*walk->machines));
	walk->ranks = calloc(walk->trace->thread_count + 1, sizeof(*walk->ranks));
	int error = threads && walk->machines && walk->ranks ? profile_trace_roles_find(&walk->roles, walk->trace)
							     : -ENOMEM;
	if (!error)
		error = profile_causal_begin_messages(walk);
	for (size_t m = 0; !error && m < walk->machine_count; m++)
		error = open_machine(walk, m, threads);
	struct profile_causal_machine *next;
	while (!error && (next = choose(walk)) != NULL) {
		error = go(walk, next);
		if (!error)
			error = advance(walk, next);
	}
	free(threads);
	return error;
}

static void release_walk(struct profile_causal_walk *walk)
{
	profile_causal_end_locks(walk);
	profile_causal_end_messages(walk);
	profile_causal_end_gatherings(walk);
	for (size_t m = 0; walk->machines && m < walk->machine_count; m++)
		profile_trace_merge_close(walk->machines[m].merge);
	free(walk->machines);
	free(walk->ranks);
	profile_trace_roles_free(&walk->roles);
}

static int make_walk(struct profile_trace_causality *causality, const struct profile_trace *trace,
	struct profile_trace_shifts *shifts, struct profile_trace_table *precedences)
{
	struct profile_causal_walk walk = {.trace = trace,
		.result = causality,
		.shifts = shifts,
		.precedences = precedences,
		.machine_count = trace->machine_count,
		.last_meeting = UINT64_MAX};
	*causality = (struct profile_trace_causality){0};
	if (trace->machine_count < 2)
		return 0;
	int error = go_through(&walk);
	release_walk(&walk);
	return error;
}

int profile_trace_causality_check(struct profile_trace_causality *causality, const struct profile_trace *trace)
{
	return make_walk(causality, trace, NULL, NULL);
}

int profile_trace_causality_shifts(struct profile_trace_causality *causality, const struct profile_trace *trace,
	struct profile_trace_shifts *shifts)
{
	struct profile_trace_table precedences = {0};
	struct profile_trace_causality corrected;
	void *precedence;
	int error = make_walk(causality, trace, NULL, &precedences);
	bool violated = causality->barriers.violated || causality->collectives.violated || causality->locks.violated ||
			causality->messages.violated;
	if (!error && violated)
		error = make_walk(&corrected, trace, shifts, &precedences);
	while ((precedence = profile_trace_table_drain(&precedences)) != NULL)
		free(precedence);
	return error;
}
