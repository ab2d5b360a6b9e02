/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of communicators: the nth one is the same collective for all members. Its kind decides which members'
 * begins come before which ends; the order of ranks in a scan is not checked. As with messages, two processes of a
 * machine may seem to be in another order by some 100 ns: then a member leaves without the check.
 */
#include "profile/trace/trace_causal.h"

#include <errno.h>
#include <stdlib.h>

#define MOST_EARLY 64 /* if there are more, a member's events are missing */

/* A communicator. */
struct group {
	uint64_t members;
	size_t early;
	bool broken; /* its collectives are not matched correctly */
};

/* The begins of members of a communicator, or of one of its two groups (1 and 2). */
struct side {
	uint64_t entered;
	struct profile_causal_latest entry, sure_entry; /* sure: earliest possible, by the clock's error bound */
};

/* A collective, until all have left it. */
struct gathering {
	uint64_t entered, left;
	enum heddle_event_role waits;
	struct side sides[3];
	struct profile_causal_latest root, sure_root; /* of the root alone; SIZE_MAX as machine: it has not arrived */
	size_t machine;                               /* of the first member to arrive */
	bool spread;                                  /* members are on several machines */
	bool violated, beyond;
};

/* How many collectives of a communicator a process has begun. */
struct count {
	uint64_t begun;
};

static struct group *group_of(struct profile_causal_walk *walk, uint64_t identity)
{
	struct group *group = profile_trace_table_make(&walk->groups, identity, 0, sizeof(*group));
	if (group)
		group->members = HEDDLE_TRACE_MEMBERS(identity);
	return group;
}

static struct gathering *find(const struct profile_causal_walk *walk, const struct profile_causal_part *part)
{
	return part->number ? profile_trace_table_find(&walk->gatherings, part->identity, part->number) : NULL;
}

static size_t index_of(const struct profile_causal_walk *walk, const struct profile_causal_machine *machine)
{
	return (size_t)(machine - walk->machines);
}

static uint32_t file_of(const struct profile_causal_walk *walk, size_t thread)
{
	return walk->trace->threads[thread].file;
}

/* Returns the rank, in the program, of a thread's process; negative: unknown. */
static int64_t own_rank(const struct profile_causal_walk *walk, size_t thread)
{
	const struct profile_trace_file *file = profile_causal_file_of(walk, thread);
	if (file->group_count)
		return file->groups[0].all_rank;
	return profile_causal_is_rank(walk, thread) ? (int64_t)walk->trace->threads[thread].row->rank - 1 : -1;
}

/* ---- begin ---- */

static struct gathering *gathering_of(
	struct profile_causal_walk *walk, const struct profile_causal_part *part, size_t machine)
{
	struct gathering *found = find(walk, part);
	if (found)
		return found;
	found = profile_trace_table_make(&walk->gatherings, part->identity, part->number, sizeof(*found));
	if (found)
		*found =
			(struct gathering){.root.machine = SIZE_MAX, .sure_root.machine = SIZE_MAX, .machine = machine};
	for (size_t i = 0; found && i < 3; i++)
		found->sides[i].entry.machine = found->sides[i].sure_entry.machine = SIZE_MAX;
	return found;
}

/* True if there is something to compare, once all have arrived. */
static bool is_compared(const struct gathering *gathering)
{
	bool rooted = gathering->waits == HEDDLE_EVENT_FROM_ROOT || gathering->waits == HEDDLE_EVENT_TO_ROOT;
	bool mutual = gathering->waits == HEDDLE_EVENT_MEMBERS || gathering->waits == HEDDLE_EVENT_MUTUAL;
	return gathering->spread && (mutual || (rooted && gathering->root.machine != SIZE_MAX));
}

