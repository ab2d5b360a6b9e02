/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Goes through the causes and effects of all machines, those of a machine in the order of its clock, an effect never
 * before its cause: a machine whose next event is an effect waits until the others have come to the cause. Barriers and
 * collectives are matched by their number on each rank, so clocks that are wrong by any time change nothing there. Who
 * had a lock before is known from the order of time alone; if that is wrong, machines may wait for each other, and then
 * one goes on without a check. While clocks are not corrected, two may have a lock at the same time.
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

/* A thread has the lock for some time. */
struct hold {
	size_t holder;                                 /* thread + 1; 0: nobody, or unknown */
	uint64_t index;                                /* of its acquisitions of any lock */
	uint64_t losses, since_ns, until_ns, error_ns; /* until_ns 0: it still has it */
};

struct lock {
	struct hold first, second; /* the second one seems to have it as well, which only uncorrected clocks say */
	bool released;             /* by that machine, then: */
	size_t machine;
	uint64_t released_ns, error_ns;
};

/* An acquisition that comes first although clocks show another one before it. */
struct precedence {
	size_t thread;
	uint64_t index;
};

struct rank {
	struct profile_trace_causer causer;
	uint64_t entered;  /* meetings */
	uint64_t acquired; /* locks */
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
	struct profile_trace_table *precedences; /* by thread and index of the acquisition that comes later */
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

/* Nothing was lost of the thread since it got the lock. */
static bool is_known(const struct walk *walk, const struct hold *hold)
{
	return hold->holder && walk->ranks[hold->holder - 1].losses == hold->losses;
}

static bool is_held(const struct walk *walk, const struct lock *lock)
{
	return is_known(walk, &lock->first);
}

static struct hold make_hold(const struct walk *walk, const struct machine *machine)
{
	const struct rank *rank = &walk->ranks[machine->thread];
	return (struct hold){.holder = machine->thread + 1,
		.index = rank->acquired,
		.losses = rank->losses,
		.since_ns = time_of(walk, machine),
		.error_ns = error_of(walk, machine)};
}

static void give_back(struct lock *lock, size_t machine, uint64_t ns, uint64_t error)
{
	*lock = (struct lock){.released = true, .machine = machine, .released_ns = ns, .error_ns = error};
}

/* Two threads seem to have had the lock at the same time: the order that needs less correction is taken for right. */
static int settle(struct walk *walk, struct lock *lock)
{
	const struct hold *one = &lock->first, *other = &lock->second;
	uint64_t late = one->until_ns - other->since_ns, swapped = other->until_ns - one->since_ns;
	uint64_t least = late < swapped ? late : swapped;
	int error = 0;
	violate(&walk->result->locks, least, true, least > one->error_ns && least - one->error_ns > other->error_ns);
	if (swapped < late && walk->precedences &&
		file_of(walk, one->holder - 1)->clock != HEDDLE_TRACE_SYSTEM_CLOCKS &&
		file_of(walk, other->holder - 1)->clock != HEDDLE_TRACE_SYSTEM_CLOCKS) {
		struct precedence *precedence = malloc(sizeof(*precedence));
		if (precedence)
			*precedence = (struct precedence){other->holder - 1, other->index};
		error = precedence ? profile_trace_table_add(walk->precedences, one->holder - 1, one->index, precedence)
				   : -ENOMEM;
		if (error)
			free(precedence);
	}
	const struct hold *last = one->until_ns > other->until_ns ? one : other;
	give_back(lock, machine_of(walk, last->holder - 1), last->until_ns, last->error_ns);
	return error;
}

/* At the end of the trace, the second one still has the lock: then it is the later one. */
static void end_lock(struct walk *walk, const struct lock *lock)
{
	const struct hold *one = &lock->first, *other = &lock->second;
	if (!is_known(walk, one) || !is_known(walk, other) || one->until_ns <= other->since_ns)
		return;
	uint64_t late = one->until_ns - other->since_ns;
	violate(&walk->result->locks, late, true, late > one->error_ns && late - one->error_ns > other->error_ns);
}

/* Clocks that are not corrected: whoever seems to have the lock has it. */
static void acquire_anyway(struct walk *walk, struct machine *machine, struct lock *lock)
{
	size_t index = (size_t)(machine - walk->machines);
	bool known = is_held(walk, lock) && (!lock->second.holder || is_known(walk, &lock->second));
	if (lock->first.holder && !known)
		*lock = (struct lock){0};
	size_t before = known ? machine_of(walk, lock->first.holder - 1) : lock->machine;
	bool other = (known || lock->released) && before != index;
	walk->result->locks.checked += other;
	if (!known || !other)
		*lock = (struct lock){.first = make_hold(walk, machine)};
	else if (!lock->second.holder)
		lock->second = make_hold(walk, machine);
}

static int release_anyway(struct walk *walk, struct machine *machine, struct lock *lock)
{
	bool known = is_held(walk, lock) && (!lock->second.holder || is_known(walk, &lock->second));
	struct hold *mine = lock->first.holder == machine->thread + 1    ? &lock->first
			    : lock->second.holder == machine->thread + 1 ? &lock->second
									 : NULL;
	if (!mine || !known || mine->until_ns)
		return 0;
	mine->until_ns = time_of(walk, machine);
	if (!lock->second.holder)
		give_back(lock, (size_t)(machine - walk->machines), mine->until_ns, mine->error_ns);
	return lock->second.holder && lock->first.until_ns && lock->second.until_ns ? settle(walk, lock) : 0;
}

/* Whether the acquisition waits for another one, which has not ended. */
static bool is_preceded(const struct walk *walk, const struct machine *machine, const struct lock *lock)
{
	const struct precedence *before =
		profile_trace_table_find(walk->precedences, machine->thread, walk->ranks[machine->thread].acquired);
	return before && (walk->ranks[before->thread].acquired <= before->index ||
				 (lock && is_held(walk, lock) && lock->first.holder == before->thread + 1));
}

static bool may_acquire(const struct walk *walk, const struct machine *machine)
{
	const struct lock *lock = profile_trace_table_find(&walk->locks, 0, machine->next.lock);
	if (!walk->shifts)
		return true;
	bool free = !lock || !is_held(walk, lock) ||
		    machine_of(walk, lock->first.holder - 1) == (size_t)(machine - walk->machines);
	return free && !is_preceded(walk, machine, lock);
}

/* Times are corrected as they are passed through: nobody has the lock any more, or who has it is not known. */
static int acquire_corrected(struct walk *walk, struct machine *machine, struct lock *lock)
{
	uint64_t ns = time_of(walk, machine);
	int error = 0;
	if (!is_held(walk, lock) && lock->released && lock->machine != (size_t)(machine - walk->machines) &&
		ns < lock->released_ns)
		error = mend(walk, machine, lock->released_ns, later(machine->since_ns, machine->entry_ns));
	*lock = (struct lock){.first = make_hold(walk, machine)};
	return error;
}

static int acquire(struct walk *walk, struct machine *machine)
{
	struct lock *lock = lock_of(walk, machine->next.lock);
	int error = lock ? 0 : -ENOMEM;
	if (lock && walk->shifts)
		error = acquire_corrected(walk, machine, lock);
	else if (lock)
		acquire_anyway(walk, machine, lock);
	walk->ranks[machine->thread].acquired++;
	return error;
}

static int release(struct walk *walk, struct machine *machine)
{
	struct lock *lock = lock_of(walk, machine->next.lock);
	if (!lock)
		return -ENOMEM;
	machine->since_ns = later(machine->since_ns, machine->next.ns);
	if (!walk->shifts)
		return release_anyway(walk, machine, lock);
	if (is_held(walk, lock) && lock->first.holder == machine->thread + 1)
		give_back(lock, (size_t)(machine - walk->machines), time_of(walk, machine), error_of(walk, machine));
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
	struct lock *lock;
	while ((lock = profile_trace_table_drain(&walk->locks)) != NULL) {
		end_lock(walk, lock);
		free(lock);
	}
	for (size_t m = 0; walk->machines && m < walk->machine_count; m++)
		profile_trace_merge_close(walk->machines[m].merge);
	free(walk->machines);
	free(walk->ranks);
	profile_trace_roles_free(&walk->roles);
}

static int make_walk(struct profile_trace_causality *causality, const struct profile_trace *trace,
	struct profile_trace_shifts *shifts, struct profile_trace_table *precedences)
{
	struct walk walk = {.trace = trace,
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
	bool violated = causality->barriers.violated || causality->collectives.violated || causality->locks.violated;
	if (!error && violated)
		error = make_walk(&corrected, trace, shifts, &precedences);
	while ((precedence = profile_trace_table_drain(&precedences)) != NULL)
		free(precedence);
	return error;
}
