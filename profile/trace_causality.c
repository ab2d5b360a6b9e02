/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers are matched by their numbers: the streams of all ranks go on from barrier to barrier together, so clocks
 * that are wrong by any time change nothing in what is compared. Who had a lock before is known from the order of time
 * alone: there, two ranks that seem to have it at the same time are a violation.
 */
#include "profile/trace_causality.h"

#include "profile/trace_roles.h"
#include "profile/trace_stream.h"
#include "profile/trace_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool same_machine(const struct profile_trace_file *one, const struct profile_trace_file *other)
{
	const Heddle__Profile__Process *a = one->process->info, *b = other->process->info;
	return one == other || (strcmp(a->host, b->host) == 0 && strcmp(a->machine, b->machine) == 0);
}

static uint64_t later(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

static uint64_t earlier(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

/* What came first seems to have happened `late_ns` after its effect. */
static void violate(struct profile_trace_violations *violations, uint64_t late_ns, bool beyond)
{
	violations->violated++;
	violations->beyond += beyond;
	violations->largest_ns = later(violations->largest_ns, late_ns);
}

/* Events are lost or were not measured: what is open is not known any more. */
static bool is_loss(const struct profile_trace_event *event)
{
	return event->kind == HEDDLE_TRACE_MARK &&
	       (event->operand == HEDDLE_TRACE_DROPPED || event->operand == HEDDLE_TRACE_OFF ||
		       event->operand == HEDDLE_TRACE_PAUSED);
}

/* A chunk before the stream's one is missing. */
static bool is_gap(const struct profile_trace_stream *stream)
{
	const struct profile_trace_thread *thread = stream->thread;
	size_t chunk = stream->chunk;
	return chunk > 0 && chunk < thread->chunk_count &&
	       thread->chunks[chunk].order != thread->chunks[chunk - 1].order + 1;
}

/* ---- barriers ---- */

struct rank {
	struct profile_trace_stream stream;
	const struct profile_trace_file *file;
	bool begun, lost, arrived, left;
	uint32_t node; /* of the wait */
	size_t wait;   /* depth of the stack with it; 0: the rank does not wait */
	uint64_t arrived_ns, left_ns;
};

struct walk {
	const struct profile_trace *trace;
	struct profile_trace_roles roles;
	struct rank *ranks;
	size_t count;
};

/* At a chunk's begin, the stack may have what begins, of which a visit follows. Other visits have no end. */
static bool begins(const struct profile_trace_stream *stream, const struct profile_trace_event *event)
{
	if (event->kind == HEDDLE_TRACE_VISIT)
		return stream->depth && stream->stack[stream->depth - 1].node == event->node;
	return event->kind == HEDDLE_TRACE_BEGIN || event->kind == HEDDLE_TRACE_BEGIN_UNTIMED;
}

static void begin(const struct walk *walk, struct rank *rank, const struct profile_trace_event *event)
{
	struct profile_trace_kind kind = profile_trace_kind_of(&walk->roles, walk->trace, rank->file, event->node);
	bool waits = kind.role == HEDDLE_ROLE_BARRIER || kind.role == HEDDLE_ROLE_AWAIT,
	     open = begins(&rank->stream, event);
	if (!kind.ranked || (!open && event->kind != HEDDLE_TRACE_VISIT))
		return;
	if (kind.role == HEDDLE_ROLE_BARRIER || kind.role == HEDDLE_ROLE_NOTIFY) {
		rank->arrived = true;
		rank->arrived_ns = event->time_ns;
	}
	rank->left = waits && !open;
	rank->wait = waits && open ? rank->stream.depth : 0;
	rank->node = event->node;
}

/* The wait may also have ended before a chunk, whose stack does not have it. */
static void end(struct rank *rank, const struct profile_trace_event *event)
{
	const struct profile_trace_stream *stream = &rank->stream;
	if (rank->wait && (stream->depth < rank->wait || stream->stack[rank->wait - 1].node != rank->node)) {
		rank->left = true;
		rank->left_ns = event->time_ns;
		rank->wait = 0;
	}
}

/* What precedes the mark of a thread's begin is its empty stack. */
static bool is_lost(struct rank *rank, const struct profile_trace_event *event)
{
	if (event->kind == HEDDLE_TRACE_STACK || event->kind == HEDDLE_TRACE_IDLE)
		return rank->begun && is_gap(&rank->stream);
	rank->begun |= event->kind == HEDDLE_TRACE_MARK && event->operand == HEDDLE_TRACE_THREAD_BEGIN;
	return !rank->begun || is_loss(event) || is_gap(&rank->stream);
}

/* Reads on until the rank has left its next barrier. False: it has none any more. */
static bool next_barrier(const struct walk *walk, struct rank *rank)
{
	struct profile_trace_event event;
	rank->arrived = rank->left = false;
	rank->left_ns = UINT64_MAX;
	while (!rank->lost && !rank->left && profile_trace_next(&rank->stream, &event)) {
		rank->lost = is_lost(rank, &event);
		if (!rank->lost && !rank->wait)
			begin(walk, rank, &event);
		else if (!rank->lost)
			end(rank, &event);
	}
	rank->lost |= rank->stream.error != 0;
	return rank->arrived;
}

static bool next_barriers(const struct walk *walk)
{
	bool all = true;
	for (size_t r = 0; r < walk->count; r++)
		all &= next_barrier(walk, &walk->ranks[r]);
	return all && walk->count > 1;
}

static void check_barrier(const struct walk *walk, struct profile_trace_violations *violations)
{
	uint64_t arrived = 0, surely_arrived = 0, left = UINT64_MAX, surely_left = UINT64_MAX;
	for (size_t r = 0; r < walk->count; r++) {
		const struct rank *rank = &walk->ranks[r];
		uint64_t error = rank->file->clock_error_ns, end;
		arrived = later(arrived, rank->arrived_ns);
		surely_arrived = later(surely_arrived, rank->arrived_ns > error ? rank->arrived_ns - error : 0);
		left = earlier(left, rank->left_ns);
		surely_left =
			earlier(surely_left, __builtin_add_overflow(rank->left_ns, error, &end) ? UINT64_MAX : end);
	}
	violations->checked++;
	if (left < arrived)
		violate(violations, arrived - left, surely_left < surely_arrived);
}

static int open_ranks(struct walk *walk)
{
	walk->ranks = calloc(walk->roles.ranks + 1, sizeof(*walk->ranks));
	for (size_t t = 0; walk->ranks && t < walk->trace->thread_count; t++) {
		if (!profile_trace_is_rank(&walk->trace->threads[t]))
			continue;
		struct rank *rank = &walk->ranks[walk->count++];
		rank->file = &walk->trace->files[walk->trace->threads[t].file];
		int error = profile_trace_stream_open(&rank->stream, walk->trace, t);
		if (error)
			return error;
	}
	return walk->ranks ? 0 : -ENOMEM;
}

static int check_barriers(struct profile_trace_causality *causality, struct walk *walk)
{
	int error = open_ranks(walk);
	while (!error && next_barriers(walk))
		check_barrier(walk, &causality->barriers);
	for (size_t r = 0; r < walk->count; r++) {
		causality->partial |= walk->ranks[r].lost;
		if (walk->ranks[r].stream.error == -ENOMEM)
			error = -ENOMEM;
		profile_trace_stream_close(&walk->ranks[r].stream);
	}
	free(walk->ranks);
	return error;
}

/* ---- locks ---- */

/* A thread of which nothing was lost since then has the lock. */
struct hold {
	const struct profile_trace_file *file; /* NULL: none */
	size_t thread;
	uint64_t since_ns, losses;
};

struct lock {
	struct hold first, second; /* the second one seems to have it as well */
	const struct profile_trace_file *last;
};

/* What the next attribute of a lock belongs to. */
struct owner {
	enum profile_trace_role role; /* LOCK: acquired; UNLOCK: begins to release */
	uint64_t ns, losses;
	size_t chunk;
};

struct search {
	struct walk *walk;
	struct profile_trace_violations *violations;
	struct owner *owners; /* by thread */
	struct profile_trace_table locks;
};

static bool holds(const struct search *search, const struct hold *hold)
{
	return hold->file && hold->losses == search->owners[hold->thread].losses;
}

static void acquire(struct search *search, struct lock *lock, const struct hold *hold)
{
	const struct profile_trace_file *from = holds(search, &lock->first) ? lock->first.file : lock->last;
	bool other = from && !same_machine(from, hold->file);
	search->violations->checked += other;
	if (!holds(search, &lock->first) || lock->first.thread == hold->thread)
		lock->first = *hold;
	else if (other)
		lock->second = *hold;
}

static void release(struct search *search, struct lock *lock, size_t thread, uint64_t ns)
{
	bool is_first = holds(search, &lock->first) && lock->first.thread == thread;
	bool is_second = holds(search, &lock->second) && lock->second.thread == thread;
	if (is_first || is_second)
		lock->last = is_first ? lock->first.file : lock->second.file;
	if (holds(search, &lock->first) && holds(search, &lock->second) && (is_first || is_second)) {
		uint64_t late = ns > lock->second.since_ns ? ns - lock->second.since_ns : 0;
		uint64_t one = lock->first.file->clock_error_ns, other = lock->second.file->clock_error_ns;
		if (late)
			violate(search->violations, late, late > one && late - one > other);
	}
	if (is_first)
		lock->first = lock->second;
	if (is_first || is_second)
		lock->second = (struct hold){0};
}

static struct lock *lock_of(struct search *search, uint64_t number)
{
	struct lock *lock = profile_trace_table_find(&search->locks, 0, number);
	if (lock)
		return lock;
	lock = calloc(1, sizeof(*lock));
	if (lock && profile_trace_table_add(&search->locks, 0, number, lock) != 0) {
		free(lock);
		return NULL;
	}
	return lock;
}

static int take_lock(struct search *search, size_t thread, uint64_t number)
{
	struct owner *owner = &search->owners[thread];
	enum profile_trace_role role = owner->role;
	struct lock *lock = role == HEDDLE_ROLE_NONE ? NULL : lock_of(search, number);
	if (role == HEDDLE_ROLE_NONE || !lock)
		return lock || role == HEDDLE_ROLE_NONE ? 0 : -ENOMEM;
	const struct profile_trace *trace = search->walk->trace;
	struct hold hold = {&trace->files[trace->threads[thread].file], thread, owner->ns, owner->losses};
	if (role == HEDDLE_ROLE_LOCK)
		acquire(search, lock, &hold);
	else
		release(search, lock, thread, owner->ns);
	owner->role = HEDDLE_ROLE_NONE;
	return 0;
}

/* Of the record, to which attributes may follow. */
static enum profile_trace_role role_of(
	const struct walk *walk, const struct profile_trace_stream *stream, const struct profile_trace_event *event)
{
	const struct profile_trace_file *file = &walk->trace->files[stream->thread->file];
	bool ends = event->kind == HEDDLE_TRACE_END;
	if (!ends && !begins(stream, event))
		return HEDDLE_ROLE_NONE;
	struct profile_trace_kind kind = profile_trace_kind_of(&walk->roles, walk->trace, file, event->node);
	bool matters = kind.ranked && kind.role == (ends ? HEDDLE_ROLE_LOCK : HEDDLE_ROLE_UNLOCK);
	return matters ? kind.role : HEDDLE_ROLE_NONE;
}

static int take_event(
	struct search *search, const struct profile_trace_stream *stream, const struct profile_trace_event *event)
{
	const struct profile_trace *trace = search->walk->trace;
	size_t thread = (size_t)(stream->thread - trace->threads);
	struct owner *owner = &search->owners[thread];
	if (is_loss(event) || (stream->chunk != owner->chunk && is_gap(stream)))
		owner->losses++;
	owner->chunk = stream->chunk;
	if (event->kind == HEDDLE_TRACE_ATTRIBUTE)
		return event->operand == HEDDLE_TRACE_LOCK ? take_lock(search, thread, event->value) : 0;
	/* A chunk may begin between a record and its attributes. */
	if (event->kind == HEDDLE_TRACE_STACK || event->kind == HEDDLE_TRACE_IDLE)
		return 0;
	owner->role = role_of(search->walk, stream, event);
	owner->ns = event->time_ns;
	return 0;
}

static int check_locks(struct profile_trace_causality *causality, struct walk *walk)
{
	struct search search = {.walk = walk, .violations = &causality->locks};
	const struct profile_trace_stream *stream;
	struct profile_trace_event event;
	struct profile_trace_merge *merge = profile_trace_merge_open(walk->trace, 0);
	search.owners = calloc(walk->trace->thread_count + 1, sizeof(*search.owners));
	int error = merge && search.owners ? 0 : -ENOMEM;
	while (!error && profile_trace_merge_next(merge, &stream, &event))
		error = take_event(&search, stream, &event);
	void *lock;
	while ((lock = profile_trace_table_drain(&search.locks)) != NULL)
		free(lock);
	free(search.owners);
	profile_trace_merge_close(merge);
	return error;
}

/* ---- both ---- */

static bool has_several_machines(const struct profile_trace *trace)
{
	for (size_t f = 1; f < trace->file_count; f++)
		if (!same_machine(&trace->files[0], &trace->files[f]))
			return true;
	return false;
}

static bool has_locks(const struct walk *walk)
{
	for (size_t e = 0; e < walk->trace->measurement->tree.event_count; e++)
		if (walk->roles.of_event[e].ranked && walk->roles.of_event[e].role == HEDDLE_ROLE_LOCK)
			return true;
	return false;
}

int profile_trace_causality_check(struct profile_trace_causality *causality, const struct profile_trace *trace)
{
	struct walk walk = {.trace = trace};
	*causality = (struct profile_trace_causality){0};
	if (!has_several_machines(trace))
		return 0;
	int error = profile_trace_roles_find(&walk.roles, trace);
	if (!error)
		error = check_barriers(causality, &walk);
	if (!error && has_locks(&walk))
		error = check_locks(causality, &walk);
	profile_trace_roles_free(&walk.roles);
	return error;
}
