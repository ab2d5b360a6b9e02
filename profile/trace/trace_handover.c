/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks that go from one machine to another. The previous holder of a lock is known only by the order of time. As long
 * as clocks are not corrected, two threads may hold it at the same time.
 */
#include "profile/trace/trace_causal.h"

#include <errno.h>
#include <stdlib.h>

/* The time that a thread holds a lock. */
struct hold {
	size_t holder;                                 /* thread + 1; 0: none, or unknown */
	uint64_t index;                                /* among the thread's acquisitions of any lock */
	uint64_t losses, since_ns, until_ns, error_ns; /* until_ns 0: it still holds the lock */
};

struct lock {
	struct hold first, second; /* second: seems to hold the lock, too, which happens only with uncorrected clocks */
	bool released;             /* by `machine`, at `released_ns`: */
	size_t machine;
	uint64_t released_ns, error_ns;
};

/* An acquisition that comes first, although clocks show another one before it. */
struct precedence {
	size_t thread;
	uint64_t index;
};

static struct lock *lock_of(struct profile_causal_walk *walk, uint64_t number)
{
	return profile_trace_table_make(&walk->locks, 0, number, sizeof(struct lock));
}

/* True if no records of the holder were lost since it acquired the lock. */
static bool is_known(const struct profile_causal_walk *walk, const struct hold *hold)
{
	return hold->holder && walk->ranks[hold->holder - 1].losses == hold->losses;
}

static bool is_held(const struct profile_causal_walk *walk, const struct lock *lock)
{
	return is_known(walk, &lock->first);
}

static struct hold make_hold(const struct profile_causal_walk *walk, const struct profile_causal_machine *machine)
{
	const struct profile_causal_rank *rank = &walk->ranks[machine->thread];
	return (struct hold){.holder = machine->thread + 1,
		.index = rank->acquired,
		.losses = rank->losses,
		.since_ns = profile_causal_time_of(walk, machine),
		.error_ns = profile_causal_error_of(walk, machine)};
}

static void give_back(struct lock *lock, size_t machine, uint64_t ns, uint64_t error)
{
	*lock = (struct lock){.released = true, .machine = machine, .released_ns = ns, .error_ns = error};
}

/* Two threads seem to have held the lock at the same time: assumes the order that needs less correction. */
static int order_holders(struct profile_causal_walk *walk, struct lock *lock)
{
	const struct hold *one = &lock->first, *other = &lock->second;
	uint64_t late = one->until_ns - other->since_ns, swapped = other->until_ns - one->since_ns;
	uint64_t least = late < swapped ? late : swapped;
	int error = 0;
	profile_causal_violate(&walk->result->locks, least, least > 0,
		least > one->error_ns && least - one->error_ns > other->error_ns);
	if (swapped < late && walk->precedences &&
		profile_causal_file_of(walk, one->holder - 1)->clock != HEDDLE_TRACE_SYSTEM_CLOCKS &&
		profile_causal_file_of(walk, other->holder - 1)->clock != HEDDLE_TRACE_SYSTEM_CLOCKS) {
		struct precedence *precedence = malloc(sizeof(*precedence));
		if (precedence)
			*precedence = (struct precedence){other->holder - 1, other->index};
		error = precedence ? profile_trace_table_add(walk->precedences, one->holder - 1, one->index, precedence)
				   : -ENOMEM;
		if (error)
			free(precedence);
	}
	const struct hold *last = one->until_ns > other->until_ns ? one : other;
	give_back(lock, profile_causal_machine_of(walk, last->holder - 1), last->until_ns, last->error_ns);
	return error;
}

/* If the second one still holds the lock at the end of the trace, it is the later one. */
static void end_lock(struct profile_causal_walk *walk, const struct lock *lock)
{
	const struct hold *one = &lock->first, *other = &lock->second;
	if (!is_known(walk, one) || !is_known(walk, other) || one->until_ns <= other->since_ns)
		return;
	uint64_t late = one->until_ns - other->since_ns;
	profile_causal_violate(
		&walk->result->locks, late, true, late > one->error_ns && late - one->error_ns > other->error_ns);
}

