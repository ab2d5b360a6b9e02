/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slow path of regions: control off, listeners, no room, ends that match no region or not the innermost one. Runs
 * in signal handlers; must allocate only through heddle__map.
 */
#include "core/threads/region.h"
#include "core/base/likely.h"

#include "core/threads/control.h"
#include "core/threads/task.h"
#include "core/threads/thread.h"
#include "core/tree/tree.h"

/* Pushes an entry while control is off: nothing is looked up, and the entry has only what resolving needs later. */
static inline void defer(struct heddle_thread *thread, struct heddle_region *region)
{
	heddle__region_defer(region, HEDDLE_DEFERRED_PLACE);
	heddle__push(thread, region, 0);
}

/* These return the slot in which a visit was counted; NULL: no visit was counted. */
static inline struct heddle_slot *begin_below(
	struct heddle_thread *thread, struct heddle_region *region, uint32_t parent)
{
	bool counts = heddle__count_event(thread);
	struct heddle_slot *slot = heddle__resolve_region(thread, region, parent, counts);
	heddle__push(thread, region, 0);
	return counts ? slot : NULL;
}

static inline struct heddle_slot *open_below(
	struct heddle_thread *thread, struct heddle_region *region, uint32_t parent)
{
	if (!thread->off)
		return begin_below(thread, region, parent);
	defer(thread, region);
	return NULL;
}

static inline struct heddle_slot *begin(struct heddle_thread *thread, struct heddle_region *region)
{
	if (!thread->off)
		return begin_below(thread, region, heddle__current_node(thread));
	defer(thread, region);
	return NULL;
}

/* Records that the entries from `index` on have changed. */
static void record_change(struct heddle_thread *thread, uint32_t index)
{
	if (heddle__is_traced(thread) && !thread->off)
		heddle__trace_stack(thread, index);
}

bool heddle__is_held_lock(const struct heddle_region *region)
{
	return HEDDLE_META_KIND(region->meta) == HEDDLE_NODE_REGION &&
	       heddle__event_is_held_lock(HEDDLE_META_EVENT(region->meta));
}

bool heddle__outlives_regions(const struct heddle_region *region)
{
	return region->kind == HEDDLE_KIND_PHASE || heddle__is_held_lock(region);
}

/* True if the end of a phase does not close the region, because its own end always comes. */
static bool outlives_phases(const struct heddle_region *region)
{
	return HEDDLE_META_KIND(region->meta) == HEDDLE_NODE_REGION &&
	       heddle__event_is_sure_to_end(HEDDLE_META_EVENT(region->meta));
}

static bool stays_always(const struct heddle_region *region)
{
	(void)region;
	return true;
}

#define LONGEST_CHANGE 64

/*
 * Returns the node of the same path without its innermost element with that meta and place; the node itself if there is
 * none within LONGEST_CHANGE elements.
 */
static uint32_t node_without(uint32_t node, uint32_t meta, uint64_t place)
{
	uint32_t above[LONGEST_CHANGE], count = 0;
	uint32_t at = node;
	while (at && (heddle__tree_node(at)->meta != meta || heddle__tree_node(at)->place != place)) {
		if (count == LONGEST_CHANGE)
			return node;
		above[count++] = at;
		at = heddle__tree_node(at)->parent;
	}
	if (!at)
		return node;
	uint32_t made = heddle__tree_node(at)->parent;
	while (count) {
		const struct heddle_node *copied = heddle__tree_node(above[--count]);
		made = heddle__tree_child(made, copied->meta, copied->place);
	}
	return made;
}

/* Returns the node of an entry that stays, without the regions around it that end. Functions stay in the path. */
static uint32_t node_after(const struct heddle_shadow_stack *stack, uint32_t index, uint32_t staying,
	bool (*stays)(const struct heddle_region *))
{
	uint32_t node = heddle__region_at(stack, staying)->node;
	for (uint32_t i = staying; i-- > index;) {
		const struct heddle_region *around = heddle__region_at(stack, i);
		bool ends = (i == index || !stays(around)) && around->kind != HEDDLE_KIND_ACTIVATION;
		if (ends && !around->deferred)
			node = node_without(node, around->meta, around->place);
	}
	return node;
}

/*
 * The entry at `index` and those above it end. Changes the paths of those among them that stay. Elapsed time has been
 * charged.
 */
static void leave_ended(struct heddle_thread *thread, uint32_t index, bool (*stays)(const struct heddle_region *))
{
	for (uint32_t i = index + 1; i < thread->stack.depth; i++) {
		struct heddle_region *region = heddle__region_at(&thread->stack, i);
		if (region->deferred || !stays(region))
			continue;
		region->node = node_after(&thread->stack, index, i, stays);
		region->slot = region->slot ? heddle__slot(thread, region->node) : NULL;
	}
}

