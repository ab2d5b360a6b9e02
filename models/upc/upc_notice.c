/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens regions and counts visits at the place of the GASP client's code. */
#include "models/upc/upc_notice.h"

#include "core/base/likely.h"
#include "core/tree/tree.h"

/*
 * The region begins below the end of the reporting frame and above all frames that it calls next. The frame's stack
 * pointer is not usable, since arguments change it.
 */
void heddle__upc_locate(
	struct heddle_thread *thread, const struct heddle_upc_notice *notice, struct heddle_upc_location *at)
{
	at->cfa = heddle__upc_stack_of(notice);
	at->found = NULL;
	if (!heddle__capture || thread->off)
		return;
	uintptr_t site = (uintptr_t)notice->file ^ (uintptr_t)(unsigned int)notice->line << 32;
	at->found = heddle__caller_path_at(thread, &notice->call, site, &at->room);
	if (at->found->end > at->cfa)
		at->cfa = heddle__cfa_in_frame(at->found->end);
}

static inline struct heddle_slot *begin_reported(
	struct heddle_thread *thread, const struct heddle_upc_notice *notice, const struct heddle_upc_location *at)
{
	uint64_t place = heddle__source_place(thread, notice->file, notice->line);
	return heddle__reported_region_begin_below(thread, notice->kind->event, place, at->cfa, at->found);
}

struct heddle_slot *heddle__upc_begin_at(struct heddle_thread *thread, const struct heddle_upc_notice *notice,
	const struct heddle_upc_location *at, uint32_t object)
{
	const struct heddle_event *event = notice->kind->event;
	const struct heddle_captured *found = at->found;
	if (!object && !found)
		return heddle__source_region_begin(thread, event, notice->file, notice->line, at->cfa);
	if (!object)
		return begin_reported(thread, notice, at);
	uint64_t place = heddle__source_place(thread, notice->file, notice->line);
	return heddle__access_region_begin(thread, event, place, at->cfa, found, object - 1);
}

struct heddle_slot *heddle__upc_count_at(struct heddle_thread *thread, const struct heddle_upc_notice *notice,
	const struct heddle_upc_location *at, uint32_t object)
{
	if (!heddle__is_counting(thread))
		return NULL;
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, notice->kind->event->id);
	uint32_t parent = at->found ? at->found->node : heddle__current_node(thread);
	struct heddle_slot *slot =
		heddle__event_slot(thread, parent, meta, heddle__source_place(thread, notice->file, notice->line));
	if (object)
		slot = heddle__event_slot(thread, slot->node, HEDDLE_NODE_META(HEDDLE_NODE_OBJECT, 0), object - 1);
	heddle__visit(thread, slot);
	return slot;
}

struct heddle_slot *heddle__upc_locate_and_begin(struct heddle_thread *thread, const struct heddle_upc_notice *notice)
{
	struct heddle_upc_location at;
	heddle__upc_locate(thread, notice, &at);
	if (HEDDLE_LIKELY(at.found))
		return begin_reported(thread, notice, &at);
	return heddle__upc_begin_at(thread, notice, &at, 0);
}

struct heddle_slot *heddle__upc_count(struct heddle_thread *thread, const struct heddle_upc_notice *notice)
{
	struct heddle_upc_location at;
	if (!heddle__is_counting(thread))
		return NULL;
	heddle__upc_locate(thread, notice, &at);
	return heddle__upc_count_at(thread, notice, &at, 0);
}
