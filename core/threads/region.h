/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on a thread's shadow stack that open and close regions, phases, activations and held locks. Each gets its
 * node, counts a visit, and is charged elapsed time while it is innermost. An end pops the innermost open region of its
 * kind within the current task; an end without a begin changes nothing. core/threads/shadow_stack.h has the stack
 * itself.
 */
#ifndef HEDDLE_CORE_REGION_H
#define HEDDLE_CORE_REGION_H

#include "core/base/likely.h"
#include "core/threads/control.h"
#include "core/threads/elapsed.h"
#include "core/threads/frontend.h"
#include "core/threads/thread.h"
#include "core/tree/event.h"
#include "core/tree/tree.h"

/*
 * The fast paths of regions of a source line, and of phases, while the thread's control is off: only nesting is
 * recorded. False: nothing was done, and the function without `defer` must be called. Context: owner thread, inside.
 */
static inline bool heddle__defer_source_region(
	struct heddle_thread *thread, const struct heddle_event *event, const char *file, int line, uintptr_t cfa)
{
	if (!heddle__stack_has_room(&thread->stack))
		return false;
	struct heddle_region *region = heddle__stack_next(&thread->stack);
	heddle__region_set(region, HEDDLE_KIND_EVENT, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), event->state,
		(uintptr_t)file, cfa);
	heddle__region_defer(region, HEDDLE_DEFERRED_SOURCE);
	region->source_line = (uint32_t)line;
	heddle__stack_push(&thread->stack);
	return true;
}

static inline bool heddle__defer_phase(struct heddle_thread *thread, uint32_t name, uintptr_t cfa)
{
	if (!heddle__stack_has_room(&thread->stack))
		return false;
	struct heddle_region *region = heddle__stack_next(&thread->stack);
	heddle__region_set(
		region, HEDDLE_KIND_PHASE, HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0), HEDDLE_STATE_WORK, name, cfa);
	heddle__region_defer(region, HEDDLE_DEFERRED_PLACE);
	region->opener = (struct heddle_opener){0};
	heddle__stack_push(&thread->stack);
	return true;
}

/* True if a region of that event is innermost. Context: owner thread. */
static inline bool heddle__is_innermost(const struct heddle_thread *thread, const struct heddle_event *event)
{
	const struct heddle_region *top = heddle__innermost(&thread->stack);
	return top && !thread->stack.lost_depth && top->meta == HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
}

static inline bool heddle__end_deferred_region(struct heddle_thread *thread, const struct heddle_event *event)
{
	if (!heddle__is_innermost(thread, event))
		return false;
	heddle__stack_pop(&thread->stack);
	return true;
}

static inline bool heddle__end_deferred_phase(struct heddle_thread *thread, uint32_t name)
{
	const struct heddle_region *top = heddle__innermost(&thread->stack);
	if (!top || thread->stack.lost_depth || top->kind != HEDDLE_KIND_PHASE || top->place != name)
		return false;
	heddle__stack_pop(&thread->stack);
	return true;
}

/* Looks up the nodes of deferred regions; returns the innermost node. Context: owner thread, signal. */
uint32_t heddle__resolve_regions(struct heddle_thread *thread);

/* True if visits and times of this thread are counted now. Context: owner thread, signal. */
static inline bool heddle__is_counting(const struct heddle_thread *thread)
{
	return !thread->off && heddle__events_are_counted();
}

/* The parent node of new regions. Context: owner thread, signal. */
static inline uint32_t heddle__current_node(struct heddle_thread *thread)
{
	const struct heddle_region *top = heddle__innermost(&thread->stack);
	if (!top)
		return thread->base;
	return HEDDLE_UNLIKELY(top->deferred) ? heddle__resolve_regions(thread) : top->node;
}

/* Like heddle__current_node(), on the fast path, where no open region is deferred. */
static inline uint32_t heddle__fast_path_node(const struct heddle_thread *thread)
{
	const struct heddle_region *top = heddle__innermost(&thread->stack);
	return top ? top->node : thread->base;
}