/*
 * Closes the entry at `index` and those above it, except those that stay. These stay open in the surrounding code, in a
 * frame that begins at `cfa` (0: in their own), in paths without the regions that ended.
 */
static void cut_but(
	struct heddle_thread *thread, uint32_t index, uintptr_t cfa, bool (*stays)(const struct heddle_region *))
{
	bool is_innermost = index + 1 == heddle__open_count(&thread->stack);
	if (HEDDLE_LIKELY(is_innermost) && heddle__pop_fast(thread))
		return;
	if (is_innermost || !heddle__stack_staying(&thread->stack, index, stays)) {
		heddle__pop_to(thread, index, 0);
		return;
	}
	heddle__charge_before_change(thread);
	leave_ended(thread, index, stays);
	heddle__stack_take_out_but(&thread->stack, index, cfa, stays);
	record_change(thread, index);
}

uint32_t heddle__resolve_regions(struct heddle_thread *thread)
{
	uint32_t parent = thread->base;
	for (uint32_t i = 0; i < thread->stack.depth; i++) {
		struct heddle_region *region = heddle__region_at(&thread->stack, i);
		if (region->deferred == HEDDLE_DEFERRED_SOURCE)
			region->place =
				heddle__source_place(thread, (const char *)region->place, (int)region->source_line);
		if (region->deferred)
			heddle__resolve_region(thread, region, parent, 0);
		parent = region->node;
	}
	return parent;
}

/* Applied by heddle__leave, here or in the interrupted code, so the last request is the one that takes effect. */
void heddle__thread_control(struct heddle_thread *thread, bool on)
{
	heddle__enter(thread);
	heddle__want(thread, on ? HEDDLE_WANTED_ON : HEDDLE_WANTED_OFF, HEDDLE_WANTED_ON | HEDDLE_WANTED_OFF);
	heddle__leave(thread);
}

void heddle__apply_control(struct heddle_thread *thread, bool on)
{
	if (on != thread->off)
		return;
	uint64_t now = heddle__tick_of_switch(thread, on);
	if (on) {
		heddle__resolve_regions(thread);
		heddle__resume_elapsed(thread, now);
	} else {
		heddle__stop_elapsed(thread, now);
	}
}

/* Returns the next entry, filled in for a region of that event; members specific to its kind are still to be set. */
static inline struct heddle_region *next_event(struct heddle_thread *thread, enum heddle_region_kind kind,
	const struct heddle_event *event, uint64_t place, uintptr_t cfa)
{
	struct heddle_region *region = heddle__next_entry(thread);
	heddle__region_set(region, kind, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), event->state, place, cfa);
	return region;
}

static inline struct heddle_opener opener_in(const struct heddle_captured *captured)
{
	return (struct heddle_opener){captured->caller_place, captured->caller_end};
}

void heddle__region_begin_slow(struct heddle_thread *thread, const struct heddle_event *event, uint64_t place)
{
	struct heddle_region *region = next_event(thread, HEDDLE_KIND_EVENT, event, place, 0);
	begin(thread, region);
}

struct heddle_slot *heddle__region_begin_below_slow(
	struct heddle_thread *thread, const struct heddle_event *event, uint32_t parent, uint64_t place, uintptr_t cfa)
{
	return open_below(thread, next_event(thread, HEDDLE_KIND_EVENT, event, place, cfa), parent);
}

__attribute__((noinline)) static struct heddle_slot *reported_region_begin_slow(struct heddle_thread *thread,
	const struct heddle_event *event, uint64_t place, uintptr_t cfa, const struct heddle_captured *reporter)
{
	struct heddle_region *region = next_event(thread, HEDDLE_KIND_REPORTED, event, place, cfa);
	region->opener = opener_in(reporter);
	return open_below(thread, region, reporter->node);
}

struct heddle_slot *heddle__reported_region_begin_below(struct heddle_thread *thread, const struct heddle_event *event,
	uint64_t place, uintptr_t cfa, const struct heddle_captured *reporter)
{
	if (!heddle__may_open_fast(thread))
		return reported_region_begin_slow(thread, event, place, cfa, reporter);
	heddle__stack_next(&thread->stack)->opener = opener_in(reporter);
	return heddle__region_open_fast(thread, HEDDLE_KIND_REPORTED, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id),
		event->state, reporter->node, place, cfa);
}

