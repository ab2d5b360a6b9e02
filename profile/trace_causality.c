/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Goes through the causes and effects of all machines, those of a machine in the order of its clock, an effect never
 * before its cause: a machine whose next event is an effect waits until the others have come to the cause. Barriers and
 * collectives are matched by their number on each rank, so clocks that are wrong by any time change nothing there. Who
 * had a lock before is known from the order of time alone; if that is wrong, machines may wait for each other, and then
 * one goes on without a check.
 */
#include "profile/trace_causality.h"

#include "profile/trace_cause.h"
#include "profile/trace_clock.h"
#include "profile/trace_stream.h"
#include "profile/trace_table.h"

#include <errno.h>
#include <stdlib.h>

/* The greatest of numbers, and the greatest of those that are not its machine's. */
struct latest {
	uint64_t most, others;
	size_t machine;
};

/* A barrier or collective, by its number on each rank. */
struct meeting {
	uint64_t number; /* 1 ...; 0: none */
	size_t entered;
	struct latest entry, sure_entry; /* sure: at least, by the clock's error bound */
	struct profile_trace_violations *sum;
	bool violated, beyond;
};

struct lock {
	size_t holder; /* thread + 1 that has it; 0: nobody, or unknown */
	uint64_t losses;
	bool released; /* by that machine, then: */
	size_t machine;
	uint64_t released_ns, error_ns;
};

struct rank {
	struct profile_trace_causer causer;
	uint64_t entered; /* meetings */
	uint64_t losses;
};

/* A machine that ranks run on. */
struct machine {
	struct profile_trace_merge *merge; /* of its ranks */
	bool over;                         /* there is no next event */
	struct profile_trace_cause next;
	size_t thread; /* of that */
	/* Causes of other machines' effects, up to which the clock may not be changed any more: */
	uint64_t since_ns; /* those before the last meeting that it entered */
	uint64_t entry_ns, entry_number;
};

struct walk {
	const struct profile_trace *trace;
	struct profile_trace_causality *result;
	struct profile_trace_shifts *shifts; /* by machine; NULL: nothing is corrected */
	struct profile_trace_roles roles;
	struct rank *ranks; /* by thread */
	struct machine *machines;
	size_t machine_count;
	struct meeting meetings[2]; /* by their number % 2 */
	uint64_t last_meeting;      /* later ones are not known for all ranks */
	struct profile_trace_table locks;
};