/* Sets the region's node to that of `slot`, and what depends on it; adds `visits` to the slot. */
static inline void heddle__region_at_slot(struct heddle_region *region, struct heddle_slot *slot, uint64_t visits)
{
	slot->value[HEDDLE_METRIC_VISITS] += visits;
	region->node = slot->node;
	region->slot = heddle__events_give_time || region->state != HEDDLE_STATE_WORK ? slot : NULL;
	region->deferred = HEDDLE_DEFERRED_NOT;
}

/* Looks up the region's node below `parent`, adds `visits` to its slot, and returns the slot. */
static inline struct heddle_slot *heddle__resolve_region(
	struct heddle_thread *thread, struct heddle_region *region, uint32_t parent, uint64_t visits)
{
	struct heddle_slot *slot = heddle__event_slot(thread, parent, region->meta, region->place);
	heddle__region_at_slot(region, slot, visits);
	return slot;
}

/*
 * Returns the measured tick of an event without duration, which only a trace needs; 0: no trace, or not the fast path.
 * Call it before looking anything up: reading the clock takes long, and other instructions execute meanwhile.
 */
static inline uint64_t heddle__trace_ticks(const struct heddle_thread *thread)
{
	return HEDDLE_UNLIKELY(thread->special == HEDDLE_SPECIAL_TRACE) ? heddle__fast_path_ticks() : 0;
}

/*
 * Counts an event without duration in that slot, if events are counted; `when` is from heddle__trace_ticks. Control is
 * on. Context: owner thread, inside.
 */
static inline void heddle__visit_when(struct heddle_thread *thread, struct heddle_slot *slot, uint64_t when)
{
	slot->value[HEDDLE_METRIC_VISITS] += heddle__count_event(thread);
	if (heddle__is_traced(thread))
		heddle__trace_visit(thread, slot->node, when);
}

static inline void heddle__visit(struct heddle_thread *thread, struct heddle_slot *slot)
{
	heddle__visit_when(thread, slot, heddle__trace_ticks(thread));
}

/* Like heddle__visit(), for an event that may repeat many times in a row: then all have the time of the first one. */
static inline void heddle__visit_repeated(struct heddle_thread *thread, struct heddle_slot *slot)
{
	slot->value[HEDDLE_METRIC_VISITS] += heddle__count_event(thread);
	if (heddle__is_traced(thread) && !heddle__trace_repeat(thread, slot->node))
		heddle__trace_visit_repeated(thread, slot->node, heddle__trace_ticks(thread));
}

/* Like heddle__visit(), with the time of the last change of the stack. */
static inline void heddle__visit_with_change(struct heddle_thread *thread, struct heddle_slot *slot)
{
	heddle__visit_when(thread, slot, thread->last_ticks);
}

/* Like heddle__visit_when(), for an event with a number. */
static inline void heddle__visit_numbered(struct heddle_thread *thread, struct heddle_slot *slot, uint64_t when,
	enum heddle_trace_number which, uint32_t number)
{
	slot->value[HEDDLE_METRIC_VISITS] += heddle__count_event(thread);
	if (heddle__is_traced(thread))
		heddle__trace_visit_numbered(thread, slot->node, when, which, number);
}

/* ---- regions of events ---- */

/* The slow path of heddle__region_begin, also taken when there is no room. */
void heddle__region_begin_slow(struct heddle_thread *thread, const struct heddle_event *event, uint64_t place);

/*
 * Opens a region of that event as a child of the innermost one, and counts a visit. `place` is where the program opened
 * it. Context of all: owner thread, inside.
 */
__attribute__((always_inline)) static inline void heddle__region_begin(
	struct heddle_thread *thread, const struct heddle_event *event, uint64_t place)
{
	if (!HEDDLE_LIKELY(heddle__takes_fast_path(thread) && heddle__stack_has_room(&thread->stack))) {
		heddle__region_begin_slow(thread, event, place);
		return;
	}
	struct heddle_region *region = heddle__stack_next(&thread->stack);
	heddle__region_set(
		region, HEDDLE_KIND_EVENT, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), event->state, place, 0);
	heddle__resolve_region(thread, region, heddle__fast_path_node(thread), heddle__count_event(thread));
	heddle__hand_over(thread, heddle__innermost_slot(thread), region->slot);
	heddle__stack_push(&thread->stack);
	heddle__record_region(thread, region);
}