static struct heddle_slot *open_access(
	struct heddle_thread *thread, struct heddle_region *region, uint32_t parent, uint64_t place, uint32_t object)
{
	if (thread->off) {
		defer(thread, region);
		return NULL;
	}
	uint32_t below = heddle__event_slot(thread, parent, region->meta, place)->node;
	struct heddle_slot *slot = heddle__event_slot(thread, below, HEDDLE_NODE_META(HEDDLE_NODE_OBJECT, 0), object);
	bool counts = heddle__count_event(thread);
	slot->value[HEDDLE_METRIC_VISITS] += counts;
	region->node = slot->node;
	region->slot = heddle__events_give_time || region->state != HEDDLE_STATE_WORK ? slot : NULL;
	region->deferred = HEDDLE_DEFERRED_NOT;
	heddle__push(thread, region, 0);
	return counts ? slot : NULL;
}

struct heddle_slot *heddle__access_region_begin(struct heddle_thread *thread, const struct heddle_event *event,
	uint64_t place, uintptr_t cfa, const struct heddle_captured *reporter, uint32_t object)
{
	enum heddle_region_kind kind = reporter ? HEDDLE_KIND_REPORTED : HEDDLE_KIND_EVENT;
	struct heddle_region *region = next_event(thread, kind, event, place, cfa);
	if (reporter)
		region->opener = opener_in(reporter);
	return open_access(thread, region, reporter ? reporter->node : heddle__current_node(thread), place, object);
}

struct heddle_slot *heddle__access_region_begin_below(struct heddle_thread *thread, const struct heddle_event *event,
	uint32_t parent, uint64_t place, uintptr_t cfa, uint32_t object)
{
	return open_access(thread, next_event(thread, HEDDLE_KIND_EVENT, event, place, cfa), parent, place, object);
}

void heddle__wait_begin_below(struct heddle_thread *thread, const struct heddle_event *event, uint64_t place,
	const struct heddle_captured *from)
{
	struct heddle_region *region = next_event(thread, HEDDLE_KIND_WAIT, event, place, 0);
	region->wait.frame_end = from->end;
	region->wait.opener = opener_in(from);
	open_below(thread, region, from->node);
}

void heddle__block_begin_below(struct heddle_thread *thread, const struct heddle_event *event, uint64_t place,
	const struct heddle_captured *opener)
{
	const struct heddle_procedure *procedure = &opener->procedure;
	enum heddle_region_kind kind = procedure->size ? HEDDLE_KIND_BLOCK : HEDDLE_KIND_EVENT;
	uintptr_t cfa = heddle__cfa_in_frame(opener->end);
	struct heddle_region *region = heddle__next_entry(thread);
	if (kind == HEDDLE_KIND_BLOCK) {
		region->block.code_place = procedure->place;
		region->block.code_size = procedure->size;
		region->block.caller_place = opener->caller_place;
	}
	if (heddle__may_open_fast(thread))
		heddle__region_open_fast(thread, kind, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), event->state,
			opener->node, place, cfa);
	else
		open_below(thread, next_event(thread, kind, event, place, cfa), opener->node);
}

struct heddle_slot *heddle__source_region_begin_slow(
	struct heddle_thread *thread, const struct heddle_event *event, const char *file, int line, uintptr_t cfa)
{
	if (thread->off && heddle__defer_source_region(thread, event, file, line, cfa))
		return NULL;
	return begin(
		thread, next_event(thread, HEDDLE_KIND_EVENT, event, heddle__source_place(thread, file, line), cfa));
}

/* Ends a lost region, which has no entry. False: none is lost. */
static bool end_lost(struct heddle_thread *thread)
{
	if (!thread->stack.lost_depth)
		return false;
	thread->stack.lost_depth--;
	return true;
}

/* Pops the innermost region of that event and copies it to `over`. False: no open one has an entry. */
static bool pop_event(struct heddle_thread *thread, const struct heddle_event *event, struct heddle_region *over)
{
	if (end_lost(thread))
		return false;
	uint32_t found = heddle__find_open(&thread->stack, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id));
	if (!found)
		return false;
	*over = *heddle__region_at(&thread->stack, found - 1);
	cut_but(thread, found - 1, 0, heddle__outlives_regions);
	return true;
}

void heddle__region_end_slow(struct heddle_thread *thread, const struct heddle_event *event)
{
	struct heddle_region over;
	pop_event(thread, event, &over);
}

struct heddle_slot *heddle__region_pop_slow(struct heddle_thread *thread, const struct heddle_event *event)
{
	struct heddle_region over;
	return pop_event(thread, event, &over) ? heddle__counted_slot(thread, &over) : NULL;
}

