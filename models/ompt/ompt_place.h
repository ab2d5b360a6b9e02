/* SPDX-License-Identifier: BSD-3-Clause */
/* The place of an OpenMP event in the tree: its code and its node. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_PLACE_H
#define HEDDLE_MODELS_OMPT_OMPT_PLACE_H

#include "core/base/frame.h"
#include "core/base/likely.h"
#include "core/modules/module.h"
#include "core/modules/module_provisional.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "core/threads/task.h"
#include "core/threads/thread.h"
#include "core/tree/event.h"
#include "models/ompt/ompt5.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_runtime.h"
#include "models/ompt/ompt_team.h"

/*
 * The bounds of the current task's frames, from the runtime's frame pointers. Each pointer equals the address two words
 * below a frame's end; one outside this thread's stack is ignored. For loops that GCC compiled, the runtime reports no
 * frame pointer on the creator's thread; the team's record then has the creator's address. Context: owner thread,
 * signal.
 */
void heddle__ompt_bounds(const struct heddle_thread *thread, const ompt_frame_t *frame, struct heddle_bounds *bounds);

/*
 * The runtime's frames of the current task, or the cached ones: the boundary does not change while the task runs on
 * this thread. Returns false if the runtime is between two tasks. Context: owner thread, inside.
 */
bool heddle__ompt_recall_frames(struct heddle_region *task, ompt_frame_t *reported);

/* While sampling: returns the node of the code that led to this call of a callback. Context: owner thread, inside. */
uint32_t heddle__ompt_path(struct heddle_thread *thread, struct heddle_call own);

/*
 * Returns the team whose implicit task is current; NULL: the current task is explicit, or none. Context: owner thread,
 * signal.
 */
static inline const struct heddle_ompt_team *heddle__ompt_current_team(const struct heddle_thread *thread)
{
	const struct heddle_region *task = heddle__current_task(&thread->stack);
	return task ? (const struct heddle_ompt_team *)task->owner : NULL;
}

/*
 * True if the current task's region has ended. The end event of its last barrier arrives only at the next fork;
 * instead, the end of the task closes the barrier, at the time at which the region ended. Context: owner thread.
 */
static inline bool heddle__ompt_team_has_ended(const struct heddle_thread *thread)
{
	const struct heddle_ompt_team *team = heddle__ompt_current_team(thread);
	return team && atomic_load_explicit(&team->group.ended, memory_order_relaxed);
}

/* True if the innermost entry is a region of this event. Context: owner thread. */
static inline bool heddle__ompt_is_innermost(const struct heddle_thread *thread, enum heddle_ompt_event event)
{
	const struct heddle_region *top = heddle__innermost(&thread->stack);
	return top && top->meta == HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[event].id);
}

/*
 * The slow path of heddle__ompt_construct_place, for a module that was loaded recently. Context: owner thread, inside,
 * not a signal handler.
 */
uint64_t heddle__ompt_place_anew(struct heddle_thread *thread, const void *return_address);

/*
 * Returns the place of the event's return address if that is in the program's code; 0 if it is in the runtime or in a
 * library that serves the runtime (such as the one that calls kernels on the host device). Context: owner thread,
 * inside.
 */
static inline uint64_t heddle__ompt_construct_place(struct heddle_thread *thread, const void *return_address)
{
	if (heddle__ompt_is_runtime((uintptr_t)return_address))
		return 0;
	uint64_t place = heddle__call_place(thread, return_address);
	if (!place)
		return 0;
	uint32_t id = HEDDLE_PLACE_MODULE(place);
	if (HEDDLE_UNLIKELY(id >= HEDDLE_FIRST_PROVISIONAL))
		return heddle__ompt_place_anew(thread, return_address);
	const struct heddle_module *module = heddle__module_by_id(id);
	return module && heddle__is_runtime(module->role) ? 0 : place;
}

/* Returns the place of the innermost open region, or of the team; 0: none. Context: owner thread. */
uint64_t heddle__ompt_outer_place(const struct heddle_thread *thread);