/*
 * Like heddle__region_begin(), at a known site, if the fast path may be taken. False: nothing was done, because the
 * site is not known (NULL) or there is no room; heddle__region_begin must be called.
 */
__attribute__((always_inline)) static inline bool heddle__region_begin_known(
	struct heddle_thread *thread, const struct heddle_event *event, const struct heddle_known_site *site)
{
	if (!site || !heddle__stack_has_room(&thread->stack))
		return false;
	struct heddle_region *region = heddle__stack_next(&thread->stack);
	heddle__region_set(region, HEDDLE_KIND_EVENT, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), event->state,
		site->place, 0);
	region->node = site->slot->node;
	region->slot = heddle__events_give_time || event->state != HEDDLE_STATE_WORK ? site->slot : NULL;
	site->slot->value[HEDDLE_METRIC_VISITS] += heddle__count_event(thread);
	heddle__hand_over(thread, heddle__innermost_slot(thread), region->slot);
	heddle__stack_push(&thread->stack);
	heddle__record_region(thread, region);
	return true;
}

/* True if the thread may use the two functions below. Context: owner thread, inside. */
static inline bool heddle__takes_shortest_path(const struct heddle_thread *thread)
{
	return !thread->special && heddle__running();
}

/*
 * The shortest code that opens a region which `slot` is charged for, and that closes it at the measured tick `when`,
 * which is after the last change. There must be room, and the region must be innermost. The first returns the tick of
 * the begin.
 */
static inline uint64_t heddle__region_begin_shortest(struct heddle_thread *thread, const struct heddle_event *event,
	struct heddle_slot *slot, uint64_t place, uintptr_t cfa)
{
	struct heddle_region *region = heddle__stack_next(&thread->stack);
	struct heddle_slot *before = heddle__innermost_slot(thread);
	uint64_t now = heddle__fast_path_ticks();
	region->node = slot->node;
	region->slot = slot;
	heddle__region_set(
		region, HEDDLE_KIND_EVENT, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), event->state, place, cfa);
	slot->value[HEDDLE_METRIC_VISITS]++;
	thread->counted = true;
	heddle__charge(thread, before, now);
	heddle__stack_push(&thread->stack);
	return thread->last_ticks;
}

static inline void heddle__region_end_shortest(struct heddle_thread *thread, struct heddle_slot *slot, uint64_t when)
{
	heddle__charge(thread, slot, when);
	heddle__stack_pop(&thread->stack);
}

/*
 * Ends the innermost region, of event `ended`, and begins another one in its entry, at a known site and the same tick.
 * False: nothing was done; the caller must end one and begin the other.
 */
__attribute__((always_inline)) static inline bool heddle__region_replace(struct heddle_thread *thread,
	const struct heddle_event *ended, const struct heddle_event *event, const void *address)
{
	if (!HEDDLE_LIKELY(heddle__takes_fast_path(thread) && heddle__is_innermost(thread, ended)))
		return false;
	struct heddle_region *region = heddle__region_at(&thread->stack, thread->stack.depth - 1);
	uint32_t parent = thread->stack.depth > 1 ? region[-1].node : thread->base;
	const struct heddle_known_site *site = heddle__known_site(thread, parent, event->id, address);
	if (!HEDDLE_LIKELY(site))
		return false;
	struct heddle_slot *slot = heddle__events_give_time || event->state != HEDDLE_STATE_WORK ? site->slot : NULL;
	heddle__hand_over(thread, region->slot, slot);
	site->slot->value[HEDDLE_METRIC_VISITS] += heddle__count_event(thread);
	heddle__region_set(region, HEDDLE_KIND_EVENT, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), event->state,
		site->place, region->cfa);
	region->node = site->slot->node;
	region->slot = slot;
	heddle__record_replaced(thread, region);
	return true;
}

