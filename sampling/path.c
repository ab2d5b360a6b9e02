/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs in signal handlers. User-level call paths: frames of the current task as far as they are the user's, open phases
 * between them by stack address, all below the context from which the task was created.
 */
#include <stddef.h>

#include "core/module.h"
#include "core/region.h"
#include "core/tree.h"
#include "sampling/path.h"

void heddle__path_step(struct heddle_path *path, uint32_t meta, uint64_t place)
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

struct heddle_path heddle__path_from(
	const struct heddle_thread *thread, struct heddle_sampler_thread *sampler, uint32_t base)
{
	return (struct heddle_path){
		.sampler = sampler, .thread = thread, .node = base, .phase = first_open_phase(thread)};
}

/* Activations that events tell of are frames in a sample. */
static bool is_function(const struct heddle_region *region)
{
	uint32_t kind = HEDDLE_META_KIND(region->meta);
	return kind == HEDDLE_NODE_FRAME || kind == HEDDLE_NODE_FUNCTION;
}

/* A step from a frame that is on the path to the next one; NULL: none. */
struct between {
	const struct heddle_frame *last, *next;
};

static struct between step_to(const struct heddle_frame *frames, size_t next, size_t end)
{
	return (struct between){.last = next + 1 < end ? &frames[next + 1] : NULL, .next = &frames[next]};
}

/* A phase of which it is known where the function that opened it was called. */
static bool has_opener(const struct heddle_region *region)
{
	return HEDDLE_META_KIND(region->meta) == HEDDLE_NODE_PHASE && region->call && !region->deferred;
}

/* Whether the next frame, of another function or call, stands where that of the phase's opener did. */
static bool took_over(const struct heddle_region *phase, const struct between *here)
{
	return has_opener(phase) && here->next->cfa == phase->cfa + 1 && here->last && here->last->place != phase->call;
}

/* Whether the open region begins above the next frame. */
static bool is_above(const struct heddle_region *region, const struct between *here)
{
	return !here->next || region->cfa >= here->next->cfa || took_over(region, here);
}

/* The phase's opener has returned, to a function that is still there. */
static bool was_left_open(const struct heddle_region *phase, const struct between *here)
{
	return has_opener(phase) && here->last && here->last->cfa == phase->entry;
}

/*
 * Add the open regions that begin between two frames. A phase that was left open keeps its place: what its opener's
 * caller does next stands below it.
 */
static void add_regions(struct heddle_path *path, const struct between *here)
{
	for (; path->phase < path->thread->depth; path->phase++) {
		const struct heddle_region *region = &path->thread->regions[path->phase];
		if (!region->cfa || is_function(region))
			continue;
		if (!is_above(region, here))
			return;
		if (was_left_open(region, here))
			path->node = region->node;
		else
			heddle__path_step(path, region->meta, region->place);
	}
}

static enum heddle_node_kind frame_kind(const struct heddle_frame *frame)
{
	if (frame->role == HEDDLE_MODULE_OPENMP || frame->role == HEDDLE_MODULE_HEDDLE ||
		frame->flags & HEDDLE_FRAME_TRAMPOLINE)
		return HEDDLE_NODE_RUNTIME_FRAME;
	return HEDDLE_NODE_FRAME;
}

void heddle__path_frames(
	struct heddle_path *path, const struct heddle_frame *frames, size_t inner, size_t end, bool outlined)
{
	struct between here = {NULL, NULL};
	for (size_t i = end; i-- > inner;) {
		enum heddle_node_kind kind = frame_kind(&frames[i]);
		if (outlined && i == end - 1 && kind == HEDDLE_NODE_FRAME)
			kind = HEDDLE_NODE_OUTLINED_FRAME;
		here = step_to(frames, i, end);
		add_regions(path, &here);
		heddle__path_step(path, HEDDLE_NODE_META(kind, 0), frames[i].place);
	}
	here = (struct between){.last = here.next};
	add_regions(path, &here);
}

static void add_runtime_frames(struct heddle_path *path, const struct heddle_frame *frames, size_t count)
{
	while (count-- > 0)
		heddle__path_step(path, HEDDLE_NODE_META(HEDDLE_NODE_RUNTIME_FRAME, 0), frames[count].place);
}

static bool may_serve_runtime(const struct heddle_frame *frame)
{
	return frame->role == HEDDLE_MODULE_LIBC || frame->role == HEDDLE_MODULE_VDSO ||
	       frame->role == HEDDLE_MODULE_HEDDLE;
}

