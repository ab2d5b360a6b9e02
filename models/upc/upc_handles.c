/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table of handles in flight, per thread. */
#include "models/upc/upc_handles.h"

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/threads/control.h"
#include "core/threads/elapsed.h"
#include "core/threads/trace.h"

static unsigned int own_index;

void heddle__upc_handles_start(unsigned int index)
{
	own_index = index;
}

struct heddle_upc_handles *heddle__upc_handles_of(struct heddle_thread *thread)
{
	struct heddle_upc_handles *handles = thread->frontend[own_index];
	if (!handles)
		thread->frontend[own_index] = handles = heddle__alloc(sizeof(*handles));
	return handles;
}

struct heddle_upc_handles *heddle__upc_handles_known(const struct heddle_thread *thread)
{
	return thread->frontend[own_index];
}

static struct heddle_upc_access **bucket_of(struct heddle_upc_handles *handles, const void *handle)
{
	uint64_t hash = heddle__hash((uintptr_t)handle);
	_Static_assert(HEDDLE_UPC_HANDLE_BUCKETS == 256, "eight bits of hash");
	return &handles->buckets[hash >> 56];
}

/*
 * Takes an arrival that another thread reported, unless it precedes the initiation: an earlier access may have had the
 * same handle.
 */
static void take_arrival(struct heddle_upc_access *access)
{
	uint64_t when = heddle__upc_arrival_take(access->handle, access->direction, access->initiated);
	if (when)
		access->arrived = heddle__thread_ticks_at(when);
}

void heddle__upc_handle_initiate(struct heddle_upc_handles *handles)
{
	handles->initiated = heddle__measured_ticks();
}

void heddle__upc_handle_begin(struct heddle_upc_handles *handles, const void *handle,
	enum heddle_upc_direction direction, struct heddle_slot *slot, uint64_t now)
{
	struct heddle_upc_access *access = handles->spare;
	if (access)
		handles->spare = access->next;
	else
		access = heddle__alloc(sizeof(*access));
	if (!access)
		return;
	struct heddle_upc_access **bucket = bucket_of(handles, handle);
	*access = (struct heddle_upc_access){.next = *bucket, .handle = handle, .slot = slot, .begun = now};
	access->direction = direction;
	access->initiated = handles->initiated ? handles->initiated : heddle__measured_ticks();
	handles->initiated = 0;
	take_arrival(access); /* data may arrive while the access is being initiated */
	*bucket = access;
	handles->open++;
}

static bool is_either(enum heddle_upc_direction one, enum heddle_upc_direction other)
{
	return !one || !other || one == other;
}

bool heddle__upc_handle_arrive(
	struct heddle_upc_handles *handles, const void *handle, enum heddle_upc_direction direction, uint64_t now)
{
	struct heddle_upc_access *first = NULL; /* the access that was initiated first is the last one in the list */
	for (struct heddle_upc_access *access = *bucket_of(handles, handle); access; access = access->next) {
		if (access->handle == handle && !access->arrived && is_either(access->direction, direction))
			first = access;
	}
	if (first)
		first->arrived = now;
	return first;
}

static void drop(struct heddle_upc_handles *handles, struct heddle_upc_access **at)
{
	struct heddle_upc_access *access = *at;
	*at = access->next;
	access->next = handles->spare;
	handles->spare = access;
	handles->open--;
}

void heddle__upc_handles_clear(struct heddle_thread *thread)
{
	struct heddle_upc_handles *handles = thread->frontend[own_index];
	for (unsigned int i = 0; handles && handles->open && i < HEDDLE_UPC_HANDLE_BUCKETS; i++) {
		while (handles->buckets[i])
			drop(handles, &handles->buckets[i]);
	}
}

static void charge(const struct heddle_upc_access *access, uint64_t now)
{
	uint64_t end = access->arrived ? access->arrived : now;
	if (access->slot && end > access->begun)
		heddle__add(access->slot, HEDDLE_METRIC_FLIGHT_TIME, end - access->begun);
}

void heddle__upc_handle_end(struct heddle_upc_handles *handles, const void *handle, uint64_t now)
{
	struct heddle_upc_access **at = bucket_of(handles, handle);
	while (*at) {
		struct heddle_upc_access *access = *at;
		if (access->handle != handle) {
			at = &access->next;
			continue;
		}
		if (!access->arrived)
			take_arrival(access);
		charge(access, now);
		drop(handles, at);
	}
	heddle__upc_arrivals_forget(handle);
}