/* Like heddle__region_replace(), below the node `parent`; `cfa` as for phases. */
__attribute__((always_inline)) static inline bool heddle__region_replace_below(struct heddle_thread *thread,
	const struct heddle_event *ended, const struct heddle_event *event, uint32_t parent, uint64_t place,
	uintptr_t cfa)
{
	if (!HEDDLE_LIKELY(heddle__takes_fast_path(thread) && heddle__is_innermost(thread, ended)))
		return false;
	struct heddle_region *region = heddle__region_at(&thread->stack, thread->stack.depth - 1);
	struct heddle_slot *before = region->slot;
	heddle__region_set(
		region, HEDDLE_KIND_EVENT, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), event->state, place, cfa);
	heddle__resolve_region(thread, region, parent, heddle__count_event(thread));
	heddle__hand_over(thread, before, region->slot);
	heddle__record_replaced(thread, region);
	return true;
}

/* Like heddle__region_replace(), for a site that the caller has looked up. False, too, if it is not known (NULL). */
__attribute__((always_inline)) static inline bool heddle__region_replace_known(struct heddle_thread *thread,
	const struct heddle_event *ended, const struct heddle_event *event, const struct heddle_known_site *site,
	uintptr_t cfa)
{
	if (!HEDDLE_LIKELY(site && heddle__takes_fast_path(thread) && heddle__is_innermost(thread, ended)))
		return false;
	struct heddle_region *region = heddle__region_at(&thread->stack, thread->stack.depth - 1);
	struct heddle_slot *before = region->slot;
	heddle__region_set(region, HEDDLE_KIND_EVENT, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), event->state,
		site->place, cfa);
	heddle__region_at_slot(region, site->slot, heddle__count_event(thread));
	heddle__hand_over(thread, before, region->slot);
	heddle__record_replaced(thread, region);
	return true;
}

/* The slow path of heddle__region_end, also taken when another region is innermost, or none. */
void heddle__region_end_slow(struct heddle_thread *thread, const struct heddle_event *event);

/* The fast path of heddle__region_end, at the measured tick `when` (0: now). False: nothing was done. */
__attribute__((always_inline)) static inline bool heddle__region_end_fast_at(
	struct heddle_thread *thread, const struct heddle_event *event, uint64_t when)
{
	uint32_t left = thread->stack.depth - 1;
	if (!HEDDLE_LIKELY(heddle__takes_fast_path(thread) && heddle__is_innermost(thread, event)))
		return false;
	heddle__hand_over_at(
		thread, heddle__region_at(&thread->stack, left)->slot, heddle__slot_at_depth(thread, left), when);
	heddle__stack_pop(&thread->stack);
	heddle__record_pop_one(thread);
	return true;
}

__attribute__((always_inline)) static inline bool heddle__region_end_fast(
	struct heddle_thread *thread, const struct heddle_event *event)
{
	return heddle__region_end_fast_at(thread, event, 0);
}

/* Closes the innermost open region of that event in the current task. */
__attribute__((always_inline)) static inline void heddle__region_end(
	struct heddle_thread *thread, const struct heddle_event *event)
{
	if (!heddle__region_end_fast(thread, event))
		heddle__region_end_slow(thread, event);
}

/* Returns the slot in which the region's visit was counted; NULL: nothing is counted now. */
static inline struct heddle_slot *heddle__counted_slot(struct heddle_thread *thread, const struct heddle_region *region)
{
	if (HEDDLE_UNLIKELY(!heddle__is_counting(thread)))
		return NULL;
	return region->slot ? region->slot : heddle__node_slot(thread, region->node);
}

/* The slow path of heddle__region_pop_at. */
struct heddle_slot *heddle__region_pop_slow(struct heddle_thread *thread, const struct heddle_event *event);

/*
 * Like heddle__region_end(), at the measured tick `when` (0: now), which is after the last change; but now if that is
 * not possible, or if the thread has a trace, which may have a later sample. Returns the slot in which the region's
 * visit was counted; NULL: no such region was open, or nothing is counted now.
 */
