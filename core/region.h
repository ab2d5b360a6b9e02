/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shadow stack of a thread: the tasks that run on it, one on top of the other, and the regions that events opened
 * in each. An END closes the innermost open region of its kind within the current task; one that was never opened
 * changes nothing. Elapsed time belongs to what is innermost.
 */
#ifndef HEDDLE_CORE_REGION_H
#define HEDDLE_CORE_REGION_H

#include "core/control.h"
#include "core/event.h"
#include "core/frontend.h"
#include "core/thread.h"
#include "core/tree.h"

/* True when events alone give times; else samples do, and events only the time of waits. Set once. Context: init. */
extern bool heddle__events_give_time;

/*
 * The fast ways of regions that a source line opens, and of phases, while control is off: false when the ordinary one
 * must be gone. Context: owner thread.
 */
static inline bool heddle__defer_region(struct heddle_thread *thread, uint32_t meta, enum heddle_state state,
	uint64_t place, uint32_t line, enum heddle_deferred how, uintptr_t cfa)
{
	if (thread->depth == thread->region_room)
		return false;
	struct heddle_region *region = &thread->regions[thread->depth];
	region->meta = meta;
	region->node = UINT32_MAX;
	region->slot = NULL;
	region->cfa = cfa;
	region->place = place;
	region->tag = 0;
	region->call = 0;
	region->line = line;
	region->state = (uint8_t)state;
	region->deferred = (uint8_t)how;
	atomic_signal_fence(memory_order_seq_cst);
	thread->depth++;
	return true;
}

static inline bool heddle__defer_source_region(
	struct heddle_thread *thread, const struct heddle_event *event, const char *file, int line, uintptr_t cfa)
{
	return heddle__defer_region(thread, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id),
		(enum heddle_state)event->state, (uintptr_t)file, (uint32_t)line, HEDDLE_DEFERRED_SOURCE, cfa);
}

static inline bool heddle__defer_phase(struct heddle_thread *thread, uint32_t name, uintptr_t cfa)
{
	return heddle__defer_region(
		thread, HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0), HEDDLE_STATE_WORK, name, 0, HEDDLE_DEFERRED_PLACE, cfa);
}

/* Whether a region of that kind is innermost. Context: owner thread. */
static inline bool heddle__is_innermost(const struct heddle_thread *thread, const struct heddle_event *event)
{
	if (!thread->depth || thread->lost_depth)
		return false;
	const struct heddle_region *top = &thread->regions[thread->depth - 1];
	return !top->tag && top->meta == HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
}

static inline bool heddle__end_deferred_region(struct heddle_thread *thread, const struct heddle_event *event)
{
	if (!heddle__is_innermost(thread, event))
		return false;
	thread->depth--;
	return true;
}

static inline bool heddle__end_deferred_phase(struct heddle_thread *thread, uint32_t name)
{
	if (!thread->depth || thread->lost_depth)
		return false;
	const struct heddle_region *top = &thread->regions[thread->depth - 1];
	if (top->tag || top->meta != HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0) || top->place != name)
		return false;
	thread->depth--;
	return true;
}

/* Give regions that were opened while off their nodes; returns the innermost one's. Context: owner thread, signal. */
uint32_t heddle__resolve_regions(struct heddle_thread *thread);

/* Whether visits and times of this thread count now. Context: owner thread, signal. */
static inline bool heddle__counting(const struct heddle_thread *thread)
{
	return !thread->off && heddle__events_count();
}

/* A thread's entries; there is always room for some. Context: owner thread, signal. */
static inline struct heddle_region *heddle__regions(const struct heddle_thread *thread)
{
	struct heddle_region *regions = thread->regions;
	if (!regions)
		__builtin_unreachable();
	return regions;
}

/* The node new regions hang on. Context: owner thread, signal. */
static inline uint32_t heddle__current_node(struct heddle_thread *thread)
{
	if (!thread->depth)
		return thread->base;
	const struct heddle_region *top = &heddle__regions(thread)[thread->depth - 1];
	return __builtin_expect(top->deferred, 0) ? heddle__resolve_regions(thread) : top->node;
}