static void come(struct profile_causal_walk *walk, const struct profile_causal_machine *machine,
	struct gathering *gathering, const struct group *group)
{
	const struct profile_trace_cause *cause = &machine->next;
	uint64_t ns = profile_causal_time_of(walk, machine), error = profile_causal_error_of(walk, machine);
	uint64_t sure = ns > error ? ns - error : 0;
	size_t index = index_of(walk, machine);
	gathering->waits = (enum heddle_event_role)cause->waits;
	gathering->spread |= gathering->machine != index;
	struct side *side = &gathering->sides[cause->across ? 1 + HEDDLE_TRACE_ACROSS_SIDE(cause->across) : 0];
	side->entered++;
	profile_causal_take_latest(&side->entry, index, ns);
	profile_causal_take_latest(&side->sure_entry, index, sure);
	if (cause->partner >= 0 && cause->partner == own_rank(walk, machine->thread)) {
		profile_causal_take_latest(&gathering->root, index, ns);
		profile_causal_take_latest(&gathering->sure_root, index, sure);
	}
	if (++gathering->entered == group->members && is_compared(gathering))
		walk->result->collectives.checked++;
}

/* Stores the part for the end of the operation. */
static int keep(struct profile_causal_walk *walk, const struct profile_causal_machine *machine,
	const struct profile_causal_part *part)
{
	uint64_t request = machine->next.request;
	if (!request) {
		walk->ranks[machine->thread].part = *part;
		return 0;
	}
	struct profile_causal_part *kept =
		profile_trace_table_make(&walk->parts, file_of(walk, machine->thread), request, sizeof(*kept));
	if (!kept)
		return -ENOMEM;
	*kept = *part;
	return 0;
}

int profile_causal_join(struct profile_causal_walk *walk, struct profile_causal_machine *machine)
{
	uint64_t identity = machine->next.identity;
	uint32_t file = file_of(walk, machine->thread);
	struct group *group = group_of(walk, identity);
	struct count *count = profile_trace_table_make(&walk->counts, identity, file, sizeof(*count));
	if (!group || !count)
		return -ENOMEM;
	group->broken |= walk->losses[file] > 0;
	struct profile_causal_part part = {identity, ++count->begun, machine->next.partner, machine->next.across};
	if (group->broken || group->members < 2)
		part.number = 0;
	if (part.number) {
		struct gathering *gathering = gathering_of(walk, &part, index_of(walk, machine));
		if (!gathering)
			return -ENOMEM;
		come(walk, machine, gathering, group);
		machine->since_ns = profile_causal_later(machine->since_ns, machine->next.ns);
	}
	return keep(walk, machine, &part);
}

/* ---- end ---- */

/* Returns the part that the machine's next event ends; number 0: none. */
static struct profile_causal_part part_of(
	const struct profile_causal_walk *walk, const struct profile_causal_machine *machine)
{
	if (!machine->next.request)
		return walk->ranks[machine->thread].part;
	const struct profile_causal_part *kept =
		profile_trace_table_find(&walk->parts, file_of(walk, machine->thread), machine->next.request);
	return kept ? *kept : (struct profile_causal_part){0};
}

static void forget(struct profile_causal_walk *walk, const struct profile_causal_machine *machine)
{
	if (machine->next.request)
		free(profile_trace_table_take(&walk->parts, file_of(walk, machine->thread), machine->next.request));
	else
		walk->ranks[machine->thread].part.number = 0;
}

/* Returns the members on whose begins this member's end may depend. */
static const struct side *others_of(const struct gathering *gathering, uint64_t across)
{
	return &gathering->sides[across ? 2 - HEDDLE_TRACE_ACROSS_SIDE(across) : 0];
}

/*
 * Returns the begins, on other machines, that the end of the part comes after, and in *sure their earliest possible
 * times. NULL: none.
 */