static inline struct heddle_slot *heddle__region_pop_at(
	struct heddle_thread *thread, const struct heddle_event *event, uint64_t when)
{
	if (!HEDDLE_LIKELY(heddle__region_end_fast_at(thread, event, heddle__is_traced(thread) ? 0 : when)))
		return heddle__region_pop_slow(thread, event);
	return heddle__counted_slot(thread, heddle__region_at(&thread->stack, thread->stack.depth));
}

static inline struct heddle_slot *heddle__region_pop(struct heddle_thread *thread, const struct heddle_event *event)
{
	return heddle__region_pop_at(thread, event, 0);
}

/*
 * Begin and end a phase, given the number of its name. `cfa` is the stack address where it was opened: frames at lower
 * addresses are inside the phase, frames at higher ones outside. Ending a phase that is not the innermost changes
 * nothing and returns false. The end of a region in which a phase was begun leaves it open. A phase's end closes what
 * is open above, except regions that are sure to end (core/tree/event.h): those stay open, in paths without the phase.
 * Begin returns the slot of the visit, or NULL. Context: owner thread, inside.
 */
struct heddle_slot *heddle__phase_begin(struct heddle_thread *thread, uint32_t name, uintptr_t cfa);
struct heddle_slot *heddle__phase_begin_below(
	struct heddle_thread *thread, uint32_t name, uintptr_t cfa, const struct heddle_captured *opener);
bool heddle__phase_end(struct heddle_thread *thread, uint32_t name);

/* Like heddle__phase_begin(), for a call by the program's code: while sampling, below the call's whole path. */
struct heddle_slot *heddle__phase_begin_from(struct heddle_thread *thread, uint32_t name, struct heddle_call call);

/*
 * Counts a phase without duration; without a pc, below the innermost entry. Returns the slot in which it was counted;
 * NULL: nothing is counted now.
 */
struct heddle_slot *heddle__phase_happens(struct heddle_thread *thread, uint32_t name, struct heddle_call call);

/* True if the functions below may open regions: the fast path may be taken, and the stack has room. */
static inline bool heddle__may_open_fast(const struct heddle_thread *thread)
{
	return HEDDLE_LIKELY(heddle__takes_fast_path(thread) && heddle__stack_has_room(&thread->stack));
}

/*
 * Opens the next entry of the stack as a region below `parent`; members specific to its kind are set already. Context:
 * as below.
 */
__attribute__((always_inline)) static inline struct heddle_slot *heddle__region_open_fast(struct heddle_thread *thread,
	enum heddle_region_kind kind, uint32_t meta, uint8_t state, uint32_t parent, uint64_t place, uintptr_t cfa)
{
	struct heddle_region *region = heddle__stack_next(&thread->stack);
	/* Look up before filling in the entry: reading back members that were just written takes ten cycles. */
	struct heddle_slot *slot = heddle__event_slot(thread, parent, meta, place);
	heddle__region_set(region, kind, meta, state, place, cfa);
	bool counts = heddle__count_event(thread);
	heddle__region_at_slot(region, slot, counts);
	heddle__hand_over(thread, heddle__innermost_slot(thread), region->slot);
	heddle__stack_push(&thread->stack);
	heddle__record_region(thread, region);
	return HEDDLE_LIKELY(counts) ? slot : NULL;
}

/* Like heddle__region_open_fast(), for an event without further members. */
__attribute__((always_inline)) static inline struct heddle_slot *heddle__region_begin_fast(
	struct heddle_thread *thread, const struct heddle_event *event, uint32_t parent, uint64_t place, uintptr_t cfa)
{
	return heddle__region_open_fast(thread, HEDDLE_KIND_EVENT, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id),
		event->state, parent, place, cfa);
}

/* The slow path of heddle__source_region_begin, also taken when there is no room. */
struct heddle_slot *heddle__source_region_begin_slow(
	struct heddle_thread *thread, const struct heddle_event *event, const char *file, int line, uintptr_t cfa);