/*
 * Returns the place of a construct whose event has no address in the program: the place of an enclosing taskgroup,
 * which a taskloop has, or of the team's construct; 0: neither is known. Context: owner thread.
 */
uint64_t heddle__ompt_place_around(const struct heddle_thread *thread);

/*
 * Returns the place of a construct, from the return address of its event. Events of a team's threads may have no
 * address, or one in the runtime; then the place is that of an enclosing construct. Context: owner thread, inside.
 */
__attribute__((always_inline)) static inline uint64_t heddle__ompt_place(
	struct heddle_thread *thread, const void *return_address)
{
	uint64_t place = heddle__ompt_construct_place(thread, return_address);
	return place ? place : heddle__ompt_place_around(thread);
}

/*
 * While sampling: returns the path to which an event of the current task belongs, below the code that called the
 * runtime, as for samples. If the innermost entry is a wait, the path is that of the wait, without the frame of this
 * code. `room` is as in heddle__capture. Context: owner thread, inside.
 */
const struct heddle_captured *heddle__ompt_here(
	struct heddle_thread *thread, const void *return_address, struct heddle_captured *room);

/* True if an event of the current task can be looked up by its return address alone. Context: owner thread. */
static inline bool heddle__ompt_by_site(const struct heddle_thread *thread)
{
	return heddle__takes_fast_path(thread) && !heddle__capture;
}

/* Returns the event's known site below the current node; NULL: not recorded, or the slow path is needed. */
static inline const struct heddle_known_site *heddle__ompt_site(
	struct heddle_thread *thread, const struct heddle_event *event, const void *return_address)
{
	if (!HEDDLE_LIKELY(heddle__ompt_by_site(thread)))
		return NULL;
	return heddle__known_site(thread, heddle__fast_path_node(thread), event->id, return_address);
}

/*
 * Record the known site if its node is certain. If the address is not in the program, the place is that of the team
 * around the parent; therefore the parent is part of the key. Context: owner thread, inside.
 */
void heddle__ompt_keep_site(struct heddle_thread *thread, const struct heddle_event *event, uint32_t parent,
	const void *return_address, uint64_t place, uint32_t node);

/*
 * The slow path of heddle__ompt_begin and heddle__ompt_count_at, for a site that is not known. While sampling, the node
 * of the event is below the code that called the runtime, as for samples; else below the current node. Context: owner
 * thread, inside.
 */
void heddle__ompt_begin_unknown(
	struct heddle_thread *thread, const struct heddle_event *event, const void *return_address);
void heddle__ompt_count_unknown(
	struct heddle_thread *thread, const struct heddle_event *event, const void *return_address);

__attribute__((always_inline)) static inline void heddle__ompt_begin(
	struct heddle_thread *thread, const struct heddle_event *event, const void *return_address)
{
	const struct heddle_known_site *site = heddle__ompt_site(thread, event, return_address);
	if (!HEDDLE_LIKELY(heddle__region_begin_known(thread, event, site)))
		heddle__ompt_begin_unknown(thread, event, return_address);
}

__attribute__((always_inline)) static inline void heddle__ompt_count_at(
	struct heddle_thread *thread, const struct heddle_event *event, const void *return_address)
{
	const struct heddle_known_site *site = heddle__ompt_site(thread, event, return_address);
	if (HEDDLE_LIKELY(site))
		heddle__visit(thread, site->slot);
	else
		heddle__ompt_count_unknown(thread, event, return_address);
}

/* Returns the slot of an event without duration; NULL: nothing is counted now. */
static inline struct heddle_slot *heddle__ompt_count_slot(
	struct heddle_thread *thread, const struct heddle_event *event, uint64_t place, const void *return_address)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	if (!heddle__is_counting(thread))
		return NULL;
	struct heddle_captured room;
	uint32_t parent =
		heddle__capture ? heddle__ompt_here(thread, return_address, &room)->node : heddle__current_node(thread);
	return heddle__event_slot(thread, parent, meta, place);
}

/* Counts an event without duration. `when` is from heddle__trace_ticks. */
static inline void heddle__ompt_count_when(struct heddle_thread *thread, const struct heddle_event *event,
	uint64_t place, const void *return_address, uint64_t when)
{
	struct heddle_slot *slot = heddle__ompt_count_slot(thread, event, place, return_address);
	if (slot)
		heddle__visit_when(thread, slot, when);
}

