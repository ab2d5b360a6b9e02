/* SPDX-License-Identifier: BSD-3-Clause */
/* Where an event of OpenMP's stands: its place, the code it came from, and its node. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_PLACE_H
#define HEDDLE_MODELS_OMPT_OMPT_PLACE_H

#include "core/event.h"
#include "core/frontend.h"
#include "core/region.h"
#include "core/thread.h"
#include "models/ompt/ompt5.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_team.h"

/* What the frame and state inquiry needs of the runtime; NULL: not started. */
extern ompt_get_task_info_t heddle__ompt_get_task_info;

/*
 * The frames of the current task, from the runtime's frame pointers. Every one of those equals the address two words
 * below a frame's end; one that is not on this thread's stack is not to be believed. Loops that GCC compiled run on
 * their creator without one: then the team knows where its creator was. Context: owner thread, signal.
 */
struct heddle_bounds heddle__ompt_bounds(const struct heddle_thread *thread, const ompt_frame_t *frame);

/* While sampling: the node of the code that the callback with that frame came from. Context: owner thread, inside. */
uint32_t heddle__ompt_path(struct heddle_thread *thread, uintptr_t own_frame);

/* The team whose implicit task runs now; NULL: an explicit task does, or none. Context: owner thread, signal. */
static inline const struct heddle_ompt_team *heddle__ompt_current_team(const struct heddle_thread *thread)
{
	const struct heddle_region *task = heddle__current_task(thread);
	return task ? (const struct heddle_ompt_team *)(uintptr_t)task->place : NULL;
}

/*
 * The current task's region is over. Its last barrier's end event comes at the next fork only: then the end of the task
 * closes it, at the time it was over. Context: owner thread.
 */
static inline bool heddle__ompt_team_has_ended(const struct heddle_thread *thread)
{
	const struct heddle_ompt_team *team = heddle__ompt_current_team(thread);
	return team && atomic_load_explicit(&team->group.ended, memory_order_relaxed);
}

/* A library's code; empty: nobody knows where, or there is none. */
struct heddle_ompt_code {
	_Atomic uintptr_t low, high;
};

extern struct heddle_ompt_code heddle__ompt_runtime, heddle__ompt_offload;

static inline bool heddle__ompt_is_in(const struct heddle_ompt_code *code, uintptr_t address)
{
	return address >= atomic_load_explicit(&code->low, memory_order_relaxed) &&
	       address < atomic_load_explicit(&code->high, memory_order_relaxed);
}

/*
 * True for an address in the runtime's code, its library for devices included, or (proper) not. Context: any thread,
 * signal.
 */
static inline bool heddle__ompt_is_runtime_proper(uintptr_t address)
{
	return heddle__ompt_is_in(&heddle__ompt_runtime, address);
}

static inline bool heddle__ompt_is_runtime(uintptr_t address)
{
	return heddle__ompt_is_runtime_proper(address) || heddle__ompt_is_in(&heddle__ompt_offload, address);
}

/* The library for devices, by an address in it. Context: any thread, not a signal handler. */
void heddle__ompt_know_offload(uintptr_t in_library);

/* The place that the event gives, if it is in the program's code; 0: it isn't. Context: owner thread, inside. */
static inline uint64_t heddle__ompt_construct_place(struct heddle_thread *thread, const void *return_address)
{
	return heddle__ompt_is_runtime((uintptr_t)return_address) ? 0 : heddle__call_place(thread, return_address);
}

/* That of what is open; 0: none. Context: owner thread. */
uint64_t heddle__ompt_outer_place(const struct heddle_thread *thread);

/*
 * The place of a construct by the return address that its event gives. Those of a team's threads may come without one,
 * or with one in the runtime: then it is the place of the team's construct. Context: owner thread, inside.
 */
static inline uint64_t heddle__ompt_place(struct heddle_thread *thread, const void *return_address)
{
	uint64_t place = heddle__ompt_construct_place(thread, return_address);
	const struct heddle_ompt_team *team = place ? NULL : heddle__ompt_current_team(thread);
	return team ? team->place : place;
}

/*
 * Where an event of the current task stands while sampling: below the code that called the runtime, as samples do.
 * Without that code's frame when what is open is the runtime at work. Context: owner thread, inside.
 */
struct heddle_captured heddle__ompt_here(struct heddle_thread *thread, const void *return_address);

/*
 * The current task begins to wait at that place, or an event without duration happens there. While sampling it stands
 * below the code that called the runtime, as samples do; else below what is open. Context: owner thread, inside.
 */
static inline void heddle__ompt_wait(
	struct heddle_thread *thread, const struct heddle_event *event, uint64_t place, const void *return_address)
{
	if (!heddle__capture || thread->off) {
		heddle__region_begin(thread, event, place);
		return;
	}
	struct heddle_captured here = heddle__ompt_here(thread, return_address);
	uint32_t depth = thread->depth;
	heddle__region_begin_below(thread, event, here.node, place, 0);
	if (thread->depth > depth)
		thread->regions[depth].entry = here.end;
}

/* Whether an event of the current task may be looked up by the return address alone. Context: owner thread. */
static inline bool heddle__ompt_by_site(const struct heddle_thread *thread)
{
	return heddle__is_plain(thread) && !heddle__capture;
}

