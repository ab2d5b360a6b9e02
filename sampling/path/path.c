/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs in signal handlers. User-level call paths: the user frames of the current task, open phases between them by
 * stack address, all below the context in which the task was created.
 */
#include <stddef.h>

#include "core/modules/model.h"
#include "core/modules/module.h"
#include "core/process/keeper.h"
#include "core/threads/region.h"
#include "core/tree/tree.h"
#include "sampling/path/path.h"

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

struct heddle_path heddle__path_from(
	const struct heddle_thread *thread, struct heddle_sampler_thread *sampler, uint32_t base)
{
	return (struct heddle_path){.sampler = sampler,
		.thread = thread,
		.node = base,
		.phase = heddle__open_count(&thread->stack) - heddle__open_in_task(&thread->stack)};
}

/* A step from one frame of the path to the next; NULL: no such frame. */
struct between {
	const struct heddle_frame *last, *next;
	uint32_t outside; /* parent of the last frame's node */
};

static struct between step_to(const struct heddle_frame *frames, size_t next, size_t end, uint32_t outside)
{
	return (struct between){
		.last = next + 1 < end ? &frames[next + 1] : NULL, .next = &frames[next], .outside = outside};
}

/* True if the next frame, of another function or call, is at the stack address of the region's opener. */
static bool took_over(const struct heddle_region *region, const struct between *here)
{
	const struct heddle_opener *opener = heddle__opener_of(region);
	return opener && heddle__was_opened_in(region, here->next->cfa) && here->last &&
	       here->last->place != opener->caller_place;
}

#define FAR_UP 64

/* True if the opener's caller had the same path as this frame, as another one may be at the same stack address. */
static bool called_opener(const struct heddle_region *phase, uint64_t caller_place, const struct between *here)
{
	uint32_t at = phase->node;
	for (unsigned int i = 0; at && i < FAR_UP; i++) {
		const struct heddle_node *node = heddle__tree_node(at);
		if (HEDDLE_META_KIND(node->meta) <= HEDDLE_NODE_OUTLINED_FRAME && node->place == caller_place)
			return node->parent == here->outside;
		at = node->parent;
	}
	return true;
}

/* True if the phase's opener has returned to a function that is still on the stack. */
static bool was_left_open(const struct heddle_region *phase, const struct between *here)
{
	const struct heddle_opener *opener = heddle__opener_of(phase);
	return opener && here->last && here->last->cfa == opener->caller_end &&
	       called_opener(phase, opener->caller_place, here);
}

/* True if the next frame is at the stack address of a block's opener, but is of other code. */
static bool has_lost_opener(const struct heddle_region *region, const struct between *here)
{
	return region->kind == HEDDLE_KIND_BLOCK && !region->deferred && here->next &&
	       heddle__was_opened_in(region, here->next->cfa) &&
	       here->next->place - region->block.code_place >= region->block.code_size;
}

/* The place of an open region relative to two frames. */
enum standing {
	FURTHER_IN, /* below the next frame */
	HERE,
	AS_OPENED, /* here, below the frame that opened it, although that frame has returned */
	NOWHERE,   /* it has ended */
};

/*
 * GCC's code does not report the end of a single construct. It may leave a construct by a tail call: that function runs
 * in the construct, and returns to the opener's caller. Otherwise the opener has returned.
 */
static enum standing standing_of_jump(const struct heddle_region *block, const struct between *here)
{
	if (!here->last || !block->block.caller_place)
		return HERE;
	return here->last->place == block->block.caller_place ? AS_OPENED : NOWHERE;
}

static enum standing standing_of(const struct heddle_region *region, const struct between *here)
{
	if (has_lost_opener(region, here))
		return standing_of_jump(region, here);
	if (here->next && region->cfa < here->next->cfa && !took_over(region, here))
		return FURTHER_IN;
	return was_left_open(region, here) ? AS_OPENED : HERE;
}

/*
 * Adds the open regions that begin between two frames. A phase that was left open keeps its position: later calls of
 * its opener's caller are below it.
 */
static void add_regions(struct heddle_path *path, const struct between *here)
{
	const struct heddle_shadow_stack *stack = &path->thread->stack;
	for (; path->phase < heddle__open_count(stack); path->phase++) {
		const struct heddle_region *region = heddle__region_at(stack, path->phase);
		if (!region->cfa || region->kind == HEDDLE_KIND_ACTIVATION)
			continue; /* a sample has a frame for it */
		enum standing standing = standing_of(region, here);
		if (standing == FURTHER_IN)
			return;
		if (standing == AS_OPENED)
			path->node = region->node;
		else if (standing == HERE)
			heddle__path_step(path, region->meta, region->place);
	}
}