/*
 * Opens a region of a source line, for events that report file and line. Returns the slot in which a visit was counted,
 * as all such functions do; NULL: nothing is counted now. Context: owner thread, inside.
 */
__attribute__((always_inline)) static inline struct heddle_slot *heddle__source_region_begin(
	struct heddle_thread *thread, const struct heddle_event *event, const char *file, int line, uintptr_t cfa)
{
	if (!heddle__may_open_fast(thread))
		return heddle__source_region_begin_slow(thread, event, file, line, cfa);
	uint64_t place = heddle__source_place(thread, file, line);
	return heddle__region_begin_fast(thread, event, heddle__fast_path_node(thread), place, cfa);
}

/* An activation of a function, as events report it. */
struct heddle_activation {
	uint32_t meta;           /* of kind FRAME or FUNCTION */
	uint64_t place;          /* its place or the number of its name; a place changes once its module is known */
	uint64_t function;       /* identifies it, and does not change: its address, or the number of its name */
	uintptr_t cfa;           /* of its frame; 0: unknown */
	uint64_t return_address; /* 0: unknown */
	uint64_t event_address;  /* of the call that reports it; each inlined copy has another; 0: unknown */
	bool outermost;          /* certainly not inlined into another function */
	const uint32_t *below;   /* the parent node; NULL: the innermost region's */
};

/*
 * Begin also closes activations that must have ended by then (longjmp, exceptions). End closes the innermost activation
 * of that function and frame and all above it; if there is none, it changes nothing. Context: owner thread, inside.
 */
void heddle__activation_begin(struct heddle_thread *thread, const struct heddle_activation *activation);
void heddle__activation_end(struct heddle_thread *thread, const struct heddle_activation *activation);

/*
 * The fast path of heddle__activation_begin, below an activation of the caller: `slot` is that of the new activation
 * below the caller's node, and both frames are on the thread's own stack. False: nothing was done. Context: owner
 * thread, inside.
 */
__attribute__((always_inline)) static inline bool heddle__activation_begin_known(
	struct heddle_thread *thread, const struct heddle_activation *activation, struct heddle_slot *slot)
{
	if (!HEDDLE_LIKELY(heddle__stack_has_room(&thread->stack)))
		return false;
	struct heddle_region *region = heddle__stack_next(&thread->stack);
	heddle__region_set(region, HEDDLE_KIND_ACTIVATION, activation->meta, HEDDLE_STATE_WORK, activation->place,
		activation->cfa);
	region->activation.function = activation->function;
	region->activation.return_address = activation->return_address;
	region->activation.event_address = activation->event_address;
	heddle__region_at_slot(region, slot, heddle__count_event(thread));
	heddle__hand_over(thread, heddle__innermost_slot(thread), region->slot);
	heddle__stack_push(&thread->stack);
	heddle__record_region(thread, region);
	return true;
}

/*
 * The fast paths of heddle__activation_begin and _end while the thread's control is off; `activation` as for
 * heddle__activation_begin_known. False: nothing was done. Context: owner thread, inside.
 */
static inline bool heddle__defer_activation(struct heddle_thread *thread, const struct heddle_activation *activation)
{
	if (!heddle__stack_has_room(&thread->stack) || thread->stack.lost_depth)
		return false;
	struct heddle_region *region = heddle__stack_next(&thread->stack);
	heddle__region_set(region, HEDDLE_KIND_ACTIVATION, activation->meta, HEDDLE_STATE_WORK, activation->place,
		activation->cfa);
	heddle__region_defer(region, HEDDLE_DEFERRED_PLACE);
	region->activation.function = activation->function;
	region->activation.return_address = activation->return_address;
	region->activation.event_address = activation->event_address;
	heddle__stack_push(&thread->stack);
	return true;
}

static inline bool heddle__end_deferred_activation(struct heddle_thread *thread, uint64_t function, uintptr_t cfa)
{
	const struct heddle_region *top = heddle__innermost(&thread->stack);
	if (!top || thread->stack.lost_depth || top->kind != HEDDLE_KIND_ACTIVATION || !top->deferred ||
		top->cfa != cfa || top->activation.function != function)
		return false;
	heddle__stack_pop(&thread->stack);
	return true;
}

