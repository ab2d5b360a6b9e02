/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows of MPI: accesses do not block. A later call completes all accesses to the window, or those to one rank.
 * Calls by which ranks allow each other to continue (post, start, complete, wait) are synchronizations of groups.
 */
#include "export/otf2_writer.h"

#include "profile/base/intern.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- windows ---- */

static size_t file_of(const struct export_otf2 *otf2, size_t thread)
{
	return otf2->request->trace->threads[thread].file;
}

static struct export_otf2_group *group_at(struct export_otf2 *otf2, size_t index)
{
	return &otf2->groups[index];
}

static size_t index_of(const struct export_otf2 *otf2, const struct export_otf2_group *group)
{
	return (size_t)(group - otf2->groups);
}

/* Writes the creation of a window, or its first use if its creation was not measured. Returns false without memory. */
static bool open_window(struct export_otf2 *otf2, const struct export_step *step, struct export_otf2_group *group)
{
	if (!group->openers)
		group->openers = calloc(otf2->request->trace->file_count + 1, sizeof(*group->openers));
	if (!group->openers) {
		otf2->error = ENOMEM;
		return false;
	}
	if (group->window == EXPORT_OTF2_NONE)
		group->window = otf2->window_count++;
	size_t *opener = &group->openers[file_of(otf2, step->thread)];
	if (!*opener)
		export_otf2_failed(otf2, OTF2_EvtWriter_RmaWinCreate(otf2->threads[step->thread].writer, NULL,
						 step->time_ns, group->window));
	*opener = *opener ? *opener : step->thread + 1;
	return true;
}

static void close_window(struct export_otf2 *otf2, struct export_otf2_group *group, size_t file, uint64_t time_ns)
{
	size_t opener = group->openers[file];
	if (!opener)
		return;
	struct export_otf2_thread *thread = &otf2->threads[opener - 1];
	thread->last_ns = time_ns > thread->last_ns ? time_ns : thread->last_ns;
	export_otf2_failed(otf2, OTF2_EvtWriter_RmaWinDestroy(thread->writer, NULL, thread->last_ns, group->window));
	group->openers[file] = 0;
}

void export_otf2_close_windows(struct export_otf2 *otf2, size_t thread)
{
	size_t file = file_of(otf2, thread);
	for (size_t i = 0; i < otf2->group_count; i++)
		if (otf2->groups[i].openers && otf2->groups[i].openers[file] == thread + 1)
			close_window(otf2, &otf2->groups[i], file, otf2->threads[thread].last_ns);
}

/* ---- accesses ---- */

void export_otf2_write_window_access(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	struct export_otf2_group *group = export_otf2_group_of(otf2, step);
	uint32_t remote = group ? export_otf2_rank_in(otf2, group, step->event->partner) : EXPORT_OTF2_NONE;
	if (remote == EXPORT_OTF2_NONE || !open_window(otf2, step, group))
		return;
	const struct export_otf2_call *call = &otf2->calls[export_otf2_region_label(otf2, step->node)];
	bool asked = export_has(step->attributes, HEDDLE_TRACE_HANDLE);
	struct export_otf2_pending pending = {.thread = step->thread,
		.number = thread->operation_count++,
		.window = group->window,
		.remote = remote,
		.handle = asked ? step->attributes->value[HEDDLE_TRACE_HANDLE] : 0,
		.puts = step->event->operand & HEDDLE_TRACE_ACCESS_PUT && !call->fetches};
	export_otf2_write_operation(otf2, step, group->window, remote, pending.number);
	export_otf2_keep_pending(otf2, &pending);
}

/* ---- synchronization by groups ---- */

/* A call has a record for each partner; the synchronization of all partners is written at the end of the call. */
static void take_partner(struct export_otf2 *otf2, const struct export_step *step, struct export_otf2_group *group)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	struct export_otf2_region *region = thread->depth ? &thread->regions[thread->depth - 1] : NULL;
	bool again = step->event->operand == HEDDLE_TRACE_AWAITED && step->event->request;
	if (!region || again || export_otf2_rank_in(otf2, group, step->event->partner) == EXPORT_OTF2_NONE)
		return;
	if (profile_reserve(&thread->partners, &thread->partner_room, thread->partner_count + 1,
		    sizeof(*thread->partners)) != 0) {
		otf2->error = ENOMEM;
		return;
	}
	region->window = index_of(otf2, group) + 1;
	region->synchronizes = true;
	region->completes_memory = step->event->tag == HEDDLE_TRACE_COMPLETE;
	region->completes_accesses = region->completes_memory && step->event->operand == HEDDLE_TRACE_GRANTED;
	thread->partners[thread->partner_count++] = (uint32_t)step->event->partner;
}

/* Returns the number of the group of these ranks, one for equal sets; numbers follow those of communicators. */
static OTF2_GroupRef number_group(struct export_otf2 *otf2, const struct export_otf2_thread *thread)
{
	uint32_t number =
		profile_intern_bytes(&otf2->sets, thread->partners, thread->partner_count * sizeof(*thread->partners));
	if (number == HEDDLE_INTERN_NONE)
		otf2->error = ENOMEM;
	return (OTF2_GroupRef)(otf2->group_count + 1 + number);
}

static void synchronize(
	struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_region *region)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	struct export_otf2_group *group = group_at(otf2, region->window - 1);
	if (!open_window(otf2, step, group))
		return;
	if (region->completes_accesses)
		export_otf2_complete_pending(otf2, step,
			&(struct export_otf2_completion){
				.window = group->window, .remote = EXPORT_OTF2_NONE, .last = true});
	export_otf2_failed(
		otf2, OTF2_EvtWriter_RmaGroupSync(thread->writer, NULL, step->time_ns,
			      region->completes_memory ? OTF2_RMA_SYNC_LEVEL_MEMORY : OTF2_RMA_SYNC_LEVEL_NONE,
			      group->window, number_group(otf2, thread)));
	thread->partner_count = 0;
}