/*
 * Open a region of that kind as a child of what is innermost; counts a visit. `place` is where the program opened it.
 * Context: owner thread, inside.
 */
static inline void heddle__region_begin(struct heddle_thread *thread, const struct heddle_event *event, uint64_t place);

/* Close it. Context: owner thread, inside. */
static inline void heddle__region_end(struct heddle_thread *thread, const struct heddle_event *event);

/*
 * The same for a user phase, by the number of its name; `cfa` is the stack address where it was opened: frames below it
 * stand under the phase, frames above it over it. Ending another phase than the innermost changes nothing and returns
 * false. Context: owner thread, inside.
 */
void heddle__phase_begin(struct heddle_thread *thread, uint32_t name, uintptr_t cfa);
void heddle__phase_begin_below(
	struct heddle_thread *thread, uint32_t name, uintptr_t cfa, const struct heddle_captured *opener);
bool heddle__phase_end(struct heddle_thread *thread, uint32_t name);

/*
 * A region that a source line opened, for events that tell file and line. Context: owner thread, inside.
 */
void heddle__source_region_begin(
	struct heddle_thread *thread, const struct heddle_event *event, const char *file, int line, uintptr_t cfa);

/* An activation of a function, as events tell it. */
struct heddle_activation {
	uint32_t meta;  /* of kind FRAME or FUNCTION */
	uint64_t place; /* where the function begins, or the number of its name */
	uintptr_t cfa;  /* its frame's upper end; 0: unknown */
	uint64_t call;  /* the address it returns to; 0: unknown */
	uint64_t entry; /* where its code tells of it: other for each copy that the compiler put inline; 0: unknown */
	bool outermost; /* certainly not put inline into another */
	const uint32_t *below; /* the node it stands below; NULL: what is open */
};

/*
 * Begin closes the activations that this one shows to be over (longjmp, exceptions); end closes the innermost of that
 * function and frame, and what is above it; without one it changes nothing. Context: owner thread, inside.
 */
void heddle__activation_begin(struct heddle_thread *thread, const struct heddle_activation *activation);
void heddle__activation_end(struct heddle_thread *thread, const struct heddle_activation *activation);

/* The same, when less is known. */
void heddle__function_begin(struct heddle_thread *thread, uint32_t meta, uint64_t place, uintptr_t cfa, uint64_t call);
void heddle__function_end(struct heddle_thread *thread, uint32_t meta, uint64_t place, uintptr_t cfa);

/*
 * A region below the node `parent`, which may stand elsewhere than what is open; `cfa` as of phases. Counts a visit.
 * Context: owner thread, inside.
 */
void heddle__region_begin_below(
	struct heddle_thread *thread, const struct heddle_event *event, uint32_t parent, uint64_t place, uintptr_t cfa);

/* Measured ticks of the calling thread: those while its control was off don't count. Context: owner thread, signal. */
uint64_t heddle__thread_ticks(void);

/* How a user event's end met its beginning. */
enum heddle_ending {
	HEDDLE_ENDED,       /* it was innermost */
	HEDDLE_INTERLEAVED, /* others were begun after it and are still open; it is closed, they stay */
	HEDDLE_NOT_BEGUN,   /* nothing changed */
};

/*
 * End the innermost user event of that name. `open` (or NULL) gets, when INTERLEAVED, the name's number of the user
 * event that is innermost, else UINT32_MAX. Context: owner thread, inside.
 */
enum heddle_ending heddle__user_event_end(struct heddle_thread *thread, uint32_t name, uint32_t *open);

/*
 * Switch measuring of the calling thread on or off (gasp_control). What is opened while it is off gets no visit and no
 * time until it is on again; then it stands in paths as if it had been opened on. Context: owner thread, signal.
 */
void heddle__thread_control(struct heddle_thread *thread, bool on);

/* The same, from inside. Context: owner thread, inside. */
void heddle__apply_control(struct heddle_thread *thread, bool on);

