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

/* Elapsed time changes hands, unless samples have it before and after. */
static inline void heddle__hand_over(
	struct heddle_thread *thread, struct heddle_slot *before, const struct heddle_slot *after)
{
	if (before || after)
		heddle__charge(thread, before, heddle__measured_ticks());
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
	return !thread->off && !thread->counting && !heddle__blames;
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
	heddle__settle(thread, region, thread->depth ? region[-1].node : thread->base, heddle__events_count());
	heddle__hand_over(thread, heddle__slot_at_depth(thread, thread->depth), region->slot);
	atomic_signal_fence(memory_order_seq_cst);
	thread->depth++;
}

/* It is not plain, or another region is innermost, or none. */
void heddle__region_end_rare(struct heddle_thread *thread, const struct heddle_event *event);

__attribute__((always_inline)) static inline void heddle__region_end(
	struct heddle_thread *thread, const struct heddle_event *event)
{
	uint32_t left = thread->depth - 1;
	if (!HEDDLE_LIKELY(heddle__is_plain(thread) && heddle__is_innermost(thread, event))) {
		heddle__region_end_rare(thread, event);
		return;
	}
	heddle__hand_over(thread, thread->regions[left].slot, heddle__slot_at_depth(thread, left));
	thread->depth = left;
}

__attribute__((always_inline)) static inline void heddle__event_count(
	struct heddle_thread *thread, const struct heddle_event *event, uint64_t place)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	if (heddle__counting(thread))
		heddle__event_slot(thread, heddle__current_node(thread), meta, place)->value[HEDDLE_METRIC_VISITS]++;
}

#endif
