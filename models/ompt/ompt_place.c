/* SPDX-License-Identifier: BSD-3-Clause */
/* From the runtime's frames and the event's return address to a place and a node. */
#include "models/ompt/ompt_place.h"

#include <stddef.h>

#include "core/threads/control.h"
#include "core/threads/frontend.h"
#include "core/tree/tree.h"

/*
 * Returns the boundary of a task that code with the stack pointer `sp` (0: unknown) executes at once; `reported` is the
 * runtime's boundary. Code that Clang compiled calls the task's function itself, or contains it inline. Then the
 * runtime does not know the frame, and reports the frame pointer register, which may have any value. A reported
 * boundary further in is the frame of the runtime that called the task.
 */
static uintptr_t undeferred_boundary(uintptr_t sp, uintptr_t reported)
{
	return sp && (!reported || reported > sp) ? sp + sizeof(uintptr_t) : reported;
}

static inline void find_bounds(
	const struct heddle_thread *thread, const ompt_frame_t *frame, struct heddle_bounds *bounds)
{
	const struct heddle_region *task = heddle__current_task(&thread->stack);
	const struct heddle_ompt_team *team = heddle__ompt_current_team(thread);
	uintptr_t exit = heddle__ompt_boundary(frame);
	uintptr_t boundary = exit > thread->stack_low && exit <= thread->stack_high ? exit : 0;
	if (task && !team)
		boundary = undeferred_boundary(heddle__task_caller_sp(thread, task), boundary);
	if (!task && !boundary) {
		heddle__thread_bounds(thread, bounds);
		return;
	}
	bounds->boundary = boundary;
	bounds->direct = 0;
	bounds->unbounded = team && !boundary;
	bounds->outlined = task;
	if (team && team->creator == thread && (team->alone || !boundary))
		bounds->direct = team->creator_cfa;
}

void heddle__ompt_bounds(const struct heddle_thread *thread, const ompt_frame_t *frame, struct heddle_bounds *bounds)
{
	find_bounds(thread, frame, bounds);
}

uint64_t heddle__ompt_place_anew(struct heddle_thread *thread, const void *return_address)
{
	heddle__modules_refresh();
	uint64_t place = heddle__call_place(thread, return_address);
	const struct heddle_module *module = heddle__module_by_id(HEDDLE_PLACE_MODULE(place));
	return module && heddle__is_runtime(module->role) ? 0 : place;
}

/* Captures the path of the code that called the runtime, continued from `base`. */
static inline const struct heddle_captured *capture_from(struct heddle_thread *thread, const ompt_frame_t *frame,
	struct heddle_call call, uintptr_t site, uint32_t base, struct heddle_captured *room)
{
	struct heddle_bounds bounds;
	find_bounds(thread, frame, &bounds);
	const struct heddle_caller caller = {
		.pc = call.pc, .sp = call.sp, .bp = call.bp, .site = site, .bounds = &bounds};
	return heddle__capture(thread, &caller, base, room);
}

/* With stack walks: captures the path up to the innermost user frame. */
static struct heddle_captured walk(struct heddle_thread *thread, const ompt_frame_t *frame, struct heddle_call call)
{
	struct heddle_captured room;
	return *capture_from(thread, frame, call, 0, heddle__task_node(thread), &room);
}

struct heddle_captured heddle__ompt_caller_code(
	struct heddle_thread *thread, const ompt_frame_t *frame, struct heddle_call own)
{
	if (!heddle__capture)
		return (struct heddle_captured){.node = heddle__current_node(thread)};
	return walk(thread, frame, own);
}

uint64_t heddle__ompt_outer_place(const struct heddle_thread *thread)
{
	const struct heddle_ompt_team *team = heddle__ompt_current_team(thread);
	const struct heddle_region *top = heddle__innermost_of_task(&thread->stack);
	if (top && HEDDLE_META_KIND(top->meta) == HEDDLE_NODE_REGION && top->place)
		return top->place;
	return team ? team->place : 0;
}

uint64_t heddle__ompt_place_around(const struct heddle_thread *thread)
{
	const struct heddle_ompt_team *team = heddle__ompt_current_team(thread);
	const struct heddle_region *top = heddle__innermost(&thread->stack);
	if (heddle__ompt_is_innermost(thread, HEDDLE_OMPT_TASKGROUP) && top->place)
		return top->place;
	return team ? team->place : 0;
}

