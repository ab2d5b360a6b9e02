/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Meetings: barriers and collectives that synchronize all ranks. They are matched by their number on each rank, so
 * wrong clocks have no influence.
 */
#include "profile/trace/trace_causal.h"

static struct profile_causal_meeting *meeting_of(struct profile_causal_walk *walk, uint64_t number)
{
	return number <= walk->last_meeting ? &walk->meetings[number % 2] : NULL;
}

static bool is_complete(const struct profile_causal_walk *walk, const struct profile_causal_meeting *meeting)
{
	return meeting->entered == walk->roles.ranks;
}

/* A rank that enters the meeting after the next one needs its slot. */
bool profile_causal_may_enter(struct profile_causal_walk *walk, uint64_t number)
{
	const struct profile_causal_meeting *meeting = meeting_of(walk, number);
	return !meeting || !meeting->number || meeting->number == number || is_complete(walk, meeting);
}

bool profile_causal_may_leave(struct profile_causal_walk *walk, uint64_t number)
{
	const struct profile_causal_meeting *meeting = meeting_of(walk, number);
	return !meeting || meeting->number != number || is_complete(walk, meeting);
}

/* Events after a rank's last known meeting have no numbers. */
void profile_causal_lose_meetings(struct profile_causal_walk *walk, uint64_t entered)
{
	if (entered < walk->last_meeting)
		walk->last_meeting = entered;
}

/* Machines wait for each other: meetings after that number may be others than they seem. */
void profile_causal_give_up(struct profile_causal_walk *walk, uint64_t number)
{
	walk->result->partial = true;
	profile_causal_lose_meetings(walk, number);
}

void profile_causal_enter(struct profile_causal_walk *walk, struct profile_causal_machine *machine)
{
	uint64_t number = ++walk->ranks[machine->thread].entered, ns = profile_causal_time_of(walk, machine);
	uint64_t error = profile_causal_error_of(walk, machine);
	size_t index = (size_t)(machine - walk->machines);
	struct profile_causal_meeting *meeting = meeting_of(walk, number);
	if (machine->entry_number != number)
		machine->since_ns = profile_causal_later(machine->since_ns, machine->entry_ns);
	machine->entry_number = number;
	machine->entry_ns = machine->next.ns;
	if (!meeting)
		return;
	if (meeting->number && meeting->number != number && !is_complete(walk, meeting)) {
		profile_causal_give_up(walk, meeting->number - 1);
		return;
	}
	if (meeting->number != number)
		*meeting = (struct profile_causal_meeting){.number = number,
			.entry.machine = SIZE_MAX,
			.sure_entry.machine = SIZE_MAX,
			.sum = machine->next.collective ? &walk->result->collectives : &walk->result->barriers};
	profile_causal_take_latest(&meeting->entry, index, ns);
	profile_causal_take_latest(&meeting->sure_entry, index, ns > error ? ns - error : 0);
	if (++meeting->entered == walk->roles.ranks)
		meeting->sum->checked++;
}

int profile_causal_leave(struct profile_causal_walk *walk, struct profile_causal_machine *machine)
{
	uint64_t number = walk->ranks[machine->thread].entered, ns = profile_causal_time_of(walk, machine), end;
	struct profile_causal_meeting *meeting = meeting_of(walk, number);
	size_t index = (size_t)(machine - walk->machines);
	if (meeting && meeting->number == number && !is_complete(walk, meeting))
		profile_causal_give_up(walk, number - 1);
	if (!meeting || meeting->number != number || !is_complete(walk, meeting))
		return 0;
	uint64_t last = profile_causal_latest_of_others(&meeting->entry, index);
	if (ns >= last)
		return 0;
	bool beyond = !__builtin_add_overflow(ns, profile_causal_error_of(walk, machine), &end) &&
		      end < profile_causal_latest_of_others(&meeting->sure_entry, index);
	profile_causal_violate(meeting->sum, last - ns, !meeting->violated, beyond && !meeting->beyond);
	meeting->violated = true;
	meeting->beyond |= beyond;
	/* The machine's own arrival may be moved, because it stays before the last one. */
	bool entered_more = machine->entry_number != number;
	return profile_causal_mend(walk, machine, last,
		entered_more ? profile_causal_later(machine->since_ns, machine->entry_ns) : machine->since_ns);
}
