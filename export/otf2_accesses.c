/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses to shared memory as one-sided operations. Blocking ones complete when their region ends, others when the
 * region ends that waited for their handle, or that completes the accesses of their context. At the target, operations
 * that put are complete when all accesses of their context are.
 */
#include "export/otf2_writer.h"

#include <errno.h>
#include <string.h>

/* ---- operations that are not complete ---- */

static struct export_otf2_process *process_of(struct export_otf2 *otf2, size_t thread)
{
	return &otf2->of_process[otf2->request->trace->threads[thread].file];
}

void export_otf2_keep_pending(struct export_otf2 *otf2, const struct export_otf2_pending *pending)
{
	struct export_otf2_process *process = process_of(otf2, pending->thread);
	int error = profile_reserve(&process->pending, &process->room, process->count + 1, sizeof(*process->pending));
	if (error)
		otf2->error = -error;
	else
		process->pending[process->count++] = *pending;
}

/* Completions are events of the thread that began the operation, which another one may complete. */
static OTF2_EvtWriter *writer_at(struct export_otf2 *otf2, const struct export_otf2_pending *pending,
	const struct export_step *step, uint64_t *ns)
{
	struct export_otf2_thread *thread = &otf2->threads[pending->thread];
	*ns = step->time_ns > thread->last_ns ? step->time_ns : thread->last_ns;
	thread->last_ns = thread->written_ns = *ns;
	return thread->writer;
}

static bool is_completed(const struct export_otf2_pending *pending, const struct export_otf2_completion *completion)
{
	return pending->window == completion->window &&
	       (completion->remote == EXPORT_OTF2_NONE || pending->remote == completion->remote) &&
	       (!completion->one || pending->handle == completion->handle);
}

/* Returns true if nothing more is to be known of the operation. */
static bool complete_pending(struct export_otf2 *otf2, const struct export_step *step,
	struct export_otf2_pending *pending, const struct export_otf2_completion *completion)
{
	uint64_t ns;
	OTF2_EvtWriter *writer = writer_at(otf2, pending, step, &ns);
	if (!pending->local)
		export_otf2_failed(otf2,
			OTF2_EvtWriter_RmaOpCompleteNonBlocking(writer, NULL, ns, pending->window, pending->number));
	pending->local = true;
	if (pending->puts && completion->at_target)
		export_otf2_failed(
			otf2, OTF2_EvtWriter_RmaOpCompleteRemote(writer, NULL, ns, pending->window, pending->number));
	return !pending->puts || completion->last;
}

void export_otf2_complete_pending(
	struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_completion *completion)
{
	struct export_otf2_process *process = process_of(otf2, step->thread);
	size_t kept = 0;
	for (size_t i = 0; i < process->count; i++)
		if (!is_completed(&process->pending[i], completion) ||
			!complete_pending(otf2, step, &process->pending[i], completion))
			process->pending[kept++] = process->pending[i];
	process->count = kept;
}

/* ---- regions ---- */

static void complete(struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_operation *one)
{
	OTF2_EvtWriter *writer = otf2->threads[step->thread].writer;
	export_otf2_failed(otf2, one->has_handle ? OTF2_EvtWriter_RmaOpCompleteNonBlocking(
							   writer, NULL, step->time_ns, EXPORT_OTF2_WINDOW, one->number)
						 : OTF2_EvtWriter_RmaOpCompleteBlocking(writer, NULL, step->time_ns,
							   EXPORT_OTF2_WINDOW, one->number));
	if (one->puts)
		export_otf2_keep_pending(otf2, &(struct export_otf2_pending){.thread = step->thread,
						       .number = one->number,
						       .window = EXPORT_OTF2_WINDOW,
						       .handle = one->handle,
						       .local = true,
						       .puts = true});
}

/* The innermost region ends: its own operations are complete or have a handle, and those that it waited for are. */
static void complete_of_region(struct export_otf2 *otf2, const struct export_step *step)
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

