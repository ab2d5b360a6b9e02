/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/region.h"

#include <stddef.h>
#include <string.h>

#include "core/control.h"
#include "core/counting.h"
#include "core/memory.h"
#include "core/peek.h"
#include "core/thread.h"
#include "core/tree.h"

bool heddle__events_give_time;

#define NO_NODE UINT32_MAX

static inline struct heddle_slot *top_slot(const struct heddle_thread *thread)
{
	return thread->off ? NULL : heddle__slot_at_depth(thread, thread->depth);
}

void heddle__charge_elapsed(struct heddle_thread *thread, uint64_t now)
{
	heddle__charge(thread, top_slot(thread), now);
}

/* The tick at which the stack is cut to that depth: `when`, or (0) now; or at which a region goes on top of it. */
static inline uint64_t tick_of_cut(struct heddle_thread *thread, uint32_t depth, uint64_t when)
{
	if (__builtin_expect(heddle__blames, 0))
		return heddle__blame_cut(thread, depth, when);
	return when ? when : heddle__measured_ticks();
}

static inline uint64_t tick_of_push(struct heddle_thread *thread, const struct heddle_region *region, uint64_t when)
{
	if (__builtin_expect(heddle__blames, 0))
		return heddle__blame_push(thread, region, when);
	return when ? when : heddle__measured_ticks();
}

/* Twice the room. A signal handler meanwhile sees the old block or the new one, both whole. */
static bool grow(struct heddle_thread *thread)
{
	size_t size = thread->region_room * sizeof(*thread->regions);
	struct heddle_region *larger = thread->region_room < HEDDLE_REGION_LIMIT ? heddle__map(2 * size) : NULL;
	if (!larger)
		return false;
	memcpy(larger, thread->regions, size);
	atomic_signal_fence(memory_order_seq_cst);
	thread->regions = larger;
	thread->region_room *= 2;
	return true;
}

/*
 * The entry that will be innermost next, for the caller to fill in place: copying a fresh one stalls the processor. Too
 * deep, it is one that will not be kept.
 */
static inline struct heddle_region *next_entry(struct heddle_thread *thread)
{
	if (__builtin_expect(thread->depth == thread->region_room, 0) && !grow(thread))
		return &thread->lost_region;
	return &thread->regions[thread->depth];
}

/* The entry is whole: since `when` (0: now) it is innermost. */
static inline void push(struct heddle_thread *thread, const struct heddle_region *region, uint64_t when)
{
	if (__builtin_expect(region == &thread->lost_region, 0)) {
		thread->lost_depth++;
		return;
	}
	heddle__count_opener(thread, region);
	if (!thread->off && (top_slot(thread) || region->slot))
		heddle__charge_elapsed(thread, tick_of_push(thread, region, when));
	atomic_signal_fence(memory_order_seq_cst);
	thread->depth++;
}

/* Cut the stack; time since `when` (0: now) is that of what is innermost afterwards. */
static void cut(struct heddle_thread *thread, uint32_t depth, uint64_t when)
{
	heddle__count_innermost(thread);
	if (!thread->off && (top_slot(thread) || heddle__slot_at_depth(thread, depth)))
		heddle__charge_elapsed(thread, tick_of_cut(thread, depth, when));
	thread->lost_depth = 0;
	thread->depth = depth;
	while (thread->task > depth)
		thread->task = thread->regions[thread->task - 1].task_below;
}

/* While control is off nothing is looked up: only what resolving will need is kept. */
static inline void defer(struct heddle_thread *thread, struct heddle_region *region)
{
	region->tag = 0;
	region->node = NO_NODE;
	region->slot = NULL;
	region->deferred = HEDDLE_DEFERRED_PLACE;
	push(thread, region, 0);
}

static inline void begin_below(struct heddle_thread *thread, struct heddle_region *region, uint32_t parent)
{
	heddle__settle(thread, region, parent, heddle__events_count());
	region->tag = 0;
	push(thread, region, 0);
}

static inline void begin(struct heddle_thread *thread, struct heddle_region *region)
{
	if (thread->off)
		defer(thread, region);
	else
		begin_below(thread, region, heddle__current_node(thread));
}