/* Returns the next entry, filled in for a phase. */
static struct heddle_region *next_phase(
	struct heddle_thread *thread, uint32_t name, uintptr_t cfa, struct heddle_opener opener)
{
	struct heddle_region *region = heddle__next_entry(thread);
	heddle__region_set(
		region, HEDDLE_KIND_PHASE, HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0), HEDDLE_STATE_WORK, name, cfa);
	region->opener = opener;
	return region;
}

struct heddle_slot *heddle__phase_begin(struct heddle_thread *thread, uint32_t name, uintptr_t cfa)
{
	return begin(thread, next_phase(thread, name, cfa, (struct heddle_opener){0}));
}

struct heddle_slot *heddle__phase_begin_below(
	struct heddle_thread *thread, uint32_t name, uintptr_t cfa, const struct heddle_captured *opener)
{
	if (!heddle__may_open_fast(thread))
		return begin_below(thread, next_phase(thread, name, cfa, opener_in(opener)), opener->node);
	heddle__stack_next(&thread->stack)->opener = opener_in(opener);
	return heddle__region_open_fast(thread, HEDDLE_KIND_PHASE, HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0),
		HEDDLE_STATE_WORK, opener->node, name, cfa);
}

struct heddle_slot *heddle__phase_begin_from(struct heddle_thread *thread, uint32_t name, struct heddle_call call)
{
	uintptr_t sp = call.sp; /* frames of later calls by the caller are below this */
	if (!heddle__capture || thread->off)
		return heddle__phase_begin(thread, name, sp);
	struct heddle_captured found = heddle__caller_path(thread, call.pc, sp, call.bp);
	return heddle__phase_begin_below(thread, name, found.end > sp ? heddle__cfa_in_frame(found.end) : sp, &found);
}

struct heddle_slot *heddle__phase_happens(struct heddle_thread *thread, uint32_t name, struct heddle_call call)
{
	if (!heddle__is_counting(thread))
		return NULL;
	uint32_t parent = heddle__capture && call.pc ? heddle__caller_path(thread, call.pc, call.sp, call.bp).node
						     : heddle__current_node(thread);
	struct heddle_slot *slot = heddle__event_slot(thread, parent, HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0), name);
	heddle__visit(thread, slot);
	return slot;
}

bool heddle__phase_end(struct heddle_thread *thread, uint32_t name)
{
	if (end_lost(thread))
		return true;
	uint32_t found = heddle__find_open(&thread->stack, HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0));
	if (!found || heddle__region_at(&thread->stack, found - 1)->place != name)
		return false;
	cut_but(thread, found - 1, 0, outlives_phases);
	return true;
}

/* Closes the region of a lock that is not innermost: those above it stay open, in paths without it. */
static void take_out_lock(struct heddle_thread *thread, uint32_t index)
{
	heddle__charge_before_change(thread);
	leave_ended(thread, index, stays_always);
	heddle__stack_take_out(&thread->stack, index);
	record_change(thread, index);
}

bool heddle__release_lock(struct heddle_thread *thread, const struct heddle_event *event, uint64_t lock)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	const struct heddle_region *region = heddle__innermost_of_task(&thread->stack);
	while (region && (region->meta != meta || !heddle__holds(region, lock)))
		region = heddle__around(&thread->stack, region);
	if (!region) {
		end_lost(thread);
		return false;
	}
	uint32_t index = heddle__index_of(&thread->stack, region);
	if (region == heddle__innermost(&thread->stack) && !thread->stack.lost_depth)
		heddle__pop_to(thread, index, 0);
	else
		take_out_lock(thread, index);
	return true;
}

/* If the event is interleaved, the innermost region stays the same, so no time is charged. */
static enum heddle_ending end_user_event(struct heddle_thread *thread, uint32_t index, bool interleaved)
{
	if (interleaved) {
		heddle__stack_take_out(&thread->stack, index);
		record_change(thread, index);
	} else {
		cut_but(thread, index, 0, outlives_phases);
	}
	return interleaved ? HEDDLE_INTERLEAVED : HEDDLE_ENDED;
}

enum heddle_ending heddle__user_event_end(
	struct heddle_thread *thread, uint32_t name, uint32_t *open, struct heddle_slot **slot)
{
	uint32_t innermost = UINT32_MAX;
	if (slot)
		*slot = NULL;
	if (end_lost(thread))
		return HEDDLE_ENDED;
	for (const struct heddle_region *region = heddle__innermost_of_task(&thread->stack); region;
		region = heddle__around(&thread->stack, region)) {
		if (region->kind != HEDDLE_KIND_PHASE)
			continue;
		if (region->place == name) {
			if (open)
				*open = innermost;
			if (slot)
				*slot = heddle__counted_slot(thread, region);
			return end_user_event(
				thread, heddle__index_of(&thread->stack, region), innermost != UINT32_MAX);
		}
		if (innermost == UINT32_MAX)
			innermost = (uint32_t)region->place;
	}
	return HEDDLE_NOT_BEGUN;
}

