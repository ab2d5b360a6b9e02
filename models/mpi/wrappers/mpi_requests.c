/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hash table in shards. Each has its own lock, which is held for some instructions only.
 *
 * A handle may be in the table twice for a moment: one thread's wait has returned and, before it removes its entry, the
 * library gives the same handle to another thread. So no entry is replaced. Of the requests whose starts had returned
 * when a wait began, the wait completes the newest. Starts may begin in any order: they wait for each other in the
 * library.
 */
#include "models/mpi/wrappers/mpi_requests.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#include "core/base/hash.h"
#include "models/mpi/wrappers/mpi_memory.h"

#define SHARD_BITS 6
#define SHARDS (1u << SHARD_BITS)
#define FIRST_ROOM 64u
#define SPINS 1000
#define COMMON 4 /* handles of completed sends in a library, at most */
#define TWICE 2  /* how often another handle may be in the table */

struct shard {
	_Alignas(64) atomic_flag busy;
	uint32_t used, room; /* room: a power of two, or 0 */
	struct heddle_mpi_request *at;
};

static struct shard shards[SHARDS];
static _Atomic uintptr_t common[COMMON]; /* handles that completed sends share; 0: none */
static atomic_ullong last_number;

static struct shard *lock_shard(uintptr_t handle)
{
	struct shard *shard = &shards[heddle__hash(handle) >> (64 - SHARD_BITS)];
	for (int spins = 0; atomic_flag_test_and_set_explicit(&shard->busy, memory_order_acquire); spins++)
		if (spins > SPINS)
			sched_yield();
	return shard;
}

static void unlock_shard(struct shard *shard)
{
	atomic_flag_clear_explicit(&shard->busy, memory_order_release);
}

/* The first slot of the search for a handle, from other bits than those that choose the shard. */
static uint32_t home_of(const struct shard *shard, uintptr_t handle)
{
	return (uint32_t)(heddle__hash(handle) >> 26) & (shard->room - 1);
}

static void put(struct shard *shard, const struct heddle_mpi_request *request)
{
	uint32_t at = home_of(shard, request->handle);
	while (shard->at[at].handle)
		at = (at + 1) & (shard->room - 1);
	shard->at[at] = *request;
	shard->used++;
}

static bool grow(struct shard *shard)
{
	struct shard before = {.room = shard->room, .at = shard->at};
	uint32_t room = before.room ? 2 * before.room : FIRST_ROOM;
	struct heddle_mpi_request *at = heddle__mpi_map(room * sizeof(*at));
	if (!at)
		return false;
	shard->at = at;
	shard->room = room;
	shard->used = 0;
	for (uint32_t i = 0; i < before.room; i++)
		if (before.at[i].handle)
			put(shard, &before.at[i]);
	heddle__mpi_unmap(before.at, before.room * sizeof(*at));
	return true;
}

uint64_t heddle__mpi_request_number(void)
{
	return atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1;
}

static bool is_common(uintptr_t handle)
{
	for (unsigned int i = 0; i < COMMON; i++)
		if (atomic_load_explicit(&common[i], memory_order_relaxed) == handle)
			return true;
	return false;
}

static void note_common(uintptr_t handle)
{
	uintptr_t none = 0;
	for (unsigned int i = 0; i < COMMON; i++, none = 0)
		if (atomic_compare_exchange_strong(&common[i], &none, handle) || none == handle)
			return;
}

/* Returns how many sends with that handle are in the table. Context: the shard is locked. */
static unsigned int count_sends(const struct shard *shard, uintptr_t handle)
{
	unsigned int count = 0;
	if (!shard->room)
		return 0;
	for (uint32_t at = home_of(shard, handle); shard->at[at].handle; at = (at + 1) & (shard->room - 1))
		count += shard->at[at].handle == handle && shard->at[at].sends && !shard->at[at].persistent;
	return count;
}

bool heddle__mpi_request_add(const struct heddle_mpi_request *request)
{
	bool send = request->sends && !request->receives && !request->persistent;
	if (!request->handle)
		return true;
	if (send && is_common(request->handle))
		return false;
	struct shard *shard = lock_shard(request->handle);
	bool complete = send && count_sends(shard, request->handle) >= TWICE;
	if (!complete && (2 * shard->used < shard->room || grow(shard)))
		put(shard, request);
	unlock_shard(shard);
	if (complete)
		note_common(request->handle);
	return !complete;
}