/* ---- collectives ---- */

static void begin_collective(struct export_otf2 *otf2, const struct export_step *step, struct export_otf2_group *group)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	if (!thread->depth || thread->regions[thread->depth - 1].window || !open_window(otf2, step, group))
		return;
	thread->regions[thread->depth - 1].window = index_of(otf2, group) + 1;
	export_otf2_failed(otf2, OTF2_EvtWriter_RmaCollectiveBegin(thread->writer, NULL, step->time_ns));
}

void export_otf2_enter_fence(struct export_otf2 *otf2, const struct export_step *step)
{
	if (!otf2->calls[export_otf2_region_label(otf2, step->node)].fences ||
		!export_has(step->attributes, HEDDLE_TRACE_COMMUNICATOR))
		return;
	struct export_otf2_group *group =
		export_otf2_find_group(otf2, step->attributes->value[HEDDLE_TRACE_COMMUNICATOR]);
	if (group)
		begin_collective(otf2, step, group);
}

/* A fence completes all accesses; the end of a window completes none. */
static void end_collective(
	struct export_otf2 *otf2, const struct export_step *step, struct export_otf2_group *group, bool fences)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	OTF2_RmaSyncLevel level = OTF2_RMA_SYNC_LEVEL_PROCESS | (fences ? OTF2_RMA_SYNC_LEVEL_MEMORY : 0);
	if (fences)
		export_otf2_complete_pending(otf2, step,
			&(struct export_otf2_completion){
				.window = group->window, .remote = EXPORT_OTF2_NONE, .at_target = true, .last = true});
	else
		close_window(otf2, group, file_of(otf2, step->thread), step->time_ns);
	export_otf2_failed(otf2, OTF2_EvtWriter_RmaCollectiveEnd(thread->writer, NULL, step->time_ns,
					 fences ? OTF2_COLLECTIVE_OP_BARRIER : OTF2_COLLECTIVE_OP_DESTROY_HANDLE, level,
					 group->window, OTF2_UNDEFINED_UINT32, 0, 0));
}

void export_otf2_leave_window(
	struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_region *region)
{
	if (!region->window)
		return;
	if (region->synchronizes)
		synchronize(otf2, step, region);
	else
		end_collective(otf2, step, group_at(otf2, region->window - 1),
			otf2->calls[export_otf2_region_label(otf2, region->node)].fences);
}

/* ---- calls with one rank, or all ---- */

static void complete(
	struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_group *group, bool at_target)
{
	const struct profile_trace_event *event = step->event;
	export_otf2_complete_pending(otf2, step,
		&(struct export_otf2_completion){.window = group->window,
			.remote = export_otf2_rank_in(otf2, group, event->partner),
			.at_target = at_target,
			.last = at_target});
}

static void request_lock(
	struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_group *group, bool shared)
{
	uint32_t remote = export_otf2_rank_in(otf2, group, step->event->partner);
	export_otf2_failed(otf2, OTF2_EvtWriter_RmaRequestLock(otf2->threads[step->thread].writer, NULL, step->time_ns,
					 group->window, remote == EXPORT_OTF2_NONE ? OTF2_UNDEFINED_UINT32 : remote, 0,
					 shared ? OTF2_LOCK_SHARED : OTF2_LOCK_EXCLUSIVE));
}

static void release_lock(
	struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_group *group)
{
	uint32_t remote = export_otf2_rank_in(otf2, group, step->event->partner);
	export_otf2_failed(
		otf2, OTF2_EvtWriter_RmaReleaseLock(otf2->threads[step->thread].writer, NULL, step->time_ns,
			      group->window, remote == EXPORT_OTF2_NONE ? OTF2_UNDEFINED_UINT32 : remote, 0));
}

/* A rank that recorded nothing has no accesses either. */
static void write_call(struct export_otf2 *otf2, const struct export_step *step, struct export_otf2_group *group)
{
	bool unknown =
		step->event->partner >= 0 && export_otf2_rank_in(otf2, group, step->event->partner) == EXPORT_OTF2_NONE;
	if (unknown || !open_window(otf2, step, group))
		return;
	switch (step->event->tag) {
	case HEDDLE_TRACE_WINDOW_FREED:
		begin_collective(otf2, step, group);
		break;
	case HEDDLE_TRACE_WINDOW_LOCK:
	case HEDDLE_TRACE_WINDOW_LOCK_SHARED:
		request_lock(otf2, step, group, step->event->tag == HEDDLE_TRACE_WINDOW_LOCK_SHARED);
		break;
	case HEDDLE_TRACE_WINDOW_UNLOCK:
		complete(otf2, step, group, true);
		release_lock(otf2, step, group);
		break;
	case HEDDLE_TRACE_WINDOW_FLUSH:
	case HEDDLE_TRACE_WINDOW_FLUSH_LOCAL:
		complete(otf2, step, group, step->event->tag == HEDDLE_TRACE_WINDOW_FLUSH);
		break;
	default:
		break;
	}
}

void export_otf2_write_window_message(
	struct export_otf2 *otf2, const struct export_step *step, struct export_otf2_group *group)
{
	const struct profile_trace_event *event = step->event;
	if (event->operand == HEDDLE_TRACE_WINDOW)
		write_call(otf2, step, group);
	else if (event->operand == HEDDLE_TRACE_ARRIVED)
		export_otf2_complete_pending(otf2, step,
			&(struct export_otf2_completion){.window = group->window,
				.remote = EXPORT_OTF2_NONE,
				.one = true,
				.handle = event->request});
	else
		take_partner(otf2, step, group);
}