static const struct profile_causal_latest *cause_of(const struct profile_causal_walk *walk, size_t thread,
	const struct profile_causal_part *part, const struct gathering *gathering,
	const struct profile_causal_latest **sure)
{
	bool is_root = part->root >= 0 && part->root == own_rank(walk, thread);
	bool from_root = gathering->waits == HEDDLE_EVENT_FROM_ROOT && part->root >= 0 && !is_root;
	bool of_all = gathering->waits == HEDDLE_EVENT_MEMBERS || gathering->waits == HEDDLE_EVENT_MUTUAL ||
		      (gathering->waits == HEDDLE_EVENT_TO_ROOT && is_root);
	const struct side *others = others_of(gathering, part->across);
	*sure = from_root ? &gathering->sure_root : &others->sure_entry;
	return from_root ? &gathering->root : of_all ? &others->entry : NULL;
}

static bool has_come(const struct profile_causal_part *part, const struct gathering *gathering,
	const struct profile_causal_latest *cause)
{
	uint64_t others =
		part->across ? HEDDLE_TRACE_ACROSS_OTHERS(part->across) : HEDDLE_TRACE_MEMBERS(part->identity);
	return cause == &gathering->root ? cause->machine != SIZE_MAX
					 : others_of(gathering, part->across)->entered == others;
}

bool profile_causal_may_part(const struct profile_causal_walk *walk, const struct profile_causal_machine *machine)
{
	const struct profile_causal_part part = part_of(walk, machine);
	const struct gathering *gathering = find(walk, &part);
	const struct group *group = profile_trace_table_find(&walk->groups, part.identity, 0);
	const struct profile_causal_latest *sure;
	if (!gathering || !group || group->broken)
		return true;
	const struct profile_causal_latest *cause = cause_of(walk, machine->thread, &part, gathering, &sure);
	return !cause || has_come(&part, gathering, cause);
}

/* Returns the time of the cause if the end seems to come before it; else 0. */
static uint64_t compare(struct profile_causal_walk *walk, const struct profile_causal_machine *machine,
	struct gathering *gathering, const struct profile_causal_latest *cause,
	const struct profile_causal_latest *sure)
{
	size_t index = index_of(walk, machine);
	uint64_t ns = profile_causal_time_of(walk, machine), last = profile_causal_latest_of_others(cause, index), end;
	if (ns >= last)
		return 0;
	bool beyond = !__builtin_add_overflow(ns, profile_causal_error_of(walk, machine), &end) &&
		      end < profile_causal_latest_of_others(sure, index);
	profile_causal_violate(
		&walk->result->collectives, last - ns, !gathering->violated, beyond && !gathering->beyond);
	gathering->violated = true;
	gathering->beyond |= beyond;
	return last;
}

/* All machines wait: for each other, or for a member's part that is missing. */
static void leave_early(struct profile_causal_walk *walk, struct group *group)
{
	if (++group->early <= MOST_EARLY)
		return;
	group->broken = true;
	walk->result->partial = true;
}

int profile_causal_part(struct profile_causal_walk *walk, struct profile_causal_machine *machine)
{
	const struct profile_causal_part part = part_of(walk, machine);
	struct gathering *gathering = find(walk, &part);
	struct group *group = profile_trace_table_find(&walk->groups, part.identity, 0);
	const struct profile_causal_latest *sure;
	uint64_t last = 0;
	forget(walk, machine);
	if (!gathering || !group || group->broken)
		return 0;
	const struct profile_causal_latest *cause = cause_of(walk, machine->thread, &part, gathering, &sure);
	if (cause && has_come(&part, gathering, cause))
		last = compare(walk, machine, gathering, cause, sure);
	else if (cause)
		leave_early(walk, group);
	if (++gathering->left == group->members)
		free(profile_trace_table_take(&walk->gatherings, part.identity, part.number));
	return last ? profile_causal_mend(
			      walk, machine, last, profile_causal_later(machine->since_ns, machine->entry_ns))
		    : 0;
}

void profile_causal_end_gatherings(struct profile_causal_walk *walk)
{
	struct profile_trace_table *tables[] = {&walk->groups, &walk->counts, &walk->gatherings, &walk->parts};
	void *value;
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		while ((value = profile_trace_table_drain(tables[i])) != NULL)
			free(value);
}
