/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of the check of causality (profile/trace/trace_causality.h) while it walks the machines' causes and
 * effects, shared by its topics: meetings (barriers and collectives of all ranks), collectives of communicators, locks
 * and messages.
 */
#ifndef HEDDLE_PROFILE_TRACE_CAUSAL_H
#define HEDDLE_PROFILE_TRACE_CAUSAL_H

#include "profile/trace/trace_causality.h"
#include "profile/trace/trace_cause.h"
#include "profile/trace/trace_table.h"

/* The largest of several numbers, and the largest of those that are not of its machine. */
struct profile_causal_latest {
	uint64_t most, others;
	size_t machine;
};

/* A barrier or collective, by its number on each rank. */
struct profile_causal_meeting {
	uint64_t number; /* 1 ...; 0: none */
	size_t entered;
	struct profile_causal_latest entry, sure_entry; /* sure: earliest possible, by the clock's error bound */
	struct profile_trace_violations *sum;
	bool violated, beyond;
};

/* A member's part of a collective of a communicator. */
struct profile_causal_part {
	uint64_t identity, number; /* number: 1 ...; 0: none, or unknown */
	int64_t root;              /* rank in the program; negative: none */
	uint64_t across;           /* as HEDDLE_TRACE_ACROSS */
};

struct profile_causal_rank {
	struct profile_trace_causer causer;
	struct profile_causal_part part; /* the part that it is in, and that ends with its call */
	uint64_t entered;                /* number of meetings */
	uint64_t acquired;               /* number of locks */
	uint64_t losses;
};

/* A machine that ranks run on. */
struct profile_causal_machine {
	struct profile_trace_merge *merge; /* of its ranks */
	bool over;                         /* there is no next event */
	struct profile_trace_cause next;
	size_t thread; /* thread of `next` */
	/* Causes of other machines' effects: up to here the clock must not be changed any more. */
	uint64_t since_ns; /* those before the last meeting that it entered */
	uint64_t entry_ns, entry_number;
};

struct profile_causal_walk {
	const struct profile_trace *trace;
	struct profile_trace_causality *result;
	struct profile_trace_shifts *shifts; /* by machine; NULL: clocks are not corrected */
	struct profile_trace_roles roles;
	struct profile_causal_rank *ranks; /* by thread */
	struct profile_causal_machine *machines;
	size_t machine_count;
	struct profile_causal_meeting meetings[2]; /* by number % 2 */
	uint64_t last_meeting;                     /* later ones are unknown for some ranks */
	struct profile_trace_table locks;
	struct profile_trace_table channels;
	/*
	 * Tables of trace_gathering.c: by communicator; by process and number of the collective; by process and
	 * request.
	 */
	struct profile_trace_table groups, counts, gatherings, parts;
	uint64_t *losses;                        /* by file */
	size_t *machine_of;                      /* by rank in the program; SIZE_MAX: unknown, or of several programs */
	size_t machine_of_size;                  /* number of ranks */
	struct profile_trace_table *precedences; /* by thread and index of the acquisition that comes later */
};

static inline uint64_t profile_causal_later(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

static inline void profile_causal_take_latest(struct profile_causal_latest *latest, size_t machine, uint64_t number)
{
	if (machine != latest->machine && number > latest->most)
		*latest = (struct profile_causal_latest){number, latest->most, machine};
	else if (machine == latest->machine)
		latest->most = profile_causal_later(latest->most, number);
	else
		latest->others = profile_causal_later(latest->others, number);
}

static inline uint64_t profile_causal_latest_of_others(const struct profile_causal_latest *latest, size_t machine)
{
	return latest->machine == machine ? latest->others : latest->most;
}

static inline const struct profile_trace_file *profile_causal_file_of(
	const struct profile_causal_walk *walk, size_t thread)
{
	return &walk->trace->files[walk->trace->threads[thread].file];
}

/* True if the thread's events other than messages count. */
static inline bool profile_causal_is_rank(const struct profile_causal_walk *walk, size_t thread)
{
	return profile_trace_is_rank(&walk->trace->threads[thread]);
}

static inline size_t profile_causal_machine_of(const struct profile_causal_walk *walk, size_t thread)
{
	return profile_causal_file_of(walk, thread)->machine;
}

/* Returns the corrected time of a machine's next event. */
uint64_t profile_causal_time_of(const struct profile_causal_walk *walk, const struct profile_causal_machine *machine);

/* Returns the clock's largest error at that time. */
uint64_t profile_causal_error_of(const struct profile_causal_walk *walk, const struct profile_causal_machine *machine);

/*
 * The effect, the machine's next event, is before its cause: moves it behind the cause if clocks are corrected; times
 * up to since_ns do not change. Returns 0 or -ENOMEM.
 */
int profile_causal_mend(
	struct profile_causal_walk *walk, struct profile_causal_machine *machine, uint64_t cause_ns, uint64_t since_ns);

/*
 * Counts a violation. `first`: the first one of that barrier, collective or lock; first_beyond: the first one beyond
 * the clocks' errors.
 */
void profile_causal_violate(struct profile_trace_violations *sum, uint64_t late_ns, bool first, bool first_beyond);

/* ---- barriers and collectives (profile/trace/trace_meeting.c); the event is the machine's next one ---- */

bool profile_causal_may_enter(struct profile_causal_walk *walk, uint64_t number);
bool profile_causal_may_leave(struct profile_causal_walk *walk, uint64_t number);
void profile_causal_enter(struct profile_causal_walk *walk, struct profile_causal_machine *machine);
int profile_causal_leave(struct profile_causal_walk *walk, struct profile_causal_machine *machine);

/* Meetings after a rank's last known one have no numbers. */
void profile_causal_lose_meetings(struct profile_causal_walk *walk, uint64_t entered);

/* Meetings after that number are not checked, because they may be others than they seem. */
void profile_causal_give_up(struct profile_causal_walk *walk, uint64_t number);

/* ---- collectives of communicators (profile/trace/trace_gathering.c) ---- */

bool profile_causal_may_part(const struct profile_causal_walk *walk, const struct profile_causal_machine *machine);
int profile_causal_join(struct profile_causal_walk *walk, struct profile_causal_machine *machine);
int profile_causal_part(struct profile_causal_walk *walk, struct profile_causal_machine *machine);
void profile_causal_end_gatherings(struct profile_causal_walk *walk);

/* ---- locks (profile/trace/trace_handover.c) ---- */

bool profile_causal_may_acquire(const struct profile_causal_walk *walk, const struct profile_causal_machine *machine);
int profile_causal_acquire(struct profile_causal_walk *walk, struct profile_causal_machine *machine);
int profile_causal_release(struct profile_causal_walk *walk, struct profile_causal_machine *machine);

/* ---- messages (profile/trace/trace_message.c) ---- */

/* Finds the machine of each rank. Returns 0 or -ENOMEM. */
int profile_causal_begin_messages(struct profile_causal_walk *walk);

bool profile_causal_may_receive(const struct profile_causal_walk *walk, const struct profile_causal_machine *machine);
int profile_causal_send(struct profile_causal_walk *walk, struct profile_causal_machine *machine);
int profile_causal_receive(struct profile_causal_walk *walk, struct profile_causal_machine *machine);
void profile_causal_end_messages(struct profile_causal_walk *walk);

/* Called after all events: checks locks that are still held, and frees them. */
void profile_causal_end_locks(struct profile_causal_walk *walk);

#endif