uint32_t heddle__resolve_regions(struct heddle_thread *thread)
{
	uint32_t parent = thread->base;
	for (uint32_t i = 0; i < thread->depth; i++) {
		struct heddle_region *region = &thread->regions[i];
		if (region->deferred == HEDDLE_DEFERRED_SOURCE)
			region->place = heddle__source_place(thread, (const char *)region->place, (int)region->line);
		if (region->deferred)
			heddle__settle(thread, region, parent, 0);
		parent = region->node;
	}
	return parent;
}

uint64_t heddle__thread_ticks(void)
{
	const struct heddle_thread *thread = heddle__thread_self();
	uint64_t now = heddle__measured_ticks();
	if (!thread)
		return now;
	return (thread->off ? thread->off_since : now) - thread->off_ticks;
}

/* Leaving does it, or the leaving of what we interrupt: so the last one asked for is the last one done. */
void heddle__thread_control(struct heddle_thread *thread, bool on)
{
	heddle__enter(thread);
	atomic_store_explicit(
		&thread->control_wanted, on ? HEDDLE_CONTROL_ON : HEDDLE_CONTROL_OFF, memory_order_relaxed);
	heddle__leave(thread);
}

void heddle__apply_control(struct heddle_thread *thread, bool on)
{
	if (on != thread->off)
		return;
	uint64_t now = heddle__blames ? heddle__blame_switch(thread, on) : heddle__measured_ticks();
	if (!on) {
		heddle__count_innermost(thread);
		heddle__charge_elapsed(thread, now);
		thread->off_since = now;
		thread->off = true;
		heddle__tell_special(thread);
		return;
	}
	heddle__resolve_regions(thread);
	thread->off_ticks += now - thread->off_since;
	thread->last_ticks = now;
	heddle__counting_skip(thread);
	thread->off = false;
	heddle__tell_special(thread);
}

void heddle__region_begin_rare(struct heddle_thread *thread, const struct heddle_event *event, uint64_t place)
{
	struct heddle_region *region = next_entry(thread);
	region->meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	region->place = place;
	region->cfa = 0;
	region->entry = 0;
	region->state = event->state;
	begin(thread, region);
}

void heddle__region_begin_below(
	struct heddle_thread *thread, const struct heddle_event *event, uint32_t parent, uint64_t place, uintptr_t cfa)
{
	struct heddle_region *region = next_entry(thread);
	region->meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	region->place = place;
	region->cfa = cfa;
	region->state = event->state;
	if (thread->off)
		defer(thread, region);
	else
		begin_below(thread, region, parent);
}

void heddle__source_region_begin(
	struct heddle_thread *thread, const struct heddle_event *event, const char *file, int line, uintptr_t cfa)
{
	struct heddle_region *region = next_entry(thread);
	if (thread->off && heddle__defer_source_region(thread, event, file, line, cfa))
		return;
	region->meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	region->place = heddle__source_place(thread, file, line);
	region->cfa = cfa;
	region->state = event->state;
	begin(thread, region);
}

void heddle__region_end_rare(struct heddle_thread *thread, const struct heddle_event *event)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	if (thread->lost_depth) {
		thread->lost_depth--;
		return;
	}
	for (uint32_t i = thread->depth; i && !thread->regions[i - 1].tag; i--) {
		if (thread->regions[i - 1].meta == meta) {
			cut(thread, i - 1, 0);
			return;
		}
	}
}

void heddle__phase_begin(struct heddle_thread *thread, uint32_t name, uintptr_t cfa)
{
	struct heddle_region *region = next_entry(thread);
	region->meta = HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0);
	region->place = name;
	region->cfa = cfa;
	region->state = HEDDLE_STATE_WORK;
	region->call = 0;
	begin(thread, region);
}

void heddle__phase_begin_below(
	struct heddle_thread *thread, uint32_t name, uintptr_t cfa, const struct heddle_captured *opener)
{
	struct heddle_region *region = next_entry(thread);
	region->meta = HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0);
	region->place = name;
	region->cfa = cfa;
	region->state = HEDDLE_STATE_WORK;
	region->call = opener->caller_place;
	region->entry = opener->caller_end;
	begin_below(thread, region, opener->node);
}

bool heddle__phase_end(struct heddle_thread *thread, uint32_t name)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0);
	if (thread->lost_depth) {
		thread->lost_depth--;
		return true;
	}
	for (uint32_t i = thread->depth; i && !thread->regions[i - 1].tag; i--) {
		if (thread->regions[i - 1].meta != meta)
			continue;
		if (thread->regions[i - 1].place != name)
			return false;
		cut(thread, i - 1, 0);
		return true;
	}
	return false;
}