static bool is_on_stack(const struct heddle_thread *thread, uintptr_t cfa)
{
	return cfa > thread->stack_low && cfa <= thread->stack_high;
}

/* For activations with the same CFA: the open one has ended, unless the new one was inlined into it. */
static bool is_over_in_frame(const struct heddle_region *open, const struct heddle_activation *next)
{
	if (open->activation.return_address != next->return_address || next->outermost)
		return true;
	return open->activation.event_address && next->event_address
		       ? open->activation.event_address == next->event_address
		       : open->activation.function == next->function;
}

/*
 * Stacks grow down, so an activation whose CFA is below the new one's has ended. A signal handler's activation on
 * another stack interrupts those on the thread's own stack; it has ended if an activation begins on the latter again.
 */
static bool is_over(
	const struct heddle_thread *thread, const struct heddle_region *open, const struct heddle_activation *next)
{
	bool on_stack = is_on_stack(thread, next->cfa);
	if (is_on_stack(thread, open->cfa) != on_stack)
		return on_stack;
	if (open->cfa != next->cfa)
		return open->cfa < next->cfa;
	return is_over_in_frame(open, next);
}

/* Returns the number of entries that are still open when that activation begins. */
static uint32_t living_depth(const struct heddle_thread *thread, const struct heddle_activation *next)
{
	uint32_t depth = heddle__open_count(&thread->stack);
	const struct heddle_region *region = next->cfa ? heddle__innermost_of_task(&thread->stack) : NULL;
	for (; region; region = heddle__around(&thread->stack, region)) {
		if (region->kind != HEDDLE_KIND_ACTIVATION || !region->cfa)
			continue;
		if (!is_over(thread, region, next))
			break;
		depth = heddle__index_of(&thread->stack, region);
	}
	return depth;
}

/* A signal handler may begin in a barrier that has ended with its team, although no event has reported that yet. */
__attribute__((noinline, cold)) static void charge_ended_tasks(struct heddle_thread *thread)
{
	uint64_t ended = heddle__tasks_ended(thread);
	if (ended && !thread->off)
		heddle__charge_idle(thread, ended, heddle__measured_ticks());
}

void heddle__activation_begin(struct heddle_thread *thread, const struct heddle_activation *activation)
{
	const struct heddle_region *around = heddle__innermost(&thread->stack);
	if (HEDDLE_UNLIKELY(around && around->state != HEDDLE_STATE_WORK))
		charge_ended_tasks(thread);
	uint32_t depth = living_depth(thread, activation);
	if (depth < heddle__open_count(&thread->stack))
		cut_but(thread, depth, activation->cfa, heddle__is_held_lock);
	struct heddle_region *region = heddle__next_entry(thread);
	heddle__region_set(region, HEDDLE_KIND_ACTIVATION, activation->meta, HEDDLE_STATE_WORK, activation->place,
		activation->cfa);
	region->activation.function = activation->function;
	region->activation.return_address = activation->return_address;
	region->activation.event_address = activation->event_address;
	if (activation->below && !thread->off)
		begin_below(thread, region, *activation->below);
	else
		begin(thread, region);
}

/* Returns the innermost activation of that function and frame, or NULL. */
static const struct heddle_region *find_activation(
	const struct heddle_thread *thread, const struct heddle_activation *activation)
{
	const struct heddle_region *region = heddle__innermost_of_task(&thread->stack);
	for (; region; region = heddle__around(&thread->stack, region)) {
		bool same_frame = region->cfa == activation->cfa || !region->cfa || !activation->cfa;
		if (region->meta == activation->meta && region->activation.function == activation->function &&
			same_frame)
			return region;
	}
	return NULL;
}

/*
 * Lost activations have no entry, so their functions are not known. An end without a frame is assumed to belong to a
 * lost activation; an end with a frame belongs to one if no entry has that frame.
 */
void heddle__activation_end(struct heddle_thread *thread, const struct heddle_activation *activation)
{
	bool is_lost = thread->stack.lost_depth && !activation->cfa;
	const struct heddle_region *found = is_lost ? NULL : find_activation(thread, activation);
	if (found)
		cut_but(thread, heddle__index_of(&thread->stack, found), activation->cfa, heddle__outlives_regions);
	else
		end_lost(thread);
}