/* The runtime's and the thread start's frames at the outer end are left out. */
static size_t strip_outer(const struct heddle_frame *frames, size_t count)
{
	while (count && (frames[count - 1].role == HEDDLE_MODULE_OPENMP || may_serve_runtime(&frames[count - 1])))
		count--;
	return count;
}

/*
 * A frame of the runtime's stands at the boundary, unless the region was serialized: then its body was called straight
 * from its creator, and the task's frames are those up to `direct`.
 */
size_t heddle__count_own(const struct heddle_frame *frames, size_t count, const struct heddle_bounds *bounds)
{
	size_t n = 0;
	if (!bounds->boundary && !bounds->direct)
		return bounds->unbounded ? strip_outer(frames, count) : count;
	while (n < count && frames[n].cfa < bounds->boundary)
		n++;
	if (bounds->boundary && (n == count || frames[n].role == HEDDLE_MODULE_OPENMP))
		return n;
	while (n < count && frames[n].cfa <= bounds->direct)
		n++;
	return bounds->unbounded ? strip_outer(frames, n) : n;
}

uintptr_t heddle__walk_stop(const struct heddle_bounds *bounds)
{
	return bounds->direct > bounds->boundary ? bounds->direct + 1 : bounds->boundary;
}

uintptr_t heddle__stack_end(const struct heddle_thread *thread, uintptr_t sp)
{
	return sp >= thread->stack_low && sp < thread->stack_high ? thread->stack_high : 0;
}

bool heddle__is_partial(enum heddle_unwind_end end, uintptr_t stop)
{
	return stop ? end != HEDDLE_UNWIND_STOPPED : end != HEDDLE_UNWIND_COMPLETE;
}

size_t heddle__walk_own(const struct heddle_thread *thread, struct heddle_sampler_thread *sampler,
	const struct heddle_unwind_start *start, uintptr_t sp, const struct heddle_bounds *bounds,
	struct heddle_walked *walked)
{
	uintptr_t stop = heddle__walk_stop(bounds);
	walked->count = heddle__unwinder()->walk(
		start, heddle__stack_end(thread, sp), stop, sampler->frames, HEDDLE_MAX_FRAMES, &walked->end);
	walked->partial = heddle__is_partial(walked->end, stop);
	return heddle__count_own(sampler->frames, walked->count, bounds);
}

size_t heddle__count_runtime(const struct heddle_frame *frames, size_t count, uintptr_t enter)
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

void heddle__path_state(struct heddle_path *path, enum heddle_state state)
{
	heddle__path_step(path, HEDDLE_NODE_META(HEDDLE_NODE_STATE, state), 0);
}

/* The wait that the thread is in, as the region that the event opened; if none did, as the state. */
static void add_wait(struct heddle_path *path, enum heddle_state state)
{
	const struct heddle_thread *thread = path->thread;
	const struct heddle_region *wait = thread->depth ? &thread->regions[thread->depth - 1] : NULL;
	if (wait && !wait->tag && wait->state == state)
		heddle__path_step(path, wait->meta, wait->place);
	else
		heddle__path_state(path, state);
}

static bool is_wait(enum heddle_state state)
{
	return state == HEDDLE_STATE_BARRIER_WAIT || state == HEDDLE_STATE_LOCK_WAIT || state == HEDDLE_STATE_TASK_WAIT;
}

uint32_t heddle__sampled_path(struct heddle_thread *thread, struct heddle_sampler_thread *sampler,
	const ucontext_t *context, enum heddle_state *state)
{
	struct heddle_inquiry inquiry;
	const struct heddle_frame *frames = sampler->frames;
	size_t own = 0, runtime = 0;
	heddle__inquire(thread, &inquiry);
	struct heddle_path path = heddle__path_from(thread, sampler, inquiry.base);
	if (!inquiry.no_frames) {
		struct heddle_unwind_start start = {.context = context};
		struct heddle_walked walked;
		uintptr_t sp = heddle__context_sp(context);
		own = heddle__walk_own(thread, sampler, &start, sp, &inquiry.bounds, &walked);
		runtime = heddle__count_runtime(frames, own, inquiry.enter);
		if (walked.partial)
			heddle__path_state(&path, HEDDLE_STATE_PARTIAL);
		heddle__path_frames(&path, frames, runtime, own, inquiry.bounds.outlined);
	}
	*state = inquiry.state;
	if (runtime && inquiry.state == HEDDLE_STATE_WORK)
		*state = inquiry.in_runtime ? inquiry.in_runtime() : HEDDLE_STATE_OVERHEAD;
	if (is_wait(*state))
		add_wait(&path, *state);
	else if (*state != HEDDLE_STATE_WORK)
		heddle__path_state(&path, *state);
	add_runtime_frames(&path, frames, runtime);
	return path.node;
}
