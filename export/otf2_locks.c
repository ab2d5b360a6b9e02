/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks as OTF2 defines them. A thread acquires a lock at the end of the region in which it waited for the lock, or
 * tried to acquire it with success; it releases the lock with the next record that names it. Numbers in a trace are
 * those of the runtime: OpenMP's locks belong to one process, others to the whole program and not to one rank's memory.
 */
#include "export/otf2_writer.h"

#include <errno.h>
#include <string.h>

/* Returns the lock's number in the archive; EXPORT_OTF2_NONE: no memory. */
static uint32_t number_lock(struct export_otf2 *otf2, uint64_t lock, uint64_t scope)
{
	uint64_t key[2] = {lock, scope};
	uint32_t number = profile_intern_bytes(&otf2->locks, key, sizeof(key));
	if (number != HEDDLE_INTERN_NONE && profile_reserve(&otf2->lock_orders, &otf2->lock_room, (size_t)number + 1,
						    sizeof(*otf2->lock_orders)) == 0)
		return number;
	otf2->error = ENOMEM;
	return EXPORT_OTF2_NONE;
}

/* Locks of ranks that share memory belong to the window of that memory. */
static bool is_of_window(const struct export_otf2_thread *thread, OTF2_Paradigm paradigm)
{
	return thread->is_member && (paradigm == OTF2_PARADIGM_UPC || paradigm == OTF2_PARADIGM_SHMEM);
}

static void write_acquisition(
	struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_held *held)
{
	const struct export_otf2_thread *thread = &otf2->threads[step->thread];
	export_otf2_failed(
		otf2, is_of_window(thread, held->paradigm)
			      ? OTF2_EvtWriter_RmaAcquireLock(thread->writer, NULL, step->time_ns, EXPORT_OTF2_WINDOW,
					OTF2_UNDEFINED_UINT32, held->number, OTF2_LOCK_EXCLUSIVE)
			      : OTF2_EvtWriter_ThreadAcquireLock(thread->writer, NULL, step->time_ns, held->paradigm,
					held->number, held->order));
}

/* Writes an attempt to acquire a lock that another thread holds. */
static void write_attempt(
	struct export_otf2 *otf2, const struct export_step *step, OTF2_Paradigm paradigm, uint32_t number)
{
	const struct export_otf2_thread *thread = &otf2->threads[step->thread];
	if (is_of_window(thread, paradigm))
		export_otf2_failed(
			otf2, OTF2_EvtWriter_RmaTryLock(thread->writer, NULL, step->time_ns, EXPORT_OTF2_WINDOW,
				      OTF2_UNDEFINED_UINT32, number, OTF2_LOCK_EXCLUSIVE));
}

void export_otf2_acquire_lock(
	struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_region *region)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	uint32_t label = otf2->request->view->label_of[region->node];
	bool tries = otf2->calls[label].tries_lock;
	if (!region->has_lock || (!otf2->waits[label] && !tries))
		return;
	OTF2_Paradigm paradigm = otf2->paradigms[label];
	uint64_t scope = paradigm == OTF2_PARADIGM_OPENMP ? otf2->request->trace->threads[step->thread].file + 1 : 0;
	uint32_t number = number_lock(otf2, region->lock, scope);
	if (number != EXPORT_OTF2_NONE && tries && !export_has(step->attributes, HEDDLE_TRACE_LOCK)) {
		write_attempt(otf2, step, paradigm, number);
		return;
	}
	if (number == EXPORT_OTF2_NONE || profile_reserve(&thread->held, &thread->held_room, thread->held_count + 1,
						  sizeof(*thread->held)) != 0) {
		otf2->error = ENOMEM;
		return;
	}
	struct export_otf2_held held = {region->lock, number, otf2->lock_orders[number]++, paradigm};
	thread->held[thread->held_count++] = held;
	write_acquisition(otf2, step, &held);
}

/* True if the step ends the wait for that lock, because the runtime names the lock there again. */
static bool ends_wait(const struct export_otf2 *otf2, const struct export_step *step, uint64_t lock)
{
	const struct export_otf2_thread *thread = &otf2->threads[step->thread];
	const struct export_otf2_region *region = thread->depth ? &thread->regions[thread->depth - 1] : NULL;
	uint32_t label = region ? otf2->request->view->label_of[region->node] : 0;
	return step->kind == EXPORT_LEAVE && region && region->has_lock && region->lock == lock &&
	       (otf2->waits[label] || otf2->calls[label].tries_lock);
}

void export_otf2_release_locks(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	uint64_t lock = step->attributes->value[HEDDLE_TRACE_LOCK];
	if (!export_has(step->attributes, HEDDLE_TRACE_LOCK) || ends_wait(otf2, step, lock))
		return;
	size_t at = thread->held_count;
	while (at > 0 && thread->held[at - 1].lock != lock)
		at--;
	if (at == 0)
		return;
	struct export_otf2_held held = thread->held[at - 1];
	memmove(&thread->held[at - 1], &thread->held[at], (thread->held_count - at) * sizeof(held));
	thread->held_count--;
	export_otf2_failed(otf2, is_of_window(thread, held.paradigm)
					 ? OTF2_EvtWriter_RmaReleaseLock(thread->writer, NULL, step->time_ns,
						   EXPORT_OTF2_WINDOW, OTF2_UNDEFINED_UINT32, held.number)
					 : OTF2_EvtWriter_ThreadReleaseLock(thread->writer, NULL, step->time_ns,
						   held.paradigm, held.number, held.order));
}