/* Take an entry out of the stack's middle; what is above it stays open. */
static void take_out(struct heddle_thread *thread, uint32_t index)
{
	for (uint32_t i = index; i + 1 < thread->depth; i++)
		thread->regions[i] = thread->regions[i + 1];
	atomic_signal_fence(memory_order_seq_cst);
	thread->depth--;
}

enum heddle_ending heddle__user_event_end(struct heddle_thread *thread, uint32_t name, uint32_t *open)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0), innermost = UINT32_MAX;
	if (thread->lost_depth) {
		thread->lost_depth--;
		return HEDDLE_ENDED;
	}
	for (uint32_t i = thread->depth; i && !thread->regions[i - 1].tag; i--) {
		const struct heddle_region *region = &thread->regions[i - 1];
		if (region->meta != meta)
			continue;
		if (region->place == name) {
			if (open)
				*open = innermost;
			if (innermost == UINT32_MAX)
				cut(thread, i - 1, 0);
			else
				take_out(thread, i - 1);
			return innermost == UINT32_MAX ? HEDDLE_ENDED : HEDDLE_INTERLEAVED;
		}
		if (innermost == UINT32_MAX)
			innermost = (uint32_t)region->place;
	}
	return HEDDLE_NOT_BEGUN;
}

static bool is_function(const struct heddle_region *region)
{
	uint32_t kind = HEDDLE_META_KIND(region->meta);
	return kind == HEDDLE_NODE_FRAME || kind == HEDDLE_NODE_FUNCTION;
}

static bool is_on_stack(const struct heddle_thread *thread, uintptr_t cfa)
{
	return cfa > thread->stack_low && cfa <= thread->stack_high;
}

/* Both have the same frame's end: the open one is over, unless the compiler put the new one inline into it. */
static bool is_over_in_frame(const struct heddle_region *open, const struct heddle_activation *next)
{
	if (open->call != next->call || next->outermost)
		return true;
	return open->entry && next->entry ? open->entry == next->entry : open->place == next->place;
}

/*
 * Stacks grow down: an activation whose frame ends below the new one's is over. A handler's on another stack interrupts
 * those on the thread's own; back on that one, it is over.
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

/* How much of the stack is still open when that activation begins. */
static uint32_t living_depth(const struct heddle_thread *thread, const struct heddle_activation *next)
{
	uint32_t depth = thread->depth;
	for (uint32_t i = next->cfa ? depth : 0; i && !thread->regions[i - 1].tag; i--) {
		const struct heddle_region *region = &thread->regions[i - 1];
		if (!is_function(region) || !region->cfa)
			continue;
		if (!is_over(thread, region, next))
			break;
		depth = i - 1;
	}
	return depth;
}

void heddle__activation_begin(struct heddle_thread *thread, const struct heddle_activation *activation)
{
	uint32_t depth = living_depth(thread, activation);
	if (depth < thread->depth)
		cut(thread, depth, 0);
	struct heddle_region *region = next_entry(thread);
	region->meta = activation->meta;
	region->place = activation->place;
	region->cfa = activation->cfa;
	region->call = activation->call;
	region->entry = activation->entry;
	region->state = HEDDLE_STATE_WORK;
	if (activation->below && !thread->off)
		begin_below(thread, region, *activation->below);
	else
		begin(thread, region);
}

/* Index + 1 of its entry; 0: none. */
static uint32_t find_activation(const struct heddle_thread *thread, const struct heddle_activation *activation)
{
	for (uint32_t i = thread->depth; i && !thread->regions[i - 1].tag; i--) {
		const struct heddle_region *region = &thread->regions[i - 1];
		bool same_frame = region->cfa == activation->cfa || !region->cfa || !activation->cfa;
		if (region->meta == activation->meta && region->place == activation->place && same_frame)
			return i;
	}
	return 0;
}

/*
 * Close an activation and what it left open, but for phases: these are the program's to end, and go on in the caller,
 * whose frame begins at `cfa`.
 */
