/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers. */
#include "core/threads/frontend.h"

#include <stdatomic.h>
#include <stddef.h>

#include "core/modules/model.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/tree/tree.h"

#define FRAMES_BETWEEN 4 /* inline functions of a header, at most */

const struct heddle_captured *(*heddle__capture)(
	struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base, struct heddle_captured *room);

bool (*heddle__leave_frame)(struct heddle_call *call, uintptr_t end);

/* Where records do not end frames, our own is left, and others, until the one that holds the record. */
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
	bool all_threads; /* also about those without a task */
} asked[HEDDLE_FRONTENDS];
static _Atomic unsigned int asked_count;

static void note_asked(const struct heddle_frontend *frontend)
{
	unsigned int at = atomic_load(&asked_count);
	bool all = !frontend->inquire_event;
	if (at == sizeof(asked) / sizeof(*asked) || (all && !frontend->inquire))
		return;
	asked[at].inquire = all ? frontend->inquire : frontend->inquire_event;
	asked[at].all_threads = all;
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

/* Member by member: a copy of what was just written in parts stalls the processor. */
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

/* Only events of the models change the stack and the task that runs on it, so models may know the bounds already. */
static inline void inquire_event(struct heddle_thread *thread, struct heddle_inquiry *inquiry)
{
	bool known = thread->stack.task || thread->role >= HEDDLE_THREAD_WORKER;
	unsigned int count = atomic_load_explicit(&asked_count, memory_order_acquire);
	describe_outside(thread, inquiry);
	for (unsigned int i = 0; i < count; i++)
		if ((known || asked[i].all_threads) && asked[i].inquire(thread, inquiry))
			return;
}

const struct heddle_captured *heddle__caller_path_at(
	struct heddle_thread *thread, struct heddle_call call, uintptr_t site, struct heddle_captured *room)
{
	struct heddle_inquiry inquiry;
	if (heddle__capture) {
		inquire_event(thread, &inquiry);
		const struct heddle_caller caller = {
			.pc = call.pc, .sp = call.sp, .bp = call.bp, .site = site, .bounds = &inquiry.bounds};
		if (!inquiry.no_frames)
			return heddle__capture(thread, &caller, inquiry.base, room);
	}
	*room = (struct heddle_captured){
		.node = heddle__capture ? inquiry.base : heddle__current_node(thread), .sp = call.sp};
	return room;
}

struct heddle_captured heddle__caller_path(struct heddle_thread *thread, uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
	struct heddle_captured room;
	return *heddle__caller_path_at(thread, (struct heddle_call){.pc = pc, .sp = sp, .bp = bp}, 0, &room);
}