/* Returns the innermost entry if it is an activation and the fast path may be taken, else NULL. */
static inline const struct heddle_region *heddle__fast_path_activation(const struct heddle_thread *thread)
{
	const struct heddle_region *top = heddle__innermost(&thread->stack);
	bool is_fast = heddle__takes_fast_path(thread) && !thread->stack.lost_depth;
	return HEDDLE_LIKELY(is_fast && top && top->kind == HEDDLE_KIND_ACTIVATION) ? top : NULL;
}

/* The slow path of heddle__region_begin_below. */
struct heddle_slot *heddle__region_begin_below_slow(
	struct heddle_thread *thread, const struct heddle_event *event, uint32_t parent, uint64_t place, uintptr_t cfa);

/*
 * Opens a region below the node `parent`, which may be any node; `cfa` is as for phases. Counts a visit. Context:
 * owner thread, inside.
 */
static inline struct heddle_slot *heddle__region_begin_below(
	struct heddle_thread *thread, const struct heddle_event *event, uint32_t parent, uint64_t place, uintptr_t cfa)
{
	if (!heddle__may_open_fast(thread))
		return heddle__region_begin_below_slow(thread, event, parent, place, cfa);
	return heddle__region_begin_fast(thread, event, parent, place, cfa);
}

/*
 * Like heddle__region_begin_below(), for a reported region: a procedure of a run-time system, called by `reporter`,
 * reports it; after that procedure has returned, the region is open in its caller.
 */
struct heddle_slot *heddle__reported_region_begin_below(struct heddle_thread *thread, const struct heddle_event *event,
	uint64_t place, uintptr_t cfa, const struct heddle_captured *reporter);

/*
 * Opens the region of an access to a shared variable, at the OBJECT node below its own: `object` is the number of a
 * string. `reporter` as above; NULL: below the innermost region.
 */
struct heddle_slot *heddle__access_region_begin(struct heddle_thread *thread, const struct heddle_event *event,
	uint64_t place, uintptr_t cfa, const struct heddle_captured *reporter, uint32_t object);

/* Like heddle__access_region_begin(), below the node `parent`. */
struct heddle_slot *heddle__access_region_begin_below(struct heddle_thread *thread, const struct heddle_event *event,
	uint32_t parent, uint64_t place, uintptr_t cfa, uint32_t object);

/*
 * Like heddle__region_begin_below(), for a wait in a run-time system that the code `from` called: the region has no
 * stack address, and records that code for the block or lock that follows the wait (heddle__waiting_code).
 */
void heddle__wait_begin_below(struct heddle_thread *thread, const struct heddle_event *event, uint64_t place,
	const struct heddle_captured *from);

/*
 * Like heddle__wait_begin_below(), at a known site below that code's node. False: nothing was done, because the site is
 * not known (NULL) or this is not the fast path; heddle__wait_begin_below must be called.
 */
static inline bool heddle__wait_begin_known(struct heddle_thread *thread, const struct heddle_event *event,
	const struct heddle_known_site *site, const struct heddle_captured *from)
{
	if (!HEDDLE_LIKELY(site && heddle__takes_fast_path(thread) && heddle__stack_has_room(&thread->stack)))
		return false;
	struct heddle_region *region = heddle__stack_next(&thread->stack);
	heddle__region_set(region, HEDDLE_KIND_WAIT, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), event->state,
		site->place, 0);
	region->wait.frame_end = from->end;
	region->wait.opener = (struct heddle_opener){from->caller_place, from->caller_end};
	heddle__region_at_slot(region, site->slot, heddle__count_event(thread));
	heddle__hand_over(thread, heddle__innermost_slot(thread), region->slot);
	heddle__stack_push(&thread->stack);
	heddle__record_region(thread, region);
	return true;
}