/* The same as of known sites, below what is open; NULL: it was not kept, or the look-up takes more. */
static inline const struct heddle_known_site *heddle__ompt_site(
	struct heddle_thread *thread, const struct heddle_event *event, const void *return_address)
{
	if (!HEDDLE_LIKELY(heddle__ompt_by_site(thread)))
		return NULL;
	return heddle__known_site(thread, heddle__plain_node(thread), event->id, return_address);
}

/*
 * Keep it, if it is certain where it came to. Without an address of the program's the place is that of the team around
 * the parent, so it goes by that as well. Context: owner thread, inside.
 */
void heddle__ompt_keep_site(struct heddle_thread *thread, const struct heddle_event *event, uint32_t parent,
	const void *return_address, uint64_t place, uint32_t node);

/*
 * The current task begins to wait there, or a block of code; or an event without duration happens. As heddle__ompt_wait
 * and heddle__ompt_count, but the place is found here. Context: owner thread, inside.
 */
void heddle__ompt_begin_unknown(
	struct heddle_thread *thread, const struct heddle_event *event, const void *return_address);
void heddle__ompt_count_unknown(
	struct heddle_thread *thread, const struct heddle_event *event, const void *return_address);

static inline void heddle__ompt_begin(
	struct heddle_thread *thread, const struct heddle_event *event, const void *return_address)
{
	const struct heddle_known_site *site = heddle__ompt_site(thread, event, return_address);
	if (!HEDDLE_LIKELY(heddle__region_begin_known(thread, event, site)))
		heddle__ompt_begin_unknown(thread, event, return_address);
}

static inline void heddle__ompt_count_at(
	struct heddle_thread *thread, const struct heddle_event *event, const void *return_address)
{
	const struct heddle_known_site *site = heddle__ompt_site(thread, event, return_address);
	if (HEDDLE_LIKELY(site != NULL))
		site->slot->value[HEDDLE_METRIC_VISITS] += heddle__events_count();
	else
		heddle__ompt_count_unknown(thread, event, return_address);
}

static inline void heddle__ompt_count(
	struct heddle_thread *thread, const struct heddle_event *event, uint64_t place, const void *return_address)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	if (!heddle__counting(thread))
		return;
	uint32_t parent =
		heddle__capture ? heddle__ompt_here(thread, return_address).node : heddle__current_node(thread);
	heddle__event_slot(thread, parent, meta, place)->value[HEDDLE_METRIC_VISITS]++;
}

/* The same, below the node of a task that need not be the current one, and nowhere in particular. */
static inline void heddle__ompt_count_below(struct heddle_thread *thread, enum heddle_ompt_event event, uint32_t parent)
{
	if (!heddle__ompt_events[event].selected)
		return;
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[event].id);
	heddle__event_slot(thread, parent, meta, 0)->value[HEDDLE_METRIC_VISITS] += heddle__counting(thread);
}

/* The context of a region or task that came from there before; counts a visit. Context: owner thread, inside. */
static inline uint32_t heddle__ompt_visit_known(const struct heddle_known_site *site)
{
	site->slot->value[HEDDLE_METRIC_VISITS] += heddle__events_count();
	return site->slot->node;
}

/* A frame pointer of the runtime: the saved frame pointer and the return address stand there. */
struct heddle_ompt_runtime_frame {
	uintptr_t bp, pc;
};

/*
 * The runtime's frame that the program's code called: what it says, if that is to be believed, or the callback's own.
 * It takes it from the frame pointer, which may hold anything where the program's code uses that register for other
 * things. Context: owner thread.
 */
static inline uintptr_t heddle__ompt_entry_frame(
	const struct heddle_thread *thread, const ompt_frame_t *frame, uintptr_t own_frame)
{
	uintptr_t at = frame ? (uintptr_t)frame->enter_frame.ptr : 0;
	bool possible = at > own_frame && at <= thread->stack_high - sizeof(struct heddle_ompt_runtime_frame);
	return possible && at % sizeof(void *) == 0 ? at : own_frame;
}

/*
 * The construct that the current task reached at `place`, or (0) at the innermost frame of the user's: its node, place
 * and stack address. `at` is the frame of the runtime's that was called. Counts a visit. Context: owner thread, inside.
 */
struct heddle_captured heddle__ompt_construct(struct heddle_thread *thread, const struct heddle_event *event,
	uint64_t place, const ompt_frame_t *frame, uintptr_t at);

/* The runtime's frames of the current task, whose entry that is; NULL when it is between two tasks. Context: owner
 * thread, signal. */
const ompt_frame_t *heddle__ompt_frames(const struct heddle_region *task);

/* Where a callback was called; by value, for a tail call may end the callback's frame. */
struct heddle_ompt_call {
	uintptr_t pc, sp, bp;
};

static inline __attribute__((always_inline)) struct heddle_ompt_call heddle__ompt_own_call(void)
{
	const uintptr_t *frame = __builtin_frame_address(0);
	return (struct heddle_ompt_call){.pc = frame[1], .sp = (uintptr_t)(frame + 2), .bp = frame[0]};
}

#endif