static void leave_activation(struct heddle_thread *thread, uint32_t index, uintptr_t cfa)
{
	const uint32_t phase = HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0);
	uint32_t kept = 0;
	for (uint32_t i = index + 1; i < thread->depth; i++)
		kept += thread->regions[i].meta == phase;
	if (!kept) {
		cut(thread, index, 0);
		return;
	}
	heddle__count_innermost(thread);
	if (!thread->off)
		heddle__charge_elapsed(thread, heddle__measured_ticks());
	uint32_t to = index;
	for (uint32_t i = index + 1; i < thread->depth; i++) {
		if (thread->regions[i].meta != phase)
			continue;
		thread->regions[to] = thread->regions[i];
		if (thread->regions[to].cfa && thread->regions[to].cfa < cfa)
			thread->regions[to].cfa = cfa;
		to++;
	}
	atomic_signal_fence(memory_order_seq_cst);
	thread->lost_depth = 0;
	thread->depth = to;
}

/* Of activations too deep to keep only the number is known; those of other frames than the kept ones'. */
void heddle__activation_end(struct heddle_thread *thread, const struct heddle_activation *activation)
{
	uint32_t found = thread->lost_depth && !activation->cfa ? 0 : find_activation(thread, activation);
	if (found)
		leave_activation(thread, found - 1, activation->cfa);
	else if (thread->lost_depth)
		thread->lost_depth--;
}

void heddle__function_begin(struct heddle_thread *thread, uint32_t meta, uint64_t place, uintptr_t cfa, uint64_t call)
{
	struct heddle_activation activation = {.meta = meta, .place = place, .cfa = cfa, .call = call};
	heddle__activation_begin(thread, &activation);
}

void heddle__function_end(struct heddle_thread *thread, uint32_t meta, uint64_t place, uintptr_t cfa)
{
	struct heddle_activation activation = {.meta = meta, .place = place, .cfa = cfa};
	heddle__activation_end(thread, &activation);
}

void heddle__task_switch_rare(
	struct heddle_thread *thread, uint64_t tag, uint32_t base, const void *owner, uint64_t when)
{
	uint32_t found = heddle__task_index(thread, tag);
	if (found) {
		thread->regions[found - 1].call = 0;
		while (found < thread->depth && !thread->regions[found].tag)
			found++; /* the regions it has open stay so */
		cut(thread, found, when);
		return;
	}
	heddle__task_begin_rare(thread, tag, base, owner, when);
}

void heddle__task_begin_rare(
	struct heddle_thread *thread, uint64_t tag, uint32_t base, const void *owner, uint64_t when)
{
	struct heddle_region *task = next_entry(thread);
	heddle__fill_task(thread, task, tag, base, heddle__task_slot(thread, base), owner);
	uint32_t depth = thread->depth;
	push(thread, task, when);
	if (thread->depth > depth)
		thread->task = thread->depth;
}

uint64_t heddle__tasks_ended(const struct heddle_thread *thread)
{
	const struct heddle_region *task = heddle__current_task(thread);
	const struct heddle_group *group = task ? (const struct heddle_group *)(uintptr_t)task->place : NULL;
	return group ? atomic_load_explicit(&group->ended, memory_order_relaxed) : 0;
}

/* Where a task stood there may be another region by now, whose place is no address. */
uint64_t heddle__tasks_seen_ended(const struct heddle_thread *thread)
{
	uint32_t task = __atomic_load_n(&thread->task, __ATOMIC_ACQUIRE);
	const struct heddle_region *entry =
		task ? &__atomic_load_n(&thread->regions, __ATOMIC_RELAXED)[task - 1] : NULL;
	uint64_t ended, group = entry && entry->tag ? __atomic_load_n(&entry->place, __ATOMIC_RELAXED) : 0;
	bool seen = group && heddle__peek(group + offsetof(struct heddle_group, ended), &ended, sizeof(ended));
	return seen ? ended : 0;
}

void heddle__task_end_rare(struct heddle_thread *thread, uint64_t tag, uint64_t when)
{
	uint32_t found = heddle__task_index(thread, tag);
	if (found)
		cut(thread, found - 1, when);
}

void heddle__set_idle(struct heddle_thread *thread, struct heddle_slot *slot)
{
	heddle__count_innermost(thread);
	thread->idles = slot != NULL;
	if (!thread->off && (thread->idle_slot || slot))
		heddle__charge_elapsed(thread, tick_of_cut(thread, thread->depth, 0));
	thread->idle_slot = slot;
}