/*
 * Finds the context of a construct by a stack walk. Without stack walks, it is below the current node, at the place of
 * the open region.
 */
static struct heddle_ompt_context find_context(
	struct heddle_thread *thread, const ompt_frame_t *frame, struct heddle_call call)
{
	if (heddle__capture) {
		struct heddle_captured room;
		const struct heddle_captured *found =
			capture_from(thread, frame, call, 0, heddle__task_node(thread), &room);
		return (struct heddle_ompt_context){.node = found->node, .place = found->place, .sp = found->sp};
	}
	return (struct heddle_ompt_context){
		.node = heddle__current_node(thread), .place = heddle__ompt_outer_place(thread), .sp = call.sp};
}

#define EXACT_LEVELS 4

/* Without this limit, there could be as many contexts as tasks or regions. */
uint32_t heddle__ompt_recursion(uint32_t node, uint32_t meta, uint64_t place)
{
	return heddle__tree_enclosing(node, meta, place, EXACT_LEVELS);
}

/*
 * Returns the context of the same construct further out, if the current task belongs to one; 0: none, or not far enough
 * out.
 */
static uint32_t outer_context(const struct heddle_thread *thread, uint32_t meta, uint64_t place)
{
	const struct heddle_region *task = heddle__current_task(&thread->stack);
	struct heddle_ompt_thread *own = heddle__ompt_thread_of(thread);
	if (!task || !own)
		return task ? heddle__ompt_recursion(task->node, meta, place) : 0;
	struct heddle_ompt_recursion *last = &own->recursion;
	if (last->node != task->node || last->meta != meta || last->place != place)
		*last = (struct heddle_ompt_recursion){.node = task->node,
			.meta = meta,
			.place = place,
			.outer = heddle__ompt_recursion(task->node, meta, place)};
	return last->outer;
}

struct heddle_ompt_context heddle__ompt_construct(struct heddle_thread *thread, const struct heddle_event *event,
	uint64_t place, const ompt_frame_t *frame, struct heddle_call call, bool certain)
{
	struct heddle_ompt_context found = find_context(thread, frame, call);
	if (!found.place && !place && !certain)
		return found;
	found.place = place ? place : found.place;
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	uint32_t outer = outer_context(thread, meta, found.place);
	struct heddle_slot *slot =
		outer ? heddle__node_slot(thread, outer) : heddle__event_slot(thread, found.node, meta, found.place);
	if (!thread->off)
		heddle__visit(thread, slot);
	found.node = slot->node;
	return found;
}

/* True if the innermost entry is a wait, in which the runtime's code executes. Events during the wait are below it. */
static bool is_in_runtime(const struct heddle_thread *thread)
{
	const struct heddle_region *top = heddle__innermost_of_task(&thread->stack);
	return top && !top->cfa && HEDDLE_META_KIND(top->meta) == HEDDLE_NODE_REGION;
}

bool heddle__ompt_recall_frames(struct heddle_region *task, ompt_frame_t *reported)
{
	*reported = (ompt_frame_t){.exit_frame.ptr = (void *)task->task.boundary};
	if (task->task.boundary)
		return true;
	const ompt_frame_t *frame = heddle__ompt_frames(task);
	if (frame)
		*reported = *frame;
	if (!heddle__ompt_is_frame_pointer(reported->exit_frame_flags)) {
		reported->exit_frame.ptr =
			(void *)(heddle__ompt_boundary(reported) - sizeof(struct heddle_frame_record));
		reported->exit_frame_flags = 0;
	}
	task->task.boundary = (uintptr_t)reported->exit_frame.ptr;
	return frame;
}

static const struct heddle_captured *at_current_node(struct heddle_thread *thread, struct heddle_captured *room)
{
	*room = (struct heddle_captured){.node = heddle__current_node(thread)};
	return room;
}

/* Always inlined, so that no frame of Heddle's is added to the words of the stack that each event compares. */
__attribute__((always_inline)) static inline const struct heddle_captured *walk_to_here(
	struct heddle_thread *thread, const void *return_address, struct heddle_captured *room)
{
	struct heddle_region *task = heddle__current_task(&thread->stack);
	ompt_frame_t frame = {.exit_frame.ptr = NULL};
	if (task && !heddle__ompt_recall_frames(task, &frame))
		return at_current_node(thread, room);
	return capture_from(
		thread, &frame, heddle__call_here(), (uintptr_t)return_address, task ? task->node : thread->base, room);
}