void export_otf2_complete_operations(struct export_otf2 *otf2, const struct export_step *step)
{
	const struct export_otf2_thread *thread = &otf2->threads[step->thread];
	const struct export_otf2_region *region = &thread->regions[thread->depth - 1];
	complete_of_region(otf2, step);
	if (otf2->calls[export_otf2_region_label(otf2, region->node)].completes)
		export_otf2_complete_pending(otf2, step,
			&(struct export_otf2_completion){.window = EXPORT_OTF2_WINDOW,
				.remote = EXPORT_OTF2_NONE,
				.one = true,
				.handle = region->context,
				.at_target = true,
				.last = true});
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

/* A wait for a change begins: of memory, by whichever rank. */
void export_otf2_wait_for_change(struct export_otf2 *otf2, const struct export_step *step)
{
	const struct export_otf2_thread *thread = &otf2->threads[step->thread];
	if (thread->is_member && otf2->calls[export_otf2_region_label(otf2, step->node)].waits_for_change)
		export_otf2_failed(
			otf2, OTF2_EvtWriter_RmaWaitChange(thread->writer, NULL, step->time_ns, EXPORT_OTF2_WINDOW));
}

/* ---- accesses ---- */

/* In both directions, an atomic operation moves as many bytes as its access. */
void export_otf2_write_operation(
	struct export_otf2 *otf2, const struct export_step *step, uint32_t window, uint32_t remote, uint64_t number)
{
	OTF2_EvtWriter *writer = otf2->threads[step->thread].writer;
	const struct export_otf2_call *call = &otf2->calls[export_otf2_region_label(otf2, step->node)];
	uint64_t now = step->time_ns, bytes = step->event->value;
	bool puts = step->event->operand & HEDDLE_TRACE_ACCESS_PUT;
	export_otf2_failed(otf2, call->atomic ? OTF2_EvtWriter_RmaAtomic(writer, NULL, now, window, remote, call->type,
							call->sends ? bytes : 0, call->fetches ? bytes : 0, number)
				 : puts       ? OTF2_EvtWriter_RmaPut(writer, NULL, now, window, remote, bytes, number)
					: OTF2_EvtWriter_RmaGet(writer, NULL, now, window, remote, bytes, number));
}

/* What fetches is complete at the target when it is here. Other models do not say when what is put arrives. */
static bool arrives_later(const struct export_otf2 *otf2, const struct export_step *step)
{
	const struct export_otf2_call *call = &otf2->calls[export_otf2_region_label(otf2, step->node)];
	return otf2->program_paradigm == OTF2_PARADIGM_SHMEM && step->event->operand & HEDDLE_TRACE_ACCESS_PUT &&
	       !call->fetches;
}

static void keep_open(struct export_otf2 *otf2, const struct export_step *step, struct export_otf2_operation one)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	bool inside = thread->depth && thread->regions[thread->depth - 1].node == step->node;
	if (!inside && !one.has_handle) {
		complete(otf2, step, &one);
		return;
	}
	one.depth = inside ? thread->depth : 0;
	int error = profile_reserve(
		&thread->operations, &thread->operation_room, thread->open_count + 1, sizeof(*thread->operations));
	if (error)
		otf2->error = -error;
	else
		thread->operations[thread->open_count++] = one;
}

static void start_operation(struct export_otf2 *otf2, const struct export_step *step, uint32_t member)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	uint64_t number = thread->operation_count++;
	bool puts = arrives_later(otf2, step), has_handle = export_has(step->attributes, HEDDLE_TRACE_HANDLE);
	uint64_t context = thread->depth ? thread->regions[thread->depth - 1].context : 0;
	export_otf2_write_operation(otf2, step, EXPORT_OTF2_WINDOW, member, number);
	if (step->event->operand & HEDDLE_TRACE_ACCESS_LATER)
		export_otf2_keep_pending(otf2, &(struct export_otf2_pending){.thread = step->thread,
						       .number = number,
						       .window = EXPORT_OTF2_WINDOW,
						       .remote = member,
						       .handle = context,
						       .puts = puts});
	else
		keep_open(otf2, step,
			(struct export_otf2_operation){.number = number,
				.node = step->node,
				.puts = puts,
				.has_handle = has_handle,
				.handle = has_handle ? step->attributes->value[HEDDLE_TRACE_HANDLE] : context});
}

/* An operation needs a partner that is a location. */
void export_otf2_write_access(struct export_otf2 *otf2, const struct export_step *step)
{
	int64_t partner = step->event->partner;
	if (step->event->group) {
		export_otf2_write_window_access(otf2, step);
		return;
	}
	if (otf2->program == EXPORT_OTF2_NONE || partner < 0 || (uint64_t)partner >= otf2->rank_count ||
		otf2->ranks[partner].thread == EXPORT_OTF2_NO_THREAD)
		return;
	start_operation(otf2, step, otf2->ranks[partner].member);
}