/* Count an event without duration at the current path. Context: owner thread, inside. */
static inline void heddle__event_count(struct heddle_thread *thread, const struct heddle_event *event, uint64_t place);

/*
 * The thread turns to the task `tag` (not 0), whose context is node `base`: if it is on the stack, what is above it is
 * gone; else it goes on top. `owner` is the model's, kept in the entry's place: NULL, or it begins with a struct
 * heddle_group. It happened at the measured tick `when` (0: now). Context: owner thread, inside.
 */
static inline void heddle__task_switch(
	struct heddle_thread *thread, uint64_t tag, uint32_t base, const void *owner, uint64_t when);

/* The same for one that begins, though another of that name may be on the stack: it goes on top of that. */
static inline void heddle__task_begin(
	struct heddle_thread *thread, uint64_t tag, uint32_t base, const void *owner, uint64_t when);

/* Index of a task's entry + 1; 0: it is not on the stack. Context: owner thread, signal. */
static inline uint32_t heddle__task_index(const struct heddle_thread *thread, uint64_t tag)
{
	const struct heddle_region *regions = heddle__regions(thread);
	uint32_t i = thread->task;
	while (i && regions[i - 1].tag != tag)
		i = regions[i - 1].task_below;
	return i;
}

/* That entry, or NULL. Context: owner thread, signal. */
static inline const struct heddle_region *heddle__find_task(const struct heddle_thread *thread, uint64_t tag)
{
	uint32_t found = heddle__task_index(thread, tag);
	return found ? &thread->regions[found - 1] : NULL;
}

/* The entry of the task that runs now, or NULL. Context: owner thread, signal. */
static inline const struct heddle_region *heddle__current_task(const struct heddle_thread *thread)
{
	return thread->task ? &heddle__regions(thread)[thread->task - 1] : NULL;
}

/* The node of its context, or what stands for it outside any. Context: owner thread, signal. */
static inline uint32_t heddle__task_node(const struct heddle_thread *thread)
{
	return thread->task ? thread->regions[thread->task - 1].node : thread->base;
}

/* The measured tick at which the current task's group ended; 0: it has not. Context: owner thread. */
uint64_t heddle__tasks_ended(const struct heddle_thread *thread);

/*
 * The same, and the innermost entry (NULL: none), for the writer: while measurement is frozen, the owner goes on
 * opening and closing, only that nothing counts. Context: any thread, signal, when frozen.
 */
uint64_t heddle__tasks_seen_ended(const struct heddle_thread *thread);
static inline const struct heddle_region *heddle__seen_innermost(const struct heddle_thread *thread)
{
	uint32_t depth = __atomic_load_n(&thread->depth, __ATOMIC_ACQUIRE);
	return depth ? &__atomic_load_n(&thread->regions, __ATOMIC_RELAXED)[depth - 1] : NULL;
}

/* What takes elapsed time there; NULL: samples do. */
static inline const struct heddle_slot *heddle__seen_slot(const struct heddle_thread *thread)
{
	const struct heddle_region *top = heddle__seen_innermost(thread);
	return top ? top->slot : thread->idle_slot;
}

/*
 * The task and what is above it is gone since the measured tick `when` (0: now): the time from then on is that of what
 * is innermost afterwards. Context: owner thread, inside.
 */
static inline void heddle__task_end(struct heddle_thread *thread, uint64_t tag, uint64_t when);

/*
 * The current task and what is above it is gone since the measured tick `ended`, and now another begins in its place.
 * False if nothing was done. Context: owner thread, inside.
 */
static inline bool heddle__task_replace(
	struct heddle_thread *thread, uint64_t tag, uint32_t base, const void *owner, uint64_t ended);

/* What takes elapsed time while nothing is open; NULL: nothing does. Context: owner thread, inside. */
void heddle__set_idle(struct heddle_thread *thread, struct heddle_slot *slot);

/* Charge elapsed time up to now. Context: owner thread, inside; any thread when frozen. */
void heddle__charge_elapsed(struct heddle_thread *thread, uint64_t now);

#include "core/region_inline.h"

#endif
