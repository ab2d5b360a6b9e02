/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks over the network. A request for a lock is answered when it is the requesting thread's turn. A lock is released
 * by a message that fences wait for: a thread that detects the release by a strict access or a barrier finds the lock
 * free.
 */
#include <stdlib.h>

#include "upc/runtime/base/wait.h"
#include "upc/runtime/end/fatal.h"
#include "upc/runtime/memory/heap_block.h"
#include "upc/runtime/memory/range.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/sync/lock.h"
#include "upc/runtime/sync/meeting.h"

enum result { TAKEN, BUSY, NO_LOCK, HELD_ALREADY, ORPHANED };

struct request {
	uint32_t message; /* enum hupc__message */
	int32_t attempt;  /* or status, in HUPC__MESSAGE_ORPHAN */
	uint64_t offset;
};

struct answer {
	int32_t result; /* enum result */
	int32_t holder, status;
};

_Noreturn void hupc__no_lock(const struct hupc__site *site, const char *what, upcrt_shared pointer)
{
	if (!pointer)
		hupc__fatal(site, "%s of a null lock pointer", what);
	hupc__fatal(site, "%s of something that is not a lock, or was freed before", what);
}

/* ---- in the owner's process. Context: handler ---- */

/* The threads that wait for a lock of this thread, in order of arrival. */
static struct waiter {
	struct waiter *next;
	uint64_t offset;
	struct hupc__ticket ticket;
} * first, **end = &first;

static struct hupc__lock *lock_at(uint64_t offset)
{
	struct hupc__lock *lock = UPCRT_ADDRESS(UPCRT_POINTER(0, hupc__mythread, offset));
	bool possible = hupc__in_own_range(offset, sizeof(*lock)) && offset % _Alignof(struct hupc__lock) == 0;
	return possible && lock->magic == HUPC__NETWORK_LOCK_MAGIC ? lock : NULL;
}

static void answer(const struct hupc__ticket *ticket, enum result result, const struct hupc__lock *lock)
{
	struct answer answer = {result, lock ? atomic_load(&lock->owner) - 1 : -1, lock ? lock->status : 0};
	hupc__network->answer(ticket, &answer, sizeof(answer));
}

static void give_to(struct hupc__lock *lock, const struct hupc__ticket *ticket)
{
	atomic_store(&lock->owner, ticket->thread + 1);
	answer(ticket, TAKEN, lock);
}

static void enqueue(uint64_t offset, const struct hupc__ticket *ticket)
{
	struct waiter *waiter = malloc(sizeof(*waiter));
	if (!waiter)
		abort();
	*waiter = (struct waiter){NULL, offset, *ticket};
	*end = waiter;
	end = &waiter->next;
}

/* Removes the first waiter for that lock from the list; the caller frees it. NULL: none. */
static struct waiter *dequeue(uint64_t offset)
{
	for (struct waiter **at = &first; *at; at = &(*at)->next) {
		struct waiter *waiter = *at;
		if (waiter->offset != offset)
			continue;
		*at = waiter->next;
		end = waiter->next ? end : at;
		return waiter;
	}
	return NULL;
}

static bool is_request(size_t size, bool asked, const struct hupc__ticket *ticket)
{
	return size == sizeof(struct request) && !ticket == !asked;
}

static bool receive_lock(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	const struct request *it = message;
	if (!is_request(size, true, ticket))
		return false;
	struct hupc__lock *lock = lock_at(it->offset);
	if (!lock)
		answer(ticket, NO_LOCK, NULL);
	else if (!atomic_load(&lock->owner))
		give_to(lock, ticket);
	else if (lock->orphaned)
		answer(ticket, ORPHANED, lock);
	else if (it->attempt)
		answer(ticket, BUSY, lock);
	else if (atomic_load(&lock->owner) == from + 1)
		answer(ticket, HELD_ALREADY, lock);
	else
		enqueue(it->offset, ticket);
	return true;
}
HUPC__RECEIVE(LOCK, receive_lock, "upc_lock")

static bool receive_unlock(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	if (!is_request(size, false, ticket))
		return false;
	uint64_t offset = ((const struct request *)message)->offset;
	struct hupc__lock *lock = lock_at(offset);
	struct waiter *next;
	/* The lock may have been freed while it was held, and this one allocated at its place since then. */
	if (!lock || atomic_load(&lock->owner) != from + 1)
		return true;
	next = dequeue(offset);
	atomic_store(&lock->owner, 0);
	if (next)
		give_to(lock, &next->ticket);
	free(next);
	return true;
}
HUPC__RECEIVE(UNLOCK, receive_unlock, "upc_unlock")