static uint64_t later(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

static const struct profile_trace_file *file_of(const struct walk *walk, size_t thread)
{
	return &walk->trace->files[walk->trace->threads[thread].file];
}

static size_t machine_of(const struct walk *walk, size_t thread)
{
	return file_of(walk, thread)->machine;
}

/* The corrected time of a machine's next event. */
static uint64_t time_of(const struct walk *walk, const struct machine *machine)
{
	if (!walk->shifts)
		return machine->next.ns;
	return profile_trace_shifted(&walk->shifts[machine - walk->machines], machine->next.ns);
}

/* ---- violations ---- */

/* The effect, which is the machine's next event, seems to come before its cause. */
static int mend(struct walk *walk, struct machine *machine, uint64_t cause_ns, uint64_t since_ns)
{
	if (!walk->shifts)
		return 0;
	return profile_trace_shift_add(
		&walk->shifts[machine - walk->machines], machine->next.ns, cause_ns + 1, since_ns);
}

static void violate(struct profile_trace_violations *sum, uint64_t late_ns, bool first, bool first_beyond)
{
	sum->violated += first;
	sum->beyond += first_beyond;
	sum->largest_ns = later(sum->largest_ns, late_ns);
}

static uint64_t error_of(const struct walk *walk, const struct machine *machine)
{
	return profile_trace_clock_error(file_of(walk, machine->thread), machine->next.ns);
}

/* ---- barriers and collectives ---- */

static void take_latest(struct latest *latest, size_t machine, uint64_t number)
{
	if (machine != latest->machine && number > latest->most)
		*latest = (struct latest){number, latest->most, machine};
	else if (machine == latest->machine)
		latest->most = later(latest->most, number);
	else
		latest->others = later(latest->others, number);
}

static uint64_t latest_of_others(const struct latest *latest, size_t machine)
{
	return latest->machine == machine ? latest->others : latest->most;
}

static struct meeting *meeting_of(struct walk *walk, uint64_t number)
{
	return number <= walk->last_meeting ? &walk->meetings[number % 2] : NULL;
}

static bool is_complete(const struct walk *walk, const struct meeting *meeting)
{
	return meeting->entered == walk->roles.ranks;
}

/* A rank that enters the next meeting but one needs its place. */
static bool may_enter(struct walk *walk, uint64_t number)
{
	const struct meeting *meeting = meeting_of(walk, number);
	return !meeting || !meeting->number || meeting->number == number || is_complete(walk, meeting);
}

static bool may_leave(struct walk *walk, uint64_t number)
{
	const struct meeting *meeting = meeting_of(walk, number);
	return !meeting || meeting->number != number || is_complete(walk, meeting);
}

/* What comes after a rank's last known meeting has no number. */
static void lose_meetings(struct walk *walk, uint64_t entered)
{
	if (entered < walk->last_meeting)
		walk->last_meeting = entered;
}

/* Machines wait for each other: meetings after that one are not what they seem to be. */
static void give_up(struct walk *walk, uint64_t number)
{
	walk->result->partial = true;
	lose_meetings(walk, number);
}

static void enter(struct walk *walk, struct machine *machine)
{
	uint64_t number = ++walk->ranks[machine->thread].entered, ns = time_of(walk, machine);
	uint64_t error = error_of(walk, machine);
	size_t index = (size_t)(machine - walk->machines);
	struct meeting *meeting = meeting_of(walk, number);
	if (machine->entry_number != number)
		machine->since_ns = later(machine->since_ns, machine->entry_ns);
	machine->entry_number = number;
	machine->entry_ns = machine->next.ns;
	if (!meeting)
		return;
	if (meeting->number && meeting->number != number && !is_complete(walk, meeting)) {
		give_up(walk, meeting->number - 1);
		return;
	}
	if (meeting->number != number)
		*meeting = (struct meeting){.number = number,
			.entry.machine = SIZE_MAX,
			.sure_entry.machine = SIZE_MAX,
			.sum = machine->next.collective ? &walk->result->collectives : &walk->result->barriers};
	take_latest(&meeting->entry, index, ns);
	take_latest(&meeting->sure_entry, index, ns > error ? ns - error : 0);
	if (++meeting->entered == walk->roles.ranks)
		meeting->sum->checked++;
}

static int leave(struct walk *walk, struct machine *machine)
{
	uint64_t number = walk->ranks[machine->thread].entered, ns = time_of(walk, machine), end;
	struct meeting *meeting = meeting_of(walk, number);
	size_t index = (size_t)(machine - walk->machines);
	if (meeting && meeting->number == number && !is_complete(walk, meeting))
		give_up(walk, number - 1);
	if (!meeting || meeting->number != number || !is_complete(walk, meeting))
		return 0;
	uint64_t last = latest_of_others(&meeting->entry, index);
	if (ns >= last)
		return 0;
	bool beyond = !__builtin_add_overflow(ns, error_of(walk, machine), &end) &&
		      end < latest_of_others(&meeting->sure_entry, index);
	violate(meeting->sum, last - ns, !meeting->violated, beyond && !meeting->beyond);
	meeting->violated = true;
	meeting->beyond |= beyond;
	/* The machine's own arrival may be moved, as it stays before the last one. */
	bool entered_more = machine->entry_number != number;
	return mend(
		walk, machine, last, entered_more ? later(machine->since_ns, machine->entry_ns) : machine->since_ns);
}

/* ---- locks ---- */

static struct lock *lock_of(struct walk *walk, uint64_t number)
{
	struct lock *lock = profile_trace_table_find(&walk->locks, 0, number);
	if (lock)
		return lock;
	lock = calloc(1, sizeof(*lock));
	if (lock && profile_trace_table_add(&walk->locks, 0, number, lock) != 0) {
		free(lock);
		return NULL;
	}
	return lock;
}

/* A thread of which nothing was lost since then has the lock. */
static bool is_held(const struct walk *walk, const struct lock *lock)
{
	return lock->holder && walk->ranks[lock->holder - 1].losses == lock->losses;
}

static bool may_acquire(const struct walk *walk, const struct machine *machine)
{
	const struct lock *lock = profile_trace_table_find(&walk->locks, 0, machine->next.lock);
	return !lock || !is_held(walk, lock) ||
	       machine_of(walk, lock->holder - 1) == (size_t)(machine - walk->machines);
}

static int acquire(struct walk *walk, struct machine *machine)
{
	struct lock *lock = lock_of(walk, machine->next.lock);
	struct profile_trace_violations *sum = &walk->result->locks;
	size_t index = (size_t)(machine - walk->machines);
	uint64_t ns = time_of(walk, machine);
	int error = lock ? 0 : -ENOMEM;
	if (lock && !is_held(walk, lock) && lock->released && lock->machine != index) {
		sum->checked++;
		if (ns < lock->released_ns) {
			uint64_t late = lock->released_ns - ns;
			violate(sum, late, true, late > lock->error_ns + error_of(walk, machine));
			error = mend(walk, machine, lock->released_ns, later(machine->since_ns, machine->entry_ns));
		}
	}
	if (lock)
		*lock = (struct lock){.holder = machine->thread + 1, .losses = walk->ranks[machine->thread].losses};
	return error;
}

static int release(struct walk *walk, struct machine *machine)
{
	struct lock *lock = lock_of(walk, machine->next.lock);
	if (!lock)
		return -ENOMEM;
	machine->since_ns = machine->next.ns;
	if (is_held(walk, lock) && lock->holder == machine->thread + 1)
		*lock = (struct lock){.released = true,
			.machine = (size_t)(machine - walk->machines),
			.released_ns = time_of(walk, machine),
			.error_ns = error_of(walk, machine)};
	return 0;
}

/* ---- machines ---- */

/* Goes on to the next cause or effect. */
static int advance(struct walk *walk, struct machine *machine)
{
	const struct profile_trace_stream *stream;
	struct profile_trace_event event;
	while (profile_trace_merge_next(machine->merge, &stream, &event)) {
		size_t thread = (size_t)(stream->thread - walk->trace->threads);
		machine->thread = thread;
		if (profile_trace_cause_of(&walk->ranks[thread].causer, &walk->roles, stream, &event, &machine->next))
			return 0;
	}
	machine->over = true;
	walk->result->partial |= profile_trace_merge_broken(machine->merge) != 0;
	for (size_t t = 0; t < walk->trace->thread_count; t++)
		if (profile_trace_is_rank(&walk->trace->threads[t]) &&
			machine_of(walk, t) == (size_t)(machine - walk->machines))
			lose_meetings(walk, walk->ranks[t].entered);
	return profile_trace_merge_error(machine->merge);
}

static bool may_go(struct walk *walk, const struct machine *machine)
{
	const struct rank *rank = &walk->ranks[machine->thread];
	switch (machine->next.kind) {
	case HEDDLE_CAUSE_ENTER:
		return may_enter(walk, rank->entered + 1);
	case HEDDLE_CAUSE_LEAVE:
		return may_leave(walk, rank->entered);
	case HEDDLE_CAUSE_ACQUIRE:
		return may_acquire(walk, machine);
	default:
		return true;
	}
}

static int go(struct walk *walk, struct machine *machine)
{
	switch (machine->next.kind) {
	case HEDDLE_CAUSE_ENTER:
		enter(walk, machine);
		return 0;
	case HEDDLE_CAUSE_LEAVE:
		return leave(walk, machine);
	case HEDDLE_CAUSE_ACQUIRE:
		return acquire(walk, machine);
	case HEDDLE_CAUSE_RELEASE:
		return release(walk, machine);
	case HEDDLE_CAUSE_LOSS:
		break;
	}
	walk->ranks[machine->thread].losses++;
	give_up(walk, walk->ranks[machine->thread].entered);
	return 0;
}

/* The machine whose next event is the first one that waits for nothing; NULL: all events were gone through. */
static struct machine *choose(struct walk *walk)
{
	struct machine *first = NULL, *stuck = NULL;
	for (size_t m = 0; m < walk->machine_count; m++) {
		struct machine *machine = &walk->machines[m];
		if (machine->over)
			continue;
		struct machine **best = may_go(walk, machine) ? &first : &stuck;
		bool is_lock = machine->next.kind == HEDDLE_CAUSE_ACQUIRE;
		bool better = best == &stuck && *best && is_lock != ((*best)->next.kind == HEDDLE_CAUSE_ACQUIRE)
				      ? is_lock
				      : !*best || time_of(walk, machine) < time_of(walk, *best);
		if (better)
			*best = machine;
	}
	return first ? first : stuck;
}

/* ---- the walk ---- */

static int open_machine(struct walk *walk, size_t index, size_t *threads)
{
	size_t count = 0;
	struct machine *machine = &walk->machines[index];
	for (size_t t = 0; t < walk->trace->thread_count; t++)
		if (profile_trace_is_rank(&walk->trace->threads[t]) && machine_of(walk, t) == index)
			threads[count++] = t;
	machine->merge = profile_trace_merge_open_some(walk->trace, threads, count);
	return machine->merge ? advance(walk, machine) : -ENOMEM;
}

static int go_through(struct walk *walk)
{
	size_t *threads = calloc(walk->trace->thread_count + 1, sizeof(*threads));
	walk->machines = calloc(walk->machine_count, sizeof(*walk->machines));
	walk->ranks = calloc(walk->trace->thread_count + 1, sizeof(*walk->ranks));
	int error = threads && walk->machines && walk->ranks ? profile_trace_roles_find(&walk->roles, walk->trace)
							     : -ENOMEM;
	for (size_t m = 0; !error && m < walk->machine_count; m++)
		error = open_machine(walk, m, threads);
	struct machine *next;
	while (!error && (next = choose(walk)) != NULL) {
		error = go(walk, next);
		if (!error)
			error = advance(walk, next);
	}
	free(threads);
	return error;
}

static void release_walk(struct walk *walk)
{
	void *lock;
	while ((lock = profile_trace_table_drain(&walk->locks)) != NULL)
		free(lock);
	for (size_t m = 0; walk->machines && m < walk->machine_count; m++)
		profile_trace_merge_close(walk->machines[m].merge);
	free(walk->machines);
	free(walk->ranks);
	profile_trace_roles_free(&walk->roles);
}

int profile_trace_causality_shifts(struct profile_trace_causality *causality, const struct profile_trace *trace,
	struct profile_trace_shifts *shifts)
{
	struct walk walk = {.trace = trace,
		.result = causality,
		.shifts = shifts,
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
	return profile_trace_causality_shifts(causality, trace, NULL);
}
