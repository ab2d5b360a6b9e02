/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers. */
#include "core/threads/frontend.h"

#include <stddef.h>

#include "core/modules/model.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/tree/tree.h"

#define FRAMES_BETWEEN 4 /* inline functions of a header, at most */

struct heddle_captured (*heddle__capture)(
	struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base);

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

/* Of front ends that answer about events, in the order of the table. */
static bool (*asked[HEDDLE_FRONTENDS])(struct heddle_thread *thread, struct heddle_inquiry *inquiry);
static unsigned int asked_count;

static void note_asked(const struct heddle_frontend *frontend)
{
	if (asked_count == sizeof(asked) / sizeof(*asked))
		return;
	if (frontend->inquire_event)
		asked[asked_count++] = frontend->inquire_event;
	else if (frontend->inquire)
		asked[asked_count++] = frontend->inquire;
}

void heddle__frontends_register_models(void)
{
	asked_count = 0;
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		heddle__model_register(heddle__frontends[i]->model);
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

struct heddle_captured heddle__caller_path(struct heddle_thread *thread, uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
	return heddle__caller_path_at(thread, pc, sp, bp, 0);
}

/* Only events of the models change the stack and the task that runs on it, so models may know the bounds already. */
static void inquire_event(struct heddle_thread *thread, struct heddle_inquiry *inquiry)
{
	describe_outside(thread, inquiry);
	for (unsigned int i = 0; i < asked_count; i++)
		if (asked[i](thread, inquiry))
			return;
}

struct heddle_captured heddle__caller_path_at(
	struct heddle_thread *thread, uintptr_t pc, uintptr_t sp, uintptr_t bp, uintptr_t site)
{
	struct heddle_inquiry inquiry;
	if (!heddle__capture)
		return (struct heddle_captured){.node = heddle__current_node(thread), .sp = sp};
	inquire_event(thread, &inquiry);
	if (inquiry.no_frames)
		return (struct heddle_captured){.node = inquiry.base, .sp = sp};
	const struct heddle_caller caller = {.pc = pc, .sp = sp, .bp = bp, .site = site, .bounds = &inquiry.bounds};
	return heddle__capture(thread, &caller, inquiry.base);
}