static enum heddle_node_kind frame_kind(const struct heddle_frame *frame)
{
	if (heddle__is_runtime(frame->role) || frame->role == HEDDLE_MODULE_HEDDLE ||
		frame->flags & HEDDLE_FRAME_TRAMPOLINE)
		return HEDDLE_NODE_RUNTIME_FRAME;
	return HEDDLE_NODE_FRAME;
}

void heddle__path_frames(
	struct heddle_path *path, const struct heddle_frame *frames, size_t inner, size_t end, bool outlined)
{
	struct between here = {NULL, NULL, path->node};
	uint32_t outside = path->node;
	for (size_t i = end; i-- > inner;) {
		enum heddle_node_kind kind = frame_kind(&frames[i]);
		if (outlined && i == end - 1 && kind == HEDDLE_NODE_FRAME)
			kind = HEDDLE_NODE_OUTLINED_FRAME;
		here = step_to(frames, i, end, outside);
		add_regions(path, &here);
		outside = path->node;
		heddle__path_step(path, HEDDLE_NODE_META(kind, 0), frames[i].place);
	}
	here = (struct between){.last = here.next, .outside = outside};
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

/* Removes the runtime's and the thread start's frames at the outer end. */
static size_t strip_outer(const struct heddle_frame *frames, size_t count)
{
	while (count && (heddle__is_runtime(frames[count - 1].role) || may_serve_runtime(&frames[count - 1])))
		count--;
	return count;
}

/*
 * A runtime frame is at the boundary, unless the region was serialized: then its creator called its body directly, and
 * the task's frames are those up to `direct`.
 */
size_t heddle__count_own(const struct heddle_frame *frames, size_t count, const struct heddle_bounds *bounds)
{
	size_t n = 0;
	if (!bounds->boundary && !bounds->direct)
		return bounds->unbounded ? strip_outer(frames, count) : count;
	while (n < count && frames[n].cfa < bounds->boundary)
		n++;
	if (bounds->boundary && (n == count || heddle__is_runtime(frames[n].role)))
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

/*
 * Counts the runtime's innermost frames, with the C library's frames that it called: also those through which the
 * library called it back, like qsort.
 */
size_t heddle__count_runtime(const struct heddle_frame *frames, size_t count)
{
	size_t leading = 0, at = 0;
	while (at < count && (may_serve_runtime(&frames[at]) || heddle__is_runtime(frames[at].role))) {
		if (heddle__is_runtime(frames[at++].role))
			leading = at;
	}
	return leading;
}

size_t heddle__count_called(const struct heddle_frame *frames, size_t count)
{
	while (count && !heddle__is_runtime(frames[count - 1].role))
		count--;
	return count;
}

void heddle__path_state(struct heddle_path *path, enum heddle_state state)
{
	heddle__path_step(path, HEDDLE_NODE_META(HEDDLE_NODE_STATE, state), 0);
}

/*
 * Adds the thread's wait: as the region that an event opened; without one, as the state. Without frames, as between two
 * tasks that a waiting task executes, only the region's own path is known.
 */
static void add_wait(struct heddle_path *path, struct heddle_thread *thread, const struct heddle_inquiry *inquiry,
	enum heddle_state state)
{
	const struct heddle_region *wait = heddle__innermost_of_task(&thread->stack);
	if (!wait || wait->state != state)
		heddle__path_state(path, state);
	else if (inquiry->no_frames)
		path->node = heddle__current_node(thread);
	else
		heddle__path_step(path, wait->meta, wait->place);
}

/* Returns the model of the runtime whose frames are innermost; 0: none of them belongs to a runtime. */
static unsigned int model_of(const struct heddle_frame *frames, size_t runtime)
{
	for (size_t i = 0; i < runtime; i++) {
		if (heddle__is_runtime(frames[i].role))
			return frames[i].role - (unsigned int)HEDDLE_MODULE_RUNTIME;
	}
	return 0;
}

/* Adds a state; a runtime's own states are distinguished by its model. */
static void add_state(struct heddle_path *path, enum heddle_state state, unsigned int model)
{
	bool own = state == HEDDLE_STATE_OVERHEAD || state == HEDDLE_STATE_IDLE;
	heddle__path_step(path, HEDDLE_NODE_META(HEDDLE_NODE_STATE, state), own ? model : 0);
}

/* Time in a runtime without states of its own counts as work for the region that its events opened. */
static enum heddle_state state_in_runtime(const struct heddle_inquiry *inquiry, unsigned int model)
{
	const struct heddle_model *runtime = heddle__model(model);
	if (runtime && !runtime->state)
		return HEDDLE_STATE_WORK;
	return inquiry->in_runtime ? inquiry->in_runtime() : HEDDLE_STATE_OVERHEAD;
}

/*
 * True if the outermost of the runtime's innermost frames is in a routine that the program calls for its result, such
 * as omp_get_wtime: it is shown as the program's call.
 */
static bool is_call(const struct heddle_frame *frames, size_t runtime)
{
	const struct heddle_frame *entry = runtime ? &frames[runtime - 1] : NULL;
	if (!entry || !heddle__is_runtime(entry->role))
		return false;
	const struct heddle_model *model = heddle__model(entry->role - (unsigned int)HEDDLE_MODULE_RUNTIME);
	return model && model->is_call && model->is_call(entry->pc);
}

static bool is_wait(enum heddle_state state)
{
	return state == HEDDLE_STATE_BARRIER_WAIT || state == HEDDLE_STATE_LOCK_WAIT || state == HEDDLE_STATE_TASK_WAIT;
}

/*
 * Adds the task's frames, of which the innermost `runtime` are the runtime's. Returns true if it placed a function of
 * the user below a wait: one that the runtime calls while the task waits, such as a reduction's in a barrier.
 */
static bool add_own(struct heddle_path *path, struct heddle_thread *thread, const struct heddle_inquiry *inquiry,
	size_t runtime, size_t own)
{
	const struct heddle_frame *frames = path->sampler->frames;
	size_t called = is_wait(inquiry->state) ? heddle__count_called(frames, own) : 0;
	if (called <= runtime) {
		heddle__path_frames(path, frames, runtime, own, inquiry->bounds.outlined);
		return false;
	}
	heddle__path_frames(path, frames, called, own, inquiry->bounds.outlined);
	add_wait(path, thread, inquiry, inquiry->state);
	heddle__path_frames(path, frames, runtime, called, false);
	return true;
}

/*
 * Walks user code that the runtime calls between two tasks: destructors of a task's copies, and those of a thread's
 * variables when it ends. It consists of all frames up to the runtime's. In a task, there must be runtime frames:
 * otherwise it is unknown whose frames these are.
 */
static size_t walk_between(struct heddle_thread *thread, struct heddle_sampler_thread *sampler,
	const ucontext_t *context, const struct heddle_inquiry *inquiry)
{
	const struct heddle_bounds everything = {0};
	struct heddle_unwind_start start = {.context = context};
	struct heddle_walked walked;
	heddle__walk_own(thread, sampler, &start, heddle__context_sp(context), &everything, &walked);
	size_t called = 0;
	while (called < walked.count && !heddle__is_runtime(sampler->frames[called].role))
		called++;
	if (called == walked.count && inquiry->base != HEDDLE_TREE_ROOT)
		return 0;
	return strip_outer(sampler->frames, called);
}

/* Returns true if there were user frames. */
static bool add_between(struct heddle_path *path, struct heddle_thread *thread, const ucontext_t *context,
	const struct heddle_inquiry *inquiry)
{
	size_t called = walk_between(thread, path->sampler, context, inquiry);
	if (!called)
		return false;
	if (heddle__innermost_of_task(&thread->stack))
		path->node = heddle__current_node(thread);
	heddle__path_frames(path, path->sampler->frames, 0, called, false);
	return true;
}

uint32_t heddle__sampled_path(struct heddle_thread *thread, struct heddle_sampler_thread *sampler,
	const ucontext_t *context, enum heddle_state *state)
{
	struct heddle_inquiry inquiry;
	const struct heddle_frame *frames = sampler->frames;
	size_t own = 0, runtime = 0;
	bool below_wait = false;
	heddle__keeper_stand_in(thread, heddle__context_pc(context));
	heddle__inquire(thread, &inquiry);
	struct heddle_path path = heddle__path_from(thread, sampler, inquiry.base);
	if (!inquiry.no_frames) {
		struct heddle_unwind_start start = {.context = context};
		struct heddle_walked walked;
		uintptr_t sp = heddle__context_sp(context);
		own = heddle__walk_own(thread, sampler, &start, sp, &inquiry.bounds, &walked);
		runtime = heddle__count_runtime(frames, own);
		if (walked.partial)
			heddle__path_state(&path, HEDDLE_STATE_PARTIAL);
		below_wait = add_own(&path, thread, &inquiry, runtime, own);
	} else if (add_between(&path, thread, context, &inquiry)) {
		*state = HEDDLE_STATE_WORK;
		return path.node;
	}
	*state = below_wait ? HEDDLE_STATE_WORK : inquiry.state;
	if (runtime && below_wait)
		*state = HEDDLE_STATE_OVERHEAD;
	else if (inquiry.state == HEDDLE_STATE_WORK && is_call(frames, runtime))
		heddle__path_step(&path, HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0), frames[--runtime].place);
	else if (runtime && inquiry.state == HEDDLE_STATE_WORK)
		*state = state_in_runtime(&inquiry, model_of(frames, runtime));
	if (is_wait(*state))
		add_wait(&path, thread, &inquiry, *state);
	else if (*state != HEDDLE_STATE_WORK)
		add_state(&path, *state, inquiry.model ? inquiry.model : model_of(frames, runtime));
	add_runtime_frames(&path, frames, runtime);
	return path.node;
}