/* Moves entries into the gap, so that searches need no mark there. */
static void take_out(struct shard *shard, uint32_t gap)
{
	uint32_t mask = shard->room - 1;
	for (uint32_t next = (gap + 1) & mask; shard->at[next].handle; next = (next + 1) & mask) {
		uint32_t home = home_of(shard, shard->at[next].handle);
		if (((next - home) & mask) < ((next - gap) & mask))
			continue;
		shard->at[gap] = shard->at[next];
		gap = next;
	}
	shard->at[gap].handle = 0;
	shard->used--;
}

static uint64_t returned(const struct heddle_mpi_request *request)
{
	return request->start + request->took;
}

/*
 * Returns the newest entry of that handle whose start had returned at `since`; -1: none. Context: the shard is locked.
 */
static inline int64_t find_request(const struct shard *shard, uintptr_t handle, uint64_t since)
{
	const struct heddle_mpi_request *entries = shard->at;
	uint32_t mask = shard->room - 1;
	uint64_t newest = 0;
	int64_t found = -1;
	if (!shard->room)
		return -1;
	for (uint32_t at = home_of(shard, handle); entries[at].handle; at = (at + 1) & mask) {
		uint64_t when = returned(&entries[at]);
		if (entries[at].handle != handle || when > since || (found >= 0 && when <= newest))
			continue;
		newest = when;
		found = at;
	}
	return found;
}

bool heddle__mpi_request_complete(uintptr_t handle, uint64_t since, struct heddle_mpi_request *request)
{
	struct shard *shard = lock_shard(handle);
	int64_t at = find_request(shard, handle, since);
	bool completes = at >= 0 && (shard->at[at].active || !shard->at[at].persistent);
	if (completes)
		*request = shard->at[at];
	if (completes && request->persistent)
		shard->at[at].active = false;
	else if (completes)
		take_out(shard, (uint32_t)at);
	unlock_shard(shard);
	return completes;
}

bool heddle__mpi_request_start(uintptr_t handle, uint64_t now, struct heddle_mpi_request *request)
{
	struct shard *shard = lock_shard(handle);
	int64_t at = find_request(shard, handle, UINT64_MAX);
	if (at >= 0) {
		shard->at[at].active = true;
		shard->at[at].start = now;
		shard->at[at].took = 0;
		shard->at[at].number = heddle__mpi_request_number();
		if (shard->at[at].partitioned)
			shard->at[at].parts.ready = 0;
		*request = shard->at[at];
	}
	unlock_shard(shard);
	return at >= 0;
}

bool heddle__mpi_request_ready(uintptr_t handle, uint64_t parts, struct heddle_mpi_request *request)
{
	struct shard *shard = lock_shard(handle);
	int64_t at = find_request(shard, handle, UINT64_MAX);
	bool all = false;
	if (at >= 0 && shard->at[at].partitioned && shard->at[at].active) {
		struct heddle_mpi_parts *of = &shard->at[at].parts;
		uint64_t left = of->count - of->ready;
		of->ready += parts < left ? parts : left;
		all = left && parts >= left;
		*request = shard->at[at];
	}
	unlock_shard(shard);
	return all;
}

void heddle__mpi_requests_each(void (*each)(const struct heddle_mpi_request *request, void *context), void *context)
{
	for (unsigned int s = 0; s < SHARDS; s++)
		for (uint32_t i = 0; i < shards[s].room; i++) {
			const struct heddle_mpi_request *one = &shards[s].at[i];
			if (one->handle && (one->active || !one->persistent))
				each(one, context);
		}
}

bool heddle__mpi_request_take(uintptr_t handle, struct heddle_mpi_request *request)
{
	struct shard *shard = lock_shard(handle);
	int64_t at = find_request(shard, handle, UINT64_MAX);
	if (at >= 0) {
		*request = shard->at[at];
		take_out(shard, (uint32_t)at);
	}
	unlock_shard(shard);
	return at >= 0;
}
