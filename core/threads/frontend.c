/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers. */
#include "core/threads/frontend.h"

#include <stdatomic.h>
#include <stddef.h>

#include "core/base/likely.h"
#include "core/modules/model.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/tree/tree.h"

#define FRAMES_BETWEEN 4 /* at most: inline functions of a header */

const struct heddle_captured *(*heddle__capture)(
	struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base, struct heddle_captured *room);

bool (*heddle__leave_frame)(struct heddle_call *call, uintptr_t end);

/* If records do not end frames, leaves the frames of Heddle's functions, up to the one that contains the record. */
struct heddle_call heddle__call_of_frame(const void *record, struct heddle_call own)
{
	const struct heddle_frame_record *at = record;
	if (HEDDLE_RECORD_ENDS_FRAME)
		return heddle__call_of_record(at);
	for (int i = 0; i < FRAMES_BETWEEN && heddle__leave_frame && own.sp <= (uintptr_t)at; i++) {
		if (!heddle__leave_frame(&own, 0))
			break;
	}
	if (own.sp > (uintptr_t)at)
		return own;
	return (struct heddle_call){.pc = heddle__unsigned_code(at->pc), .sp = (uintptr_t)(at + 1), .bp = at->bp};
}

uint64_t heddle__reporter_low, heddle__reporter_high;

/* Front ends that answer about events, in the order of the table. */
static struct {
	bool (*inquire)(struct heddle_thread *thread, struct heddle_inquiry *inquiry);
	bool all_threads; /* also about threads without a task */
} asked[HEDDLE_FRONTENDS];
static _Atomic unsigned int asked_count;
static _Atomic bool asks_about_all; /* at least one front end is asked about threads without a task */

static void note_asked(const struct heddle_frontend *frontend)
{
	unsigned int at = atomic_load(&asked_count);
	bool all = !frontend->inquire_event;
	if (at == sizeof(asked) / sizeof(*asked) || (all && !frontend->inquire))
		return;
	asked[at].inquire = all ? frontend->inquire : frontend->inquire_event;
	asked[at].all_threads = all;
	if (all)
		atomic_store(&asks_about_all, true);
	atomic_store(&asked_count, at + 1);
}

void heddle__frontend_inquires(const struct heddle_frontend *frontend)
{
	for (unsigned int i = 0; i < atomic_load(&asked_count); i++)
		if (asked[i].inquire == frontend->inquire)
			return;
	note_asked(frontend);
}

void heddle__frontends_register_models(void)
{
	atomic_store(&asked_count, 0);
	atomic_store(&asks_about_all, false);
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		heddle__model_register(heddle__frontends[i]->model);
		if (!heddle__frontends[i]->inquires_later)
			note_asked(heddle__frontends[i]);
	}
}

void heddle__thread_bounds(const struct heddle_thread *thread, struct heddle_bounds *bounds)
{
	bounds->boundary = bounds->direct = 0;
	bounds->unbounded = thread->base != HEDDLE_TREE_ROOT;
	bounds->outlined = false;
}

/* Sets the members one by one: copying what was just written piecewise stalls the processor. */
static inline void describe_outside(const struct heddle_thread *thread, struct heddle_inquiry *inquiry)
{
	inquiry->base = thread->base;
	heddle__thread_bounds(thread, &inquiry->bounds);
	inquiry->state = HEDDLE_STATE_WORK;
	inquiry->in_runtime = NULL;
	inquiry->model = 0;
	inquiry->no_frames = false;
}

void heddle__inquire(struct heddle_thread *thread, struct heddle_inquiry *inquiry)
{
	describe_outside(thread, inquiry);
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		if (!heddle__frontends[i]->inquire || !heddle__frontends[i]->inquire(thread, inquiry))
			continue;
		inquiry->model = (uint8_t)heddle__model_number(heddle__frontends[i]->model);
		return;
	}
}

/* True if no model needs to be asked: the thread has no task, and none that only the models know of. */
static inline bool has_only_itself(const struct heddle_thread *thread)
{
	return !thread->stack.task && thread->role < HEDDLE_THREAD_WORKER &&
	       !atomic_load_explicit(&asks_about_all, memory_order_acquire);
}

/* Asks the models about an event's thread. Only their events change its tasks, so they may have cached the bounds. */
static inline void inquire_event(struct heddle_thread *thread, struct heddle_inquiry *inquiry)
{
	bool known = thread->stack.task || thread->role >= HEDDLE_THREAD_WORKER;
	unsigned int count = atomic_load_explicit(&asked_count, memory_order_acquire);
	describe_outside(thread, inquiry);
	for (unsigned int i = 0; i < count; i++)
		if ((known || asked[i].all_threads) && asked[i].inquire(thread, inquiry))
			return;
}

/* Returns a path without frames below `node`: there are none, or they are unknown. */
static inline const struct heddle_captured *path_of_regions(
	struct heddle_captured *room, uint32_t node, const struct heddle_call *call)
{
	*room = (struct heddle_captured){.node = node, .sp = call->sp};
	return room;
}

/*
 * heddle__caller_path_at() for a thread that models are asked about. Not inline: other threads then need fewer
 * registers.
 */
__attribute__((noinline)) static const struct heddle_captured *path_in_task(
	struct heddle_thread *thread, const struct heddle_call *call, uintptr_t site, struct heddle_captured *room)
{
	struct heddle_inquiry inquiry;
	inquire_event(thread, &inquiry);
	const struct heddle_caller caller = {
		.pc = call->pc, .sp = call->sp, .bp = call->bp, .site = site, .bounds = &inquiry.bounds};
	return inquiry.no_frames ? path_of_regions(room, inquiry.base, call)
				 : heddle__capture(thread, &caller, inquiry.base, room);
}

const struct heddle_captured *heddle__caller_path_at(
	struct heddle_thread *thread, const struct heddle_call *call, uintptr_t site, struct heddle_captured *room)
{
	static const struct heddle_bounds below_root, below_creator = {.unbounded = true}; /* heddle__thread_bounds */
	if (!heddle__capture)
		return path_of_regions(room, heddle__current_node(thread), call);
	if (HEDDLE_UNLIKELY(!has_only_itself(thread)))
		return path_in_task(thread, call, site, room);
	const struct heddle_caller caller = {.pc = call->pc,
		.sp = call->sp,
		.bp = call->bp,
		.site = site,
		.bounds = thread->base == HEDDLE_TREE_ROOT ? &below_root : &below_creator};
	return heddle__capture(thread, &caller, thread->base, room);
}

struct heddle_captured heddle__caller_path(struct heddle_thread *thread, uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
	struct heddle_captured room;
	const struct heddle_call call = {.pc = pc, .sp = sp, .bp = bp};
	return *heddle__caller_path_at(thread, &call, 0, &room);
}
