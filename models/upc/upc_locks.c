/* SPDX-License-Identifier: BSD-3-Clause */
/* Identifies locks across processes, records them, and reports their waits and holders to core/blame. */
#include "models/upc/upc_locks.h"

#include "core/blame/blame.h"
#include "core/blame/blame_locks.h"
#include "core/threads/trace.h"
#include "models/upc/upc_arguments.h"
#include "models/upc/upc_vocabulary.h"

void heddle__upc_blame_join(struct heddle_thread *thread)
{
	if (!heddle__blames)
		return;
	heddle__enter(thread);
	heddle__blame_join_program("upc");
	heddle__blame_join(thread);
	heddle__leave(thread);
}

/* A lock, by a number that is the same in all processes; 0: unknown, without a bridge. */
struct lock {
	uint64_t number;
	int result; /* of an attempt */
};

static struct lock lock_of(struct heddle_upc_notice *notice)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	struct heddle_upc_arguments arguments = {0};
	heddle__upc_decode(notice->kind, notice->type != GASP_START, &notice->list, &arguments);
	struct lock lock = {.result = arguments.result};
	if (bridge && bridge->threadof && bridge->addrfield && arguments.lock)
		lock.number =
			((uint64_t)bridge->threadof(arguments.lock) + 1) << 48 ^ bridge->addrfield(arguments.lock);
	return lock;
}

static void release(struct heddle_thread *thread, struct lock lock)
{
	if (heddle__blames)
		heddle__blame_release(thread, HEDDLE_SCOPE_PROGRAM, lock.number);
}

/*
 * Records for blame that the thread has acquired the lock, in the client's code. Without sampling, the innermost entry
 * at its release is charged.
 */
static void hold(struct heddle_thread *thread, const struct heddle_upc_notice *notice, struct lock lock)
{
	uint32_t path = UINT32_MAX;
	if (!heddle__blames)
		return;
	if (heddle__capture && !thread->off)
		path = heddle__caller_path(thread, notice->call.pc, notice->call.sp, notice->call.bp).node;
	heddle__blame_hold(thread, HEDDLE_SCOPE_PROGRAM, lock.number, false, path);
}

/* ---- GASP_UPC_LOCK ---- */

void heddle__upc_lock_start(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct lock lock = lock_of(notice);
	heddle__upc_begin(thread, notice);
	heddle__record_lock(thread, lock.number);
	if (heddle__blames)
		heddle__blame_wait(thread, HEDDLE_SCOPE_PROGRAM, lock.number);
}

void heddle__upc_lock_end(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct lock lock = lock_of(notice);
	heddle__region_end(thread, notice->kind->event);
	heddle__record_lock(thread, lock.number);
	hold(thread, notice, lock);
}

void heddle__upc_lock_atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct lock lock = lock_of(notice);
	heddle__upc_count(thread, notice);
	heddle__record_lock(thread, lock.number);
	hold(thread, notice, lock);
}

void heddle__upc_lock_hold(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	hold(thread, notice, lock_of(notice));
}

/* ---- GASP_UPC_LOCK_ATTEMPT: does not wait; it may fail ---- */

void heddle__upc_attempt_start(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct lock lock = lock_of(notice);
	heddle__upc_begin(thread, notice);
	heddle__record_lock(thread, lock.number);
}

static void attempted(struct heddle_thread *thread, struct heddle_upc_notice *notice, struct lock lock)
{
	if (!lock.result)
		return;
	heddle__record_lock(thread, lock.number);
	hold(thread, notice, lock);
}

void heddle__upc_attempt_end(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct lock lock = lock_of(notice);
	heddle__region_end(thread, notice->kind->event);
	attempted(thread, notice, lock);
}

void heddle__upc_attempt_atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct lock lock = lock_of(notice);
	heddle__upc_count(thread, notice);
	attempted(thread, notice, lock);
}

void heddle__upc_attempt_hold(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct lock lock = lock_of(notice);
	if (lock.result)
		hold(thread, notice, lock);
}

/* ---- GASP_UPC_UNLOCK ---- */

void heddle__upc_unlock_start(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct lock lock = lock_of(notice);
	release(thread, lock);
	heddle__upc_begin(thread, notice);
	heddle__record_lock(thread, lock.number);
}

void heddle__upc_unlock_end(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct lock lock = lock_of(notice);
	heddle__region_end(thread, notice->kind->event);
	heddle__record_lock(thread, lock.number);
}

void heddle__upc_unlock_atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct lock lock = lock_of(notice);
	release(thread, lock);
	heddle__upc_count(thread, notice);
	heddle__record_lock(thread, lock.number);
}

void heddle__upc_lock_release(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	release(thread, lock_of(notice));
}