/* Returns what an open wait records: its parent node, the frame's end and the opener; other members are 0. */
static inline struct heddle_captured heddle__waiting_code(const struct heddle_region *wait)
{
	struct heddle_captured from = {.node = heddle__tree_node(wait->node)->parent};
	if (wait->kind == HEDDLE_KIND_WAIT) {
		from.end = wait->wait.frame_end;
		from.caller_place = wait->wait.opener.caller_place;
		from.caller_end = wait->wait.opener.caller_end;
	}
	return from;
}

/*
 * Like heddle__region_begin_below(), for a block of code that runs in `opener`'s frame, whose end is known. If its
 * procedure ends in a tail call, the called procedure is in the block, too.
 */
void heddle__block_begin_below(struct heddle_thread *thread, const struct heddle_event *event, uint64_t place,
	const struct heddle_captured *opener);

/*
 * A held lock is a region of an event marked by heddle__event_means_held_lock. It is begun like others; then
 * heddle__hold_lock records which lock it is (region NULL: it was not pushed) and where the function that acquired the
 * lock was called. It is closed only with the task, not with the regions around it: a function may return, and a loop
 * or phase end, while a lock is held. Context: owner thread, inside.
 */
static inline uint32_t heddle__lock_name(uint64_t lock)
{
	return (uint32_t)(lock ^ lock >> 32);
}

static inline void heddle__hold_lock(struct heddle_region *region, uint64_t lock, struct heddle_opener opener)
{
	if (!region || region->deferred == HEDDLE_DEFERRED_SOURCE)
		return;
	region->kind = HEDDLE_KIND_LOCK;
	region->lock.name = heddle__lock_name(lock);
	region->lock.opener = opener;
}

/* True if the region is the held lock `lock`. */
static inline bool heddle__holds(const struct heddle_region *region, uint64_t lock)
{
	return region->kind == HEDDLE_KIND_LOCK && region->lock.name == heddle__lock_name(lock);
}

/* True if a region is a held lock. Context: owner thread, signal. */
bool heddle__is_held_lock(const struct heddle_region *region);

/*
 * True if the region is a held lock or a phase (or user event): these stay open when the region or function in which
 * they were begun ends, until the program ends them or their task ends. Context: owner thread, signal.
 */
bool heddle__outlives_regions(const struct heddle_region *region);

/*
 * Closes the region, of that event, of a lock that was released; those above it stay open, in paths without it. False:
 * the current task has no such region. Context: owner thread, inside.
 */
bool heddle__release_lock(struct heddle_thread *thread, const struct heddle_event *event, uint64_t lock);

/* How the end of a user event matched its begin. */
enum heddle_ending {
	HEDDLE_ENDED,       /* it was innermost */
	HEDDLE_INTERLEAVED, /* events that began after it are still open; it is closed, they stay */
	HEDDLE_NOT_BEGUN,   /* nothing changed */
};

/*
 * Ends the innermost user event of that name, like a phase. If INTERLEAVED, `*open` (unless NULL) is set to the number
 * of the name of the innermost user event, else to UINT32_MAX. `*slot` (unless NULL) is set to the event's slot; NULL:
 * nothing is counted now. Context: owner thread, inside.
 */
enum heddle_ending heddle__user_event_end(
	struct heddle_thread *thread, uint32_t name, uint32_t *open, struct heddle_slot **slot);

/*
 * Switches measurement of the calling thread on or off (gasp_control). Regions opened while it is off get no visit, and
 * no time until it is on again; then paths contain them normally. Context: owner thread, signal.
 */
void heddle__thread_control(struct heddle_thread *thread, bool on);

/* Like heddle__thread_control(), called while inside. Context: owner thread, inside. */
void heddle__apply_control(struct heddle_thread *thread, bool on);

/* Counts an event without duration at the current path. Context: owner thread, inside. */
__attribute__((always_inline)) static inline void heddle__event_count(
	struct heddle_thread *thread, const struct heddle_event *event, uint64_t place)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	if (heddle__is_counting(thread))
		heddle__visit(thread, heddle__event_slot(thread, heddle__current_node(thread), meta, place));
}

#endif