static inline void heddle__ompt_count(
	struct heddle_thread *thread, const struct heddle_event *event, uint64_t place, const void *return_address)
{
	heddle__ompt_count_when(thread, event, place, return_address, 0);
}

/* Like heddle__ompt_count, but without a place, and below the node of any task, current or not. */
static inline void heddle__ompt_count_below(struct heddle_thread *thread, enum heddle_ompt_event event, uint32_t parent)
{
	if (!heddle__ompt_events[event].selected)
		return;
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[event].id);
	struct heddle_slot *slot = heddle__event_slot(thread, parent, meta, 0);
	if (!thread->off)
		heddle__visit(thread, slot);
}

/* Like heddle__ompt_count_below, at the tick of the last change of the stack. */
static inline void heddle__ompt_count_with_change(
	struct heddle_thread *thread, enum heddle_ompt_event event, uint32_t parent)
{
	if (!heddle__ompt_events[event].selected)
		return;
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[event].id);
	struct heddle_slot *slot = heddle__event_slot(thread, parent, meta, 0);
	if (!thread->off)
		heddle__visit_with_change(thread, slot);
}

/* Counts a visit of a region or task with a known site, and returns its context. Context: owner thread, inside. */
static inline uint32_t heddle__ompt_visit_known(struct heddle_thread *thread, const struct heddle_known_site *site)
{
	heddle__visit(thread, site->slot);
	return site->slot->node;
}

/*
 * Returns the call by which the program's code entered the runtime: from the frame that the runtime reports, if
 * plausible, else the callback's own call, `own`. The runtime reads the frame pointer register, which may have any
 * value where the program's code uses it for other purposes. For a task with dependences it reports the frame of the
 * task's creation, which is outside the task's own frames (these end at the exit frame). Context: owner thread.
 */
static inline struct heddle_call heddle__ompt_entry(
	const struct heddle_thread *thread, const ompt_frame_t *frame, struct heddle_call own)
{
	uintptr_t at = frame ? (uintptr_t)frame->enter_frame.ptr : 0;
	uintptr_t exit = frame ? (uintptr_t)frame->exit_frame.ptr : 0;
	bool possible = at >= own.sp && at <= thread->stack_high - sizeof(struct heddle_frame_record);
	bool outside = exit >= own.sp && exit <= at;
	bool is_record = HEDDLE_RECORD_ENDS_FRAME && frame && heddle__ompt_is_frame_pointer(frame->enter_frame_flags);
	if (is_record && possible && !outside && at % sizeof(void *) == 0)
		return heddle__call_of_record((const struct heddle_frame_record *)at);
	return own;
}

/*
 * Limits recursion: returns the enclosing node of the same construct around `node`, if so many are nested already that
 * another one gets no node of its own; 0: it gets its own node. Context: owner thread, inside.
 */
uint32_t heddle__ompt_recursion(uint32_t node, uint32_t meta, uint64_t place);

/*
 * The construct that the current task encountered at `place`, or if that is 0 at the innermost user frame: its node,
 * place and stack address. `call` is the call of the runtime. Counts a visit unless control is off. A construct without
 * any place is the runtime's own and has no node, unless it is `certain` to be the program's. Context: owner thread,
 * inside.
 */
struct heddle_ompt_context {
	uint32_t node;
	uint64_t place;
	uintptr_t sp; /* stack address */
};
struct heddle_ompt_context heddle__ompt_construct(struct heddle_thread *thread, const struct heddle_event *event,
	uint64_t place, const ompt_frame_t *frame, struct heddle_call call, bool certain);

/*
 * Returns the program's code that called the runtime; without stack walks, only its node. `frame` has the runtime's
 * frames of the current task, `own` is the callback's call. Context: owner thread, inside.
 */
struct heddle_captured heddle__ompt_caller_code(
	struct heddle_thread *thread, const ompt_frame_t *frame, struct heddle_call own);

#endif
