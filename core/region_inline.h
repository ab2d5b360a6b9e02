/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What core/region.h has to be put inline, because events come thick and fast; include that. What is rare (control off,
 * counters, blame, no room, ends that don't match) is in region.c.
 */
#ifndef HEDDLE_CORE_REGION_INLINE_H
#define HEDDLE_CORE_REGION_INLINE_H

#define HEDDLE_LIKELY(condition) __builtin_expect(!!(condition), 1)

/* What takes elapsed time while `depth` entries are open and control is on; NULL: samples do. */
static inline struct heddle_slot *heddle__slot_at_depth(const struct heddle_thread *thread, uint32_t depth)
{
	return depth ? thread->regions[depth - 1].slot : thread->idle_slot;
}

/* The time up to `now` is that of `slot`, or (NULL) the samples'. */
static inline void heddle__charge(struct heddle_thread *thread, struct heddle_slot *slot, uint64_t now)
{
	if (!HEDDLE_LIKELY(now > thread->last_ticks))
		return;
	if (slot)
		slot->value[HEDDLE_METRIC_WALL_TIME] += now - thread->last_ticks;
	thread->last_ticks = now;
}

/* It is plain. Elapsed time changes hands at the measured tick `when` (0: now), unless samples have it before and
 * after. */
static inline void heddle__hand_over_at(
	struct heddle_thread *thread, struct heddle_slot *before, const struct heddle_slot *after, uint64_t when)
{
	if (before || after)
		heddle__charge(thread, before, when ? when : heddle__plain_ticks());
}

static inline void heddle__hand_over(
	struct heddle_thread *thread, struct heddle_slot *before, const struct heddle_slot *after)
{
	heddle__hand_over_at(thread, before, after, 0);
}

/* Give a region its node below `parent`, and count a visit if it is one. */
static inline void heddle__settle(
	struct heddle_thread *thread, struct heddle_region *region, uint32_t parent, uint64_t visits)
{
	struct heddle_slot *slot = heddle__event_slot(thread, parent, region->meta, region->place);
	slot->value[HEDDLE_METRIC_VISITS] += visits;
	region->node = slot->node;
	region->slot = heddle__events_give_time || region->state != HEDDLE_STATE_WORK ? slot : NULL;
	region->deferred = HEDDLE_DEFERRED_NOT;
}

/* Where regions begin and end nothing but visits and times is to be charged. */
static inline bool heddle__is_plain(const struct heddle_thread *thread)
{
	return !thread->special;
}

/* The node new regions hang on; it is plain, so none that are open are deferred. */
static inline uint32_t heddle__plain_node(const struct heddle_thread *thread)
{
	return thread->depth ? heddle__regions(thread)[thread->depth - 1].node : thread->base;
}

/* It is not plain, or there is no room. */
void heddle__region_begin_rare(struct heddle_thread *thread, const struct heddle_event *event, uint64_t place);

__attribute__((always_inline)) static inline void heddle__region_begin(
	struct heddle_thread *thread, const struct heddle_event *event, uint64_t place)
{
	if (!HEDDLE_LIKELY(heddle__is_plain(thread) && thread->depth < thread->region_room)) {
		heddle__region_begin_rare(thread, event, place);
		return;
	}
	struct heddle_region *region = &thread->regions[thread->depth];
	region->meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	region->place = place;
	region->cfa = 0;
	region->tag = 0;
	region->state = event->state;
	heddle__settle(thread, region, heddle__plain_node(thread), heddle__events_count());
	heddle__hand_over(thread, heddle__slot_at_depth(thread, thread->depth), region->slot);
	atomic_signal_fence(memory_order_seq_cst);
	thread->depth++;
}

/* The same where it was before (NULL: it was not); false if it must go the way above. It must be plain. */
__attribute__((always_inline)) static inline bool heddle__region_begin_known(
	struct heddle_thread *thread, const struct heddle_event *event, const struct heddle_known_site *site)
{
	if (!site || thread->depth >= thread->region_room)
		return false;
	struct heddle_region *region = &thread->regions[thread->depth];
	region->meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	region->node = site->slot->node;
	region->slot = heddle__events_give_time || event->state != HEDDLE_STATE_WORK ? site->slot : NULL;
	region->cfa = 0;
	region->place = site->place;
	region->tag = 0;
	region->state = event->state;
	region->deferred = HEDDLE_DEFERRED_NOT;
	site->slot->value[HEDDLE_METRIC_VISITS] += heddle__events_count();
	heddle__hand_over(thread, heddle__slot_at_depth(thread, thread->depth), region->slot);
	atomic_signal_fence(memory_order_seq_cst);
	thread->depth++;
	return true;
}

/* It is not plain, or another region is innermost, or none. */
void heddle__region_end_rare(struct heddle_thread *thread, const struct heddle_event *event);

/* False then: nothing was done. */
__attribute__((always_inline)) static inline bool heddle__region_end_plain(
	struct heddle_thread *thread, const struct heddle_event *event)
{
	uint32_t left = thread->depth - 1;
	if (!HEDDLE_LIKELY(heddle__is_plain(thread) && heddle__is_innermost(thread, event)))
		return false;
	heddle__hand_over(thread, thread->regions[left].slot, heddle__slot_at_depth(thread, left));
	thread->depth = left;
	return true;
}

__attribute__((always_inline)) static inline void heddle__region_end(
	struct heddle_thread *thread, const struct heddle_event *event)
{
	if (!heddle__region_end_plain(thread, event))
		heddle__region_end_rare(thread, event);
}

/* It is not plain, or there is no room, or another task is current. */
void heddle__task_begin_rare(
	struct heddle_thread *thread, uint64_t tag, uint32_t base, const void *owner, uint64_t when);
void heddle__task_switch_rare(
	struct heddle_thread *thread, uint64_t tag, uint32_t base, const void *owner, uint64_t when);
void heddle__task_end_rare(struct heddle_thread *thread, uint64_t tag, uint64_t when);

/* What takes a task's time while it is innermost, by its context. */
static inline struct heddle_slot *heddle__task_slot(struct heddle_thread *thread, uint32_t base)
{
	return heddle__events_give_time ? heddle__node_slot(thread, base) : NULL;
}

/* The entry of a task that is about to go on top. */
static inline void heddle__fill_task(struct heddle_thread *thread, struct heddle_region *task, uint64_t tag,
	uint32_t base, struct heddle_slot *slot, const void *owner)
{
	task->meta = HEDDLE_NODE_META(HEDDLE_NODE_NONE, 0);
	task->node = base;
	task->slot = slot;
	task->cfa = 0;
	task->call = 0;
	task->place = (uintptr_t)owner;
	task->tag = tag;
	task->state = HEDDLE_STATE_WORK;
	task->deferred = HEDDLE_DEFERRED_NOT;
	task->task_below = thread->task;
}

static inline void heddle__task_begin(
	struct heddle_thread *thread, uint64_t tag, uint32_t base, const void *owner, uint64_t when)
{
	if (!HEDDLE_LIKELY(heddle__is_plain(thread) && thread->depth < thread->region_room)) {
		heddle__task_begin_rare(thread, tag, base, owner, when);
		return;
	}
	struct heddle_region *task = &heddle__regions(thread)[thread->depth];
	heddle__fill_task(thread, task, tag, base, heddle__task_slot(thread, base), owner);
	heddle__hand_over_at(thread, heddle__slot_at_depth(thread, thread->depth), task->slot, when);
	atomic_signal_fence(memory_order_seq_cst);
	thread->task = ++thread->depth;
}

/* The same where what takes its time is known; false if it must go the way above. */
static inline bool heddle__task_begin_known(
	struct heddle_thread *thread, uint64_t tag, uint32_t base, struct heddle_slot *slot, const void *owner)
{
	if (!HEDDLE_LIKELY(heddle__is_plain(thread) && thread->depth < thread->region_room))
		return false;
	struct heddle_region *task = &heddle__regions(thread)[thread->depth];
	heddle__fill_task(thread, task, tag, base, slot, owner);
	heddle__hand_over(thread, heddle__slot_at_depth(thread, thread->depth), slot);
	atomic_signal_fence(memory_order_seq_cst);
	thread->task = ++thread->depth;
	return true;
}

/* Nothing is cut when it goes on where it was. */
static inline void heddle__task_switch(
	struct heddle_thread *thread, uint64_t tag, uint32_t base, const void *owner, uint64_t when)
{
	uint32_t found = heddle__task_index(thread, tag);
	bool plain = heddle__is_plain(thread) && !thread->lost_depth;
	if (HEDDLE_LIKELY(plain && found == thread->task && found))
		thread->regions[found - 1].call = 0;
	else if (HEDDLE_LIKELY(plain && !found))
		heddle__task_begin(thread, tag, base, owner, when);
	else
		heddle__task_switch_rare(thread, tag, base, owner, when);
}

static inline void heddle__task_end(struct heddle_thread *thread, uint64_t tag, uint64_t when)
{
	uint32_t left = thread->task - 1;
	if (!HEDDLE_LIKELY(thread->task && thread->regions[left].tag == tag && heddle__is_plain(thread) &&
			   !thread->lost_depth)) {
		heddle__task_end_rare(thread, tag, when);
		return;
	}
	heddle__hand_over_at(
		thread, thread->regions[thread->depth - 1].slot, heddle__slot_at_depth(thread, left), when);
	thread->task = thread->regions[left].task_below;
	thread->depth = left;
}

/*
 * The task `tag` is over, and that goes on which it was started in. False if it is not so, or must go the ways above.
 */
static inline bool heddle__task_return(struct heddle_thread *thread, uint64_t tag, uint64_t to)
{
	struct heddle_region *regions = heddle__regions(thread), *task = &regions[thread->task - 1];
	if (!HEDDLE_LIKELY(thread->task && task->tag == tag && heddle__is_plain(thread) && !thread->lost_depth))
		return false;
	if (!HEDDLE_LIKELY(task->task_below && regions[task->task_below - 1].tag == to))
		return false;
	uint32_t left = thread->task - 1;
	heddle__hand_over(thread, regions[thread->depth - 1].slot, heddle__slot_at_depth(thread, left));
	regions[task->task_below - 1].call = 0;
	thread->task = task->task_below;
	thread->depth = left;
	return true;
}

/* It is innermost, and nothing has elapsed since the last event; only the clock may be special. */
static inline void heddle__task_drop(struct heddle_thread *thread)
{
	const struct heddle_region *task = &heddle__regions(thread)[thread->task - 1];
	thread->depth = thread->task - 1;
	thread->task = task->task_below;
}

/* `ended` is not 0. False if it must go the way of an end and a begin. */
static inline bool heddle__task_replace(
	struct heddle_thread *thread, uint64_t tag, uint32_t base, const void *owner, uint64_t ended)
{
	if (!HEDDLE_LIKELY(heddle__is_plain(thread) && thread->task && !thread->lost_depth))
		return false;
	struct heddle_region *task = &heddle__regions(thread)[thread->task - 1];
	struct heddle_slot *outside = heddle__slot_at_depth(thread, thread->task - 1);
	heddle__hand_over_at(thread, thread->regions[thread->depth - 1].slot, outside, ended);
	if (task->node != base) {
		task->node = base;
		task->slot = heddle__task_slot(thread, base);
	}
	heddle__hand_over(thread, outside, task->slot);
	task->call = 0;
	task->place = (uintptr_t)owner;
	task->tag = tag;
	atomic_signal_fence(memory_order_seq_cst);
	thread->depth = thread->task;
	return true;
}

__attribute__((always_inline)) static inline void heddle__event_count(
	struct heddle_thread *thread, const struct heddle_event *event, uint64_t place)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	if (heddle__counting(thread))
		heddle__event_slot(thread, heddle__current_node(thread), meta, place)->value[HEDDLE_METRIC_VISITS]++;
}

#endif
