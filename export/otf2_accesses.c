/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses to shared memory as one-sided operations: blocking ones complete when their region ends, others when the
 * region ends that waited for their handle.
 */
#include "export/otf2_writer.h"

#include <string.h>

static void complete(struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_operation *one)
{
	OTF2_EvtWriter *writer = otf2->threads[step->thread].writer;
	export_otf2_failed(otf2, one->has_handle ? OTF2_EvtWriter_RmaOpCompleteNonBlocking(
							   writer, NULL, step->time_ns, EXPORT_OTF2_WINDOW, one->number)
						 : OTF2_EvtWriter_RmaOpCompleteBlocking(writer, NULL, step->time_ns,
							   EXPORT_OTF2_WINDOW, one->number));
}

/* The innermost region ends: its own operations are complete or have a handle, and those that it waited for are. */
void export_otf2_complete_operations(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	const struct export_otf2_region *region = &thread->regions[thread->depth - 1];
	size_t kept = 0;
	for (size_t i = 0; i < thread->open_count; i++) {
		struct export_otf2_operation one = thread->operations[i];
		bool own = one.depth == thread->depth;
		bool waited = region->has_handle && !own && one.has_handle && one.handle == region->handle;
		if (waited || (own && !one.has_handle)) {
			complete(otf2, step, &one);
			continue;
		}
		one.depth = own ? 0 : one.depth;
		thread->operations[kept++] = one;
	}
	thread->open_count = kept;
}

/* A handle is known after the access that it is of: it belongs to the operations of the innermost region. */
void export_otf2_take_handle(struct export_otf2_thread *thread, const struct export_step *step)
{
	if (!export_has(step->attributes, HEDDLE_TRACE_HANDLE))
		return;
	for (size_t i = 0; i < thread->open_count; i++) {
		struct export_otf2_operation *one = &thread->operations[i];
		if (one->depth != thread->depth || one->has_handle)
			continue;
		one->has_handle = true;
		one->handle = step->attributes->value[HEDDLE_TRACE_HANDLE];
	}
}

/* The time in flight of a nonblocking access is known when it is complete: of those begun there, of the oldest. */
void export_otf2_take_flight(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	size_t at = 0;
	while (at < thread->open_count &&
		(!thread->operations[at].has_handle || thread->operations[at].node != step->node))
		at++;
	if (at == thread->open_count)
		return;
	complete(otf2, step, &thread->operations[at]);
	thread->open_count--;
	memmove(&thread->operations[at], &thread->operations[at + 1],
		(thread->open_count - at) * sizeof(*thread->operations));
}

static void start_operation(struct export_otf2 *otf2, const struct export_step *step, uint32_t member)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	OTF2_EvtWriter *writer = thread->writer;
	uint64_t bytes = step->event->value, number = thread->operation_count++;
	struct export_otf2_operation one = {.number = number,
		.depth = thread->depth,
		.node = step->node,
		.has_handle = export_has(step->attributes, HEDDLE_TRACE_HANDLE),
		.handle = step->attributes->value[HEDDLE_TRACE_HANDLE]};
	export_otf2_failed(otf2,
		step->event->operand & HEDDLE_TRACE_ACCESS_PUT
			? OTF2_EvtWriter_RmaPut(writer, NULL, step->time_ns, EXPORT_OTF2_WINDOW, member, bytes, number)
			: OTF2_EvtWriter_RmaGet(
				  writer, NULL, step->time_ns, EXPORT_OTF2_WINDOW, member, bytes, number));
	bool inside = thread->depth && thread->regions[thread->depth - 1].node == step->node;
	if (!inside && !one.has_handle) {
		complete(otf2, step, &one);
		return;
	}
	one.depth = inside ? one.depth : 0;
	int error = profile_reserve(
		&thread->operations, &thread->operation_room, thread->open_count + 1, sizeof(*thread->operations));
	if (error)
		otf2->error = -error;
	else
		thread->operations[thread->open_count++] = one;
}

/* An operation needs a partner that is a location. */
void export_otf2_write_access(struct export_otf2 *otf2, const struct export_step *step)
{
	int64_t partner = step->event->partner;
	if (otf2->program == EXPORT_OTF2_NONE || partner < 0 || (uint64_t)partner >= otf2->rank_count ||
		otf2->ranks[partner].thread == EXPORT_OTF2_NO_THREAD)
		return;
	start_operation(otf2, step, otf2->ranks[partner].member);
}