__attribute__((always_inline)) static inline const struct heddle_captured *find_here(
	struct heddle_thread *thread, const void *return_address, struct heddle_captured *room)
{
	return is_in_runtime(thread) ? at_current_node(thread, room) : walk_to_here(thread, return_address, room);
}

const struct heddle_captured *heddle__ompt_here(
	struct heddle_thread *thread, const void *return_address, struct heddle_captured *room)
{
	return find_here(thread, return_address, room);
}

void heddle__ompt_keep_site(struct heddle_thread *thread, const struct heddle_event *event, uint32_t parent,
	const void *return_address, uint64_t place, uint32_t node)
{
	if (!place || heddle__tree_node(node)->place != place)
		return;
	struct heddle_known_site site = {.address = (uintptr_t)return_address,
		.parent = parent,
		.event = event->id + 1,
		.slot = heddle__node_slot(thread, node),
		.place = place};
	heddle__keep_site(thread, &site);
}

/* While sampling, the known site is that of the code's path and the return address. */
static void begin_sampled(struct heddle_thread *thread, const struct heddle_event *event, const void *return_address)
{
	struct heddle_captured room;
	const struct heddle_captured *here = find_here(thread, return_address, &room);
	uint32_t parent = here->node, depth = heddle__open_count(&thread->stack);
	const struct heddle_known_site *site = heddle__known_site(thread, parent, event->id, return_address);
	if (HEDDLE_LIKELY(heddle__wait_begin_known(thread, event, site, here)))
		return;
	uint64_t place = heddle__ompt_place(thread, return_address);
	heddle__wait_begin_below(thread, event, place, here);
	const struct heddle_region *wait = heddle__pushed_at(&thread->stack, depth);
	if (wait)
		heddle__ompt_keep_site(thread, event, parent, return_address, place, wait->node);
}

void heddle__ompt_begin_unknown(
	struct heddle_thread *thread, const struct heddle_event *event, const void *return_address)
{
	if (heddle__capture && HEDDLE_LIKELY(!thread->off)) {
		begin_sampled(thread, event, return_address);
		return;
	}
	bool keep = heddle__ompt_by_site(thread);
	uint32_t parent = keep ? heddle__current_node(thread) : HEDDLE_TREE_ROOT,
		 depth = heddle__open_count(&thread->stack);
	uint64_t place = heddle__ompt_place(thread, return_address);
	heddle__region_begin(thread, event, place);
	if (keep && heddle__pushed_at(&thread->stack, depth))
		heddle__ompt_keep_site(thread, event, parent, return_address, place, heddle__current_node(thread));
}

static void count_sampled(struct heddle_thread *thread, const struct heddle_event *event, const void *return_address)
{
	struct heddle_captured room;
	uint64_t when = heddle__trace_ticks(thread);
	if (!heddle__is_counting(thread))
		return;
	uint32_t parent = find_here(thread, return_address, &room)->node;
	const struct heddle_known_site *site = heddle__known_site(thread, parent, event->id, return_address);
	if (HEDDLE_LIKELY(site)) {
		heddle__visit_when(thread, site->slot, when);
		return;
	}
	uint64_t place = heddle__ompt_place(thread, return_address);
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	struct heddle_slot *slot = heddle__event_slot(thread, parent, meta, place);
	heddle__visit_when(thread, slot, when);
	heddle__ompt_keep_site(thread, event, parent, return_address, place, slot->node);
}

void heddle__ompt_count_unknown(
	struct heddle_thread *thread, const struct heddle_event *event, const void *return_address)
{
	if (heddle__capture) {
		count_sampled(thread, event, return_address);
		return;
	}
	uint64_t place = heddle__ompt_place(thread, return_address);
	heddle__ompt_count(thread, event, place, return_address);
	if (!heddle__ompt_by_site(thread))
		return;
	uint32_t parent = heddle__current_node(thread), meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	heddle__ompt_keep_site(
		thread, event, parent, return_address, place, heddle__event_slot(thread, parent, meta, place)->node);
}

uint32_t heddle__ompt_path(struct heddle_thread *thread, struct heddle_call own)
{
	const ompt_frame_t *frame = heddle__ompt_frames(heddle__current_task(&thread->stack));
	return walk(thread, frame, heddle__ompt_entry(thread, frame, own)).node;
}