/* If clocks are not corrected, the thread that seems to hold the lock holds it. */
static void acquire_anyway(struct profile_causal_walk *walk, struct profile_causal_machine *machine, struct lock *lock)
{
	size_t index = (size_t)(machine - walk->machines);
	bool known = is_held(walk, lock) && (!lock->second.holder || is_known(walk, &lock->second));
	if (lock->first.holder && !known)
		*lock = (struct lock){0};
	size_t before = known ? profile_causal_machine_of(walk, lock->first.holder - 1) : lock->machine;
	bool other = (known || lock->released) && before != index;
	walk->result->locks.checked += other;
	if (!known || !other)
		*lock = (struct lock){.first = make_hold(walk, machine)};
	else if (!lock->second.holder)
		lock->second = make_hold(walk, machine);
}

static int release_anyway(struct profile_causal_walk *walk, struct profile_causal_machine *machine, struct lock *lock)
{
	bool known = is_held(walk, lock) && (!lock->second.holder || is_known(walk, &lock->second));
	struct hold *mine = lock->first.holder == machine->thread + 1    ? &lock->first
			    : lock->second.holder == machine->thread + 1 ? &lock->second
									 : NULL;
	if (!mine || !known || mine->until_ns)
		return 0;
	mine->until_ns = profile_causal_time_of(walk, machine);
	if (!lock->second.holder)
		give_back(lock, (size_t)(machine - walk->machines), mine->until_ns, mine->error_ns);
	return lock->second.holder && lock->first.until_ns && lock->second.until_ns ? order_holders(walk, lock) : 0;
}

/* True if the acquisition waits for another one that has not ended. */
static bool is_preceded(
	const struct profile_causal_walk *walk, const struct profile_causal_machine *machine, const struct lock *lock)
{
	const struct precedence *before =
		profile_trace_table_find(walk->precedences, machine->thread, walk->ranks[machine->thread].acquired);
	return before && (walk->ranks[before->thread].acquired <= before->index ||
				 (lock && is_held(walk, lock) && lock->first.holder == before->thread + 1));
}

bool profile_causal_may_acquire(const struct profile_causal_walk *walk, const struct profile_causal_machine *machine)
{
	const struct lock *lock = profile_trace_table_find(&walk->locks, 0, machine->next.lock);
	if (!walk->shifts)
		return true;
	bool free = !lock || !is_held(walk, lock) ||
		    profile_causal_machine_of(walk, lock->first.holder - 1) == (size_t)(machine - walk->machines);
	return free && !is_preceded(walk, machine, lock);
}

/* Times are corrected in passing: the lock is free, or its holder is unknown. */
static int acquire_corrected(
	struct profile_causal_walk *walk, struct profile_causal_machine *machine, struct lock *lock)
{
	uint64_t ns = profile_causal_time_of(walk, machine);
	int error = 0;
	if (!is_held(walk, lock) && lock->released && lock->machine != (size_t)(machine - walk->machines) &&
		ns < lock->released_ns)
		error = profile_causal_mend(
			walk, machine, lock->released_ns, profile_causal_later(machine->since_ns, machine->entry_ns));
	*lock = (struct lock){.first = make_hold(walk, machine)};
	return error;
}

int profile_causal_acquire(struct profile_causal_walk *walk, struct profile_causal_machine *machine)
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

int profile_causal_release(struct profile_causal_walk *walk, struct profile_causal_machine *machine)
{
	struct lock *lock = lock_of(walk, machine->next.lock);
	if (!lock)
		return -ENOMEM;
	machine->since_ns = profile_causal_later(machine->since_ns, machine->next.ns);
	if (!walk->shifts)
		return release_anyway(walk, machine, lock);
	if (is_held(walk, lock) && lock->first.holder == machine->thread + 1)
		give_back(lock, (size_t)(machine - walk->machines), profile_causal_time_of(walk, machine),
			profile_causal_error_of(walk, machine));
	return 0;
}

void profile_causal_end_locks(struct profile_causal_walk *walk)
{
	struct lock *lock;
	while ((lock = profile_trace_table_drain(&walk->locks)) != NULL) {
		end_lock(walk, lock);
		free(lock);
	}
}
