/* SPDX-License-Identifier: BSD-3-Clause */
/* Life cycle of a measured thread: its context begins and ends. */
#ifndef HEDDLE_CORE_THREAD_LIFE_H
#define HEDDLE_CORE_THREAD_LIFE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/likely.h"
#include "core/threads/thread.h"

/* Prepares what the functions below need. Returns 0 or -errno. Context: init. */
int heddle__threads_init(void);

/*
 * Makes `thread`, which was acquired, the context of the calling thread, and notifies the front ends. Returns the
 * thread's context, which is another one if an event in a signal handler came first. Context: owner.
 */
struct heddle_thread *heddle__thread_begin(struct heddle_thread *thread, size_t stack_size);

/*
 * Returns the context of the calling thread, created if it has none and has not ended. NULL: no memory, measurement is
 * not running, or the thread is excluded. Context: any thread, signal.
 */
struct heddle_thread *heddle__thread_make(unsigned int role);

static inline struct heddle_thread *heddle__thread_ensure(unsigned int role)
{
	struct heddle_thread *thread = heddle__thread_self();
	return HEDDLE_LIKELY(thread) ? thread : heddle__thread_make(role);
}

/*
 * Returns a context for events of the calling thread after its own context has ended, in signal handlers and exit
 * handlers. Events are counted in it, but no time. NULL: no context has ended, or as for heddle__thread_make. Context:
 * any thread, signal.
 */
struct heddle_thread *heddle__thread_resume(void);

/*
 * Called before threads may share the thread-local storage of another (clone). Their contexts are found by their kernel
 * ids, and have only events: no samples, no time. Context: any thread.
 */
void heddle__threads_share_storage(void);
extern _Atomic bool heddle__shares_storage;

static inline bool heddle__storage_is_shared(void)
{
	return HEDDLE_UNLIKELY(atomic_load_explicit(&heddle__shares_storage, memory_order_relaxed));
}

/* The context of the calling thread; `thread`, from its storage, may be another's. Context: any thread, signal. */
struct heddle_thread *heddle__thread_really(struct heddle_thread *thread);

/*
 * Returns the context of the calling thread, created as above, and entered (core/threads/thread.h): heddle__leave must
 * be called. NULL: it has none, or Heddle is the caller. Context: any thread, not a signal handler.
 */
static inline struct heddle_thread *heddle__thread_enter(void)
{
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	if (heddle__storage_is_shared())
		thread = heddle__thread_really(thread);
	if (!thread || HEDDLE_UNLIKELY(atomic_load_explicit(&thread->inside, memory_order_relaxed)))
		return NULL;
	heddle__enter(thread);
	return thread;
}

/* Ends the context of the calling thread: charges outstanding time, notifies the front ends. Context: owner thread. */
void heddle__thread_end(struct heddle_thread *thread);

/* Resets all contexts; the caller's stays in use. Context: the child's only thread, after a fork. */
void heddle__threads_after_fork(void);

/* The stack size in bytes of threads that are created without attributes. Context: any thread. */
size_t heddle__default_stack_size(void);

#endif