static bool receive_freed(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	if (!is_request(size, true, ticket))
		return false;
	struct hupc__lock *lock = lock_at(((const struct request *)message)->offset);
	(void)from;
	answer(ticket, lock ? TAKEN : NO_LOCK, lock);
	if (lock)
		lock->magic = 0;
	return true;
}
HUPC__RECEIVE(FREED, receive_freed, "upc_lock_free")

static bool receive_orphan(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	const struct request *it = message;
	if (!is_request(size, false, ticket))
		return false;
	struct hupc__lock *lock = lock_at(it->offset);
	struct waiter *waiter;
	if (!lock || atomic_load(&lock->owner) != from + 1)
		return true;
	lock->orphaned = true;
	lock->status = it->attempt;
	while ((waiter = dequeue(it->offset)) != NULL) {
		answer(&waiter->ticket, ORPHANED, lock);
		free(waiter);
	}
	return true;
}
HUPC__RECEIVE(ORPHAN, receive_orphan, "a lock whose holder ends")

/* ---- in the process of the requesting thread ---- */

static struct held {
	struct held *next;
	upcrt_shared lock;
} * held;
static struct hupc__mutex held_mutex; /* several threads of a process may hold locks */

static void remember(const struct hupc__site *site, upcrt_shared pointer)
{
	struct held *it = malloc(sizeof(*it));
	if (!it)
		hupc__fatal(site, "upc_lock: out of memory");
	it->lock = pointer;
	hupc__mutex_lock(&held_mutex);
	it->next = held;
	held = it;
	hupc__mutex_unlock(&held_mutex);
}

/* Returns true if the lock was held. */
static bool forget(upcrt_shared pointer)
{
	struct held **at = &held, *found;
	hupc__mutex_lock(&held_mutex);
	while (*at && (*at)->lock != pointer)
		at = &(*at)->next;
	found = *at;
	if (found)
		*at = found->next;
	hupc__mutex_unlock(&held_mutex);
	free(found);
	return found;
}

static struct answer ask(upcrt_shared pointer, enum hupc__message message, int attempt)
{
	struct request request = {message, attempt, UPCRT_OFFSET(pointer)};
	struct answer answer = {NO_LOCK, 0, 0};
	if (hupc__in_range(pointer, sizeof(struct hupc__lock)))
		hupc__network->ask((int)UPCRT_THREAD(pointer), &request, sizeof(request), &answer, sizeof(answer));
	return answer;
}

bool hupc__network_lock(const struct hupc__site *site, const char *what, upcrt_shared pointer, bool attempt)
{
	struct answer answer = ask(pointer, HUPC__MESSAGE_LOCK, attempt);
	if (answer.result == NO_LOCK)
		hupc__no_lock(site, what, pointer);
	if (answer.result == HELD_ALREADY)
		hupc__fatal(site, "upc_lock of a lock that this thread holds already");
	if (answer.result == ORPHANED && !attempt)
		hupc__waits_forever(site, what, answer.holder, answer.status);
	hupc__memory_may_be_freed();
	if (answer.result == TAKEN)
		remember(site, pointer);
	hupc__order();
	return answer.result == TAKEN;
}

static void release(upcrt_shared pointer)
{
	struct request request = {HUPC__MESSAGE_UNLOCK, 0, UPCRT_OFFSET(pointer)};
	hupc__network->send_as_put((int)UPCRT_THREAD(pointer), &request, sizeof(request));
}

void hupc__network_unlock(const struct hupc__site *site, upcrt_shared pointer)
{
	hupc__order();
	if (!forget(pointer)) {
		if (!hupc__in_range(pointer, sizeof(struct hupc__lock)))
			hupc__no_lock(site, "upc_unlock", pointer);
		hupc__fatal(site, "upc_unlock of a lock that this thread does not hold");
	}
	release(pointer);
}

void hupc__network_lock_free(const struct hupc__site *site, const char *what, upcrt_shared pointer)
{
	if (ask(pointer, HUPC__MESSAGE_FREED, 0).result == NO_LOCK)
		hupc__no_lock(site, what, pointer);
	forget(pointer);
}

void hupc__network_orphan_locks(int status)
{
	for (const struct held *it = held; it; it = it->next) {
		struct request request = {HUPC__MESSAGE_ORPHAN, status, UPCRT_OFFSET(it->lock)};
		hupc__network->send((int)UPCRT_THREAD(it->lock), &request, sizeof(request));
	}
}
