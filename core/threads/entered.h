/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which function is inside, for functions that the program's own code calls: a signal handler may interrupt one and
 * leave by siglongjmp. The thread would stay inside for ever. Its next event finds that out, and takes the place of the
 * abandoned one. Must not be used where events of the same thread nest.
 */
#ifndef HEDDLE_CORE_ENTERED_H
#define HEDDLE_CORE_ENTERED_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/base/frame.h"
#include "core/base/likely.h"
#include "core/threads/thread.h"

/* ---- the fast path, if nothing is inside. Context of all: owner thread ---- */

/* False, too, in a handler that interrupted one of the two functions below, which may still have to catch up. */
static inline bool heddle__may_enter(const struct heddle_thread *thread)
{
	return HEDDLE_LIKELY(!atomic_load_explicit(&thread->inside, memory_order_relaxed) && !thread->entered.record);
}

/*
 * As heddle__enter and heddle__leave. `record` is that of the function that the program called. In this order, since an
 * event of a handler that interrupts one of the two must find the function, and restores it.
 */
static inline void heddle__enter_as(struct heddle_thread *thread, const struct heddle_frame_record *record)
{
	thread->entered.record = record;
	atomic_signal_fence(memory_order_seq_cst);
	thread->entered.pc = record->pc;
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&thread->inside, 1, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
}

static inline void heddle__leave_as(struct heddle_thread *thread)
{
	heddle__leave(thread);
	thread->entered.pc = 0;
	atomic_signal_fence(memory_order_seq_cst);
	thread->entered.record = NULL;
}

/* ---- the slow path, always possible ---- */

/*
 * False: the thread is inside, and the caller runs in a signal handler that interrupted that. True: entered, in the
 * place of a function that was abandoned, if there was one; deferred events have been processed. `outer` is for
 * heddle__leave_over.
 */
bool heddle__enter_over(
	struct heddle_thread *thread, const struct heddle_frame_record *record, struct heddle_entered *outer);

/* As heddle__enter_over, which is not called if nothing is inside. */
static inline bool heddle__enter_event(
	struct heddle_thread *thread, const struct heddle_frame_record *record, struct heddle_entered *outer)
{
	if (!heddle__may_enter(thread))
		return heddle__enter_over(thread, record, outer);
	*outer = (struct heddle_entered){0};
	heddle__enter_as(thread, record);
	return true;
}

static inline void heddle__leave_over(struct heddle_thread *thread, const struct heddle_entered *outer)
{
	heddle__leave(thread);
	thread->entered.pc = outer->pc;
	atomic_signal_fence(memory_order_seq_cst);
	thread->entered.record = outer->record;
}

#endif
