/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/region.h"

#include "core/control.h"
#include "core/tree.h"

bool heddle__events_give_time;

static struct heddle_slot *top_slot(const struct heddle_thread *thread)
{
	return thread->depth ? thread->regions[thread->depth - 1].slot : thread->idle_slot;
}

void heddle__charge_elapsed(struct heddle_thread *thread, uint64_t now)
{
	struct heddle_slot *slot = top_slot(thread);
	if (slot && now > thread->last_ticks)
		slot->value[HEDDLE_METRIC_WALL_TIME] += now - thread->last_ticks;
	if (now > thread->last_ticks)
		thread->last_ticks = now;
}

static void push(struct heddle_thread *thread, const struct heddle_region *region)
{
	if (thread->depth == HEDDLE_REGION_DEPTH) {
		thread->lost_depth++;
		return;
	}
	if (top_slot(thread) || region->slot)
		heddle__charge_elapsed(thread, heddle__measured_ticks());
	thread->regions[thread->depth] = *region;
	atomic_signal_fence(memory_order_seq_cst);
	thread->depth++;
}

/* Cut the stack; time since `when` (0: now) is that of what is innermost afterwards. */
static void cut(struct heddle_thread *thread, uint32_t depth, uint64_t when)
{
	struct heddle_slot *after = depth ? thread->regions[depth - 1].slot : thread->idle_slot;
	if (top_slot(thread) || after)
		heddle__charge_elapsed(thread, when ? when : heddle__measured_ticks());
	thread->lost_depth = 0;
	thread->depth = depth;
}

static void begin(struct heddle_thread *thread, uint32_t meta, uint64_t place, uintptr_t cfa, enum heddle_state state)
{
	struct heddle_slot *slot = heddle__event_slot(thread, heddle__current_node(thread), meta, place);
	bool timed = heddle__events_give_time || state != HEDDLE_STATE_WORK;
	struct heddle_region region = {.meta = meta,
		.node = slot->node,
		.slot = timed ? slot : NULL,
		.cfa = cfa,
		.place = place,
		.state = (uint8_t)state};
	slot->value[HEDDLE_METRIC_VISITS] += heddle__running();
	push(thread, &region);
}

void heddle__region_begin(struct heddle_thread *thread, const struct heddle_event *event, uint64_t place)
{
	begin(thread, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), place, 0,
		heddle__category_state(event->category));
}

void heddle__region_end(struct heddle_thread *thread, const struct heddle_event *event)
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
	begin(thread, HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0), name, cfa, HEDDLE_STATE_WORK);
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

void heddle__visit(struct heddle_thread *thread, uint32_t node)
{
	heddle__slot(thread, node)->value[HEDDLE_METRIC_VISITS] += heddle__running();
}

void heddle__event_count(struct heddle_thread *thread, const struct heddle_event *event, uint64_t place)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	struct heddle_slot *slot = heddle__event_slot(thread, heddle__current_node(thread), meta, place);
	slot->value[HEDDLE_METRIC_VISITS] += heddle__running();
}

/* Index of a task's entry + 1; 0: not on the stack. */
static uint32_t find_task(const struct heddle_thread *thread, uint64_t tag)
{
	uint32_t i = thread->depth;
	while (i && thread->regions[i - 1].tag != tag)
		i--;
	return i;
}

void heddle__task_switch(struct heddle_thread *thread, uint64_t tag, uint32_t base, const void *owner)
{
	uint32_t found = find_task(thread, tag);
	if (found) {
		while (found < thread->depth && !thread->regions[found].tag)
			found++; /* the regions it has open stay so */
		cut(thread, found, 0);
		return;
	}
	struct heddle_region task = {.node = base,
		.slot = heddle__events_give_time ? heddle__slot(thread, base) : NULL,
		.place = (uintptr_t)owner,
		.tag = tag};
	push(thread, &task);
}

const struct heddle_region *heddle__find_task(const struct heddle_thread *thread, uint64_t tag)
{
	uint32_t found = find_task(thread, tag);
	return found ? &thread->regions[found - 1] : NULL;
}

const struct heddle_region *heddle__current_task(const struct heddle_thread *thread)
{
	for (uint32_t i = thread->depth; i; i--) {
		if (thread->regions[i - 1].tag)
			return &thread->regions[i - 1];
	}
	return NULL;
}

void heddle__task_end(struct heddle_thread *thread, uint64_t tag, uint64_t ended)
{
	uint32_t found = find_task(thread, tag);
	if (found)
		cut(thread, found - 1, ended);
}

void heddle__set_idle(struct heddle_thread *thread, struct heddle_slot *slot)
{
	if (thread->idle_slot || slot)
		heddle__charge_elapsed(thread, heddle__measured_ticks());
	thread->idle_slot = slot;
}
