/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs in signal handlers. User-level call paths: frames of the current task as far as they are the user's, open phases
 * between them by stack address, all below the context from which the task was created.
 */
#include <stddef.h>

#include "core/module.h"
#include "core/region.h"
#include "core/tree.h"
#include "sampling/sampler.h"

/* A path being put together, outermost step first. */
struct path {
	struct heddle_sampler_thread *sampler;
	const struct heddle_thread *thread;
	uint32_t node;
	uint32_t depth;
	uint32_t phase; /* next open region to be placed */
};

static void step(struct path *path, uint32_t meta, uint64_t place)
{
	struct heddle_path_step *cached = &path->sampler->steps[path->depth++ % HEDDLE_PATH_CACHE];
	if (cached->place != place || cached->parent != path->node || cached->meta != meta || !cached->child) {
		cached->child = heddle__tree_child(path->node, meta, place);
		cached->place = place;
		cached->parent = path->node;
		cached->meta = meta;
	}
	path->node = cached->child;
}

static uint32_t first_open_phase(const struct heddle_thread *thread)
{
	const struct heddle_region *task = heddle__current_task(thread);
	return task ? (uint32_t)(task - thread->regions) + 1 : 0;
}

/* Add the phases that were opened at or above the stack address `cfa`. */
static void add_phases(struct path *path, uintptr_t cfa)
{
	for (; path->phase < path->thread->depth; path->phase++) {
		const struct heddle_region *region = &path->thread->regions[path->phase];
		if (region->cfa && region->cfa < cfa)
			return;
		if (region->cfa)
			step(path, region->meta, region->place);
	}
}

static enum heddle_node_kind frame_kind(const struct heddle_frame *frame)
{
	if (frame->role == HEDDLE_MODULE_OPENMP || frame->role == HEDDLE_MODULE_HEDDLE ||
		frame->flags & HEDDLE_FRAME_TRAMPOLINE)
		return HEDDLE_NODE_RUNTIME_FRAME;
	return HEDDLE_NODE_FRAME;
}

static void add_user_frames(
	struct path *path, const struct heddle_frame *frames, size_t inner, size_t end, bool outlined)
{
	for (size_t i = end; i-- > inner;) {
		enum heddle_node_kind kind = frame_kind(&frames[i]);
		if (outlined && i == end - 1 && kind == HEDDLE_NODE_FRAME)
			kind = HEDDLE_NODE_OUTLINED_FRAME;
		add_phases(path, frames[i].cfa);
		step(path, HEDDLE_NODE_META(kind, 0), frames[i].place);
	}
	add_phases(path, 0);
}

static void add_runtime_frames(struct path *path, const struct heddle_frame *frames, size_t count)
{
	while (count-- > 0)
		step(path, HEDDLE_NODE_META(HEDDLE_NODE_RUNTIME_FRAME, 0), frames[count].place);
}

/* How many of the frames belong to the current task. */
static size_t count_own(const struct heddle_frame *frames, size_t count, uintptr_t boundary)
{
	size_t n = 0;
	if (!boundary)
		return count;
	while (n < count && frames[n].cfa < boundary)
		n++;
	/* In a serialized region the body is called straight from the user's function, from where the runtime was too.
	 */
	if (n < count && frames[n].cfa == boundary && frames[n].role != HEDDLE_MODULE_OPENMP)
		n++;
	return n;
}

static bool may_serve_runtime(const struct heddle_frame *frame)
{
	return frame->role == HEDDLE_MODULE_LIBC || frame->role == HEDDLE_MODULE_VDSO ||
	       frame->role == HEDDLE_MODULE_HEDDLE;
}

/* How many of the innermost frames are the runtime at work. */
static size_t count_runtime(const struct heddle_frame *frames, size_t count, uintptr_t enter)
{
	size_t below_enter = 0, leading = 0;
	while (enter && below_enter < count && frames[below_enter].cfa <= enter)
		below_enter++;
	while (leading < count && may_serve_runtime(&frames[leading]))
		leading++;
	if (leading < count && frames[leading].role == HEDDLE_MODULE_OPENMP) {
		while (leading < count && frames[leading].role == HEDDLE_MODULE_OPENMP)
			leading++;
	} else {
		leading = 0;
	}
	return below_enter > leading ? below_enter : leading;
}

