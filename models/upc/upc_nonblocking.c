/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Follows accesses by their handles, through upc_handles.h. Trivial handles are not followed (GASP 1.5, section 5.4.6).
 */
#include "models/upc/upc_nonblocking.h"

#include "core/threads/control.h"
#include "core/threads/elapsed.h"
#include "core/threads/trace.h"
#include "models/upc/upc_effect.h"
#include "models/upc/upc_handles.h"
#include "models/upc/upc_vocabulary.h"

static enum heddle_upc_direction direction_of(const struct heddle_upc_kind *kind)
{
	if (kind == &heddle__upc_kinds[HEDDLE_UPC_NB_GET_DATA] || kind->effect == HEDDLE_UPC_EFFECT_GET)
		return HEDDLE_UPC_IS_GET;
	if (kind == &heddle__upc_kinds[HEDDLE_UPC_NB_PUT_DATA] || kind->effect == HEDDLE_UPC_EFFECT_PUT)
		return HEDDLE_UPC_IS_PUT;
	return HEDDLE_UPC_IS_EITHER;
}

static bool is_trivial(const void *handle)
{
	return handle == heddle__upc_vocabulary.nb_trivial[0] || handle == heddle__upc_vocabulary.nb_trivial[1];
}

static void decode(struct heddle_upc_notice *notice, struct heddle_upc_arguments *arguments)
{
	heddle__upc_decode(notice->kind, notice->type != GASP_START, &notice->list, arguments);
}

static void arrived(const struct heddle_upc_kind *kind, const void *handle)
{
	heddle__upc_arrival_post(handle, direction_of(kind), heddle__measured_ticks());
}

static void follow(struct heddle_thread *thread, const struct heddle_upc_kind *kind, struct heddle_slot *slot,
	const struct heddle_upc_arguments *arguments)
{
	uint64_t now = heddle__thread_ticks();
	struct heddle_upc_handles *handles = heddle__upc_handles_of(thread);
	if (!handles)
		return;
	if (kind->effect == HEDDLE_UPC_EFFECT_ARRIVE) {
		if (!heddle__upc_handle_arrive(handles, arguments->handle, direction_of(kind), now))
			arrived(kind, arguments->handle);
	} else if (kind->effect != HEDDLE_UPC_EFFECT_SYNC) {
		heddle__upc_handle_begin(handles, arguments->handle, direction_of(kind), slot, now);
	} else if (*kind->more != 'R' || arguments->result) {
		heddle__upc_handle_end(handles, arguments->handle, now);
	}
}

/* With a trivial handle the access is complete, and no event waits for it. */
void heddle__upc_handle_known(struct heddle_thread *thread, const struct heddle_upc_kind *kind,
	struct heddle_slot *slot, const struct heddle_upc_arguments *arguments)
{
	if (is_trivial(arguments->handle))
		return;
	if (heddle__is_traced(thread))
		heddle__trace_attribute(thread, HEDDLE_TRACE_HANDLE, (uintptr_t)arguments->handle);
	follow(thread, kind, slot, arguments);
}

void heddle__upc_nb_follow(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments;
	decode(notice, &arguments);
	if (!is_trivial(arguments.handle))
		follow(thread, notice->kind, NULL, &arguments);
}

void heddle__upc_data_elsewhere(const struct heddle_upc_kind *kind, va_list *list)
{
	struct heddle_upc_arguments arguments;
	heddle__upc_decode(kind, true, list, &arguments);
	if (!is_trivial(arguments.handle))
		arrived(kind, arguments.handle);
}

/* ---- initiation ---- */

void heddle__upc_initiate(struct heddle_thread *thread)
{
	struct heddle_upc_handles *handles = heddle__upc_handles_of(thread);
	if (handles)
		heddle__upc_handle_initiate(handles);
}

void heddle__upc_nb_start(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments;
	decode(notice, &arguments);
	struct heddle_slot *slot = heddle__upc_begin(thread, notice);
	heddle__upc_initiate(thread);
	if (slot)
		heddle__upc_measure_access(notice->kind, slot, &arguments);
}

void heddle__upc_nb_end(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments;
	decode(notice, &arguments);
	struct heddle_slot *slot = heddle__region_pop(thread, notice->kind->event);
	heddle__upc_handle_known(thread, notice->kind, slot, &arguments);
}

void heddle__upc_nb_atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments;
	decode(notice, &arguments);
	struct heddle_slot *slot = heddle__upc_count(thread, notice);
	if (slot)
		heddle__upc_measure_access(notice->kind, slot, &arguments);
	heddle__upc_handle_known(thread, notice->kind, slot, &arguments);
}

/* ---- its end: events with trivial handles are to be ignored ---- */

/* Reads the handle. Returns false if it is trivial. */
static bool has_handle(struct heddle_upc_notice *notice, struct heddle_upc_arguments *arguments)
{
	decode(notice, arguments);
	return !is_trivial(arguments->handle);
}

void heddle__upc_data_start(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments;
	if (has_handle(notice, &arguments))
		heddle__upc_count(thread, notice);
}

void heddle__upc_data_end(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments;
	if (has_handle(notice, &arguments))
		heddle__upc_handle_known(thread, notice->kind, NULL, &arguments);
}

void heddle__upc_data_atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments;
	if (!has_handle(notice, &arguments))
		return;
	heddle__upc_handle_known(thread, notice->kind, heddle__upc_count(thread, notice), &arguments);
}

void heddle__upc_sync_start(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments;
	if (has_handle(notice, &arguments))
		heddle__upc_begin(thread, notice);
}

void heddle__upc_sync_end(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments;
	if (!has_handle(notice, &arguments))
		return;
	struct heddle_slot *slot = heddle__region_pop(thread, notice->kind->event);
	heddle__upc_handle_known(thread, notice->kind, slot, &arguments);
}

void heddle__upc_sync_atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	heddle__upc_data_atomic(thread, notice);
}