static void add_state(struct path *path, enum heddle_state state)
{
	step(path, HEDDLE_NODE_META(HEDDLE_NODE_STATE, state), 0);
}

/* The wait that the thread is in, as the region that the event opened. */
static void add_wait(struct path *path)
{
	const struct heddle_region *wait = &path->thread->regions[path->thread->depth - 1];
	step(path, wait->meta, wait->place);
}

static bool is_wait(enum heddle_state state)
{
	return state == HEDDLE_STATE_BARRIER_WAIT || state == HEDDLE_STATE_LOCK_WAIT || state == HEDDLE_STATE_TASK_WAIT;
}

static void ask_models(struct heddle_thread *thread, struct heddle_inquiry *inquiry)
{
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		if (heddle__frontends[i]->inquire && heddle__frontends[i]->inquire(thread, inquiry))
			return;
	}
}

/* The stack that holds `sp` ends here at the latest. */
static uintptr_t stack_end(const struct heddle_thread *thread, uintptr_t sp)
{
	if (sp >= thread->stack_low && sp < thread->stack_high)
		return thread->stack_high;
	return (sp | 0xfff) + 1; /* another stack (coroutine, signal): what is mapped for sure */
}

static bool is_partial(enum heddle_unwind_end end, uintptr_t boundary)
{
	if (boundary)
		return end != HEDDLE_UNWIND_STOPPED;
	return end == HEDDLE_UNWIND_FULL || end == HEDDLE_UNWIND_BROKEN;
}

uint32_t heddle__sampled_path(struct heddle_thread *thread, struct heddle_sampler_thread *sampler,
	const ucontext_t *context, enum heddle_state *state)
{
	struct heddle_inquiry inquiry = {.base = thread->base, .state = HEDDLE_STATE_WORK};
	struct heddle_unwind_start start = {.context = context};
	enum heddle_unwind_end end;
	ask_models(thread, &inquiry);
	struct path path = {.sampler = sampler, .thread = thread, .node = inquiry.base};
	path.phase = first_open_phase(thread);
	*state = inquiry.state;
	if (inquiry.state == HEDDLE_STATE_IDLE || (inquiry.outlined && !inquiry.boundary)) {
		if (is_wait(inquiry.state))
			add_wait(&path);
		else
			add_state(&path, inquiry.state);
		return path.node;
	}
	uintptr_t sp = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
	size_t count = heddle__unwinder()->walk(
		&start, stack_end(thread, sp), inquiry.boundary, sampler->frames, HEDDLE_MAX_FRAMES, &end);
	size_t own = count_own(sampler->frames, count, inquiry.boundary);
	size_t runtime = count_runtime(sampler->frames, own, inquiry.enter);
	if (is_partial(end, inquiry.boundary))
		add_state(&path, HEDDLE_STATE_PARTIAL);
	add_user_frames(&path, sampler->frames, runtime, own, inquiry.outlined);
	if (is_wait(inquiry.state))
		add_wait(&path);
	else if (runtime) {
		add_state(&path, HEDDLE_STATE_OVERHEAD);
		*state = HEDDLE_STATE_OVERHEAD;
	}
	add_runtime_frames(&path, sampler->frames, runtime);
	return path.node;
}

uint32_t heddle__capture_path(struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base)
{
	struct heddle_sampler_thread *sampler = heddle__sampler_of(thread);
	struct heddle_unwind_start start = {.pc = caller->pc, .sp = caller->sp, .bp = caller->bp};
	enum heddle_unwind_end end;
	if (!sampler)
		return base;
	struct path path = {.sampler = sampler, .thread = thread, .node = base};
	path.phase = first_open_phase(thread);
	size_t count = heddle__unwinder()->walk(
		&start, stack_end(thread, caller->sp), caller->boundary, sampler->frames, HEDDLE_MAX_FRAMES, &end);
	size_t own = count_own(sampler->frames, count, caller->boundary);
	size_t runtime = count_runtime(sampler->frames, own, 0);
	if (is_partial(end, caller->boundary))
		add_state(&path, HEDDLE_STATE_PARTIAL);
	add_user_frames(&path, sampler->frames, runtime, own, caller->outlined);
	return path.node;
}
