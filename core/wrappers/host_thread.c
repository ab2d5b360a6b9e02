/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps thread creation: each new thread has its context before its first instruction. */
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "core/host/claimed_signal.h"
#include "core/host/host_functions.h"
#include "core/process/keeper.h"
#include "core/process/process.h"
#include "core/process/thread_life.h"
#include "core/threads/excluded.h"

static size_t stack_size_of(const pthread_attr_t *attributes)
{
	size_t size;
	if (attributes && pthread_attr_getstacksize(attributes, &size) == 0)
		return size;
	return heddle__default_stack_size();
}

static void *start_thread(void *argument)
{
	struct heddle_thread *thread = argument;
	void *(*routine)(void *) = (void *(*)(void *))thread->start.routine;
	void *routine_argument = thread->start.argument;
	heddle__own_claim = thread->start.own_claim;
	heddle__thread_begin(thread, thread->start.stack_size);
	return routine(routine_argument);
}

static int start_c11_thread(void *argument)
{
	struct heddle_thread *thread = argument;
	thrd_start_t routine = (thrd_start_t)thread->start.routine;
	void *routine_argument = thread->start.argument;
	heddle__own_claim = thread->start.own_claim;
	heddle__thread_begin(thread, thread->start.stack_size);
	return routine(routine_argument);
}

/* A context that passes routine and argument to the new thread; NULL: the thread is not measured. */
static struct heddle_thread *context_for(uintptr_t routine, void *argument, size_t stack_size)
{
	if (!heddle__start()) /* paused or frozen: it may be measured later */
		return NULL;
	struct heddle_thread *thread = heddle__thread_acquire(routine, HEDDLE_THREAD_OTHER);
	if (thread) {
		thread->start.argument = argument;
		thread->start.stack_size = stack_size;
		thread->start.own_claim = heddle__own_claim;
	}
	return thread;
}

/* ---- threads that the program excluded ---- */

static void *start_excluded(void *argument)
{
	struct heddle_excluded *self = argument;
	void *(*routine)(void *) = (void *(*)(void *))self->routine;
	void *routine_argument = self->argument;
	heddle__own_claim = self->own_claim;
	heddle__excluded_begin(self);
	return routine(routine_argument);
}

static int start_excluded_c11(void *argument)
{
	struct heddle_excluded *self = argument;
	thrd_start_t routine = (thrd_start_t)self->routine;
	void *routine_argument = self->argument;
	heddle__own_claim = self->own_claim;
	heddle__excluded_begin(self);
	return routine(routine_argument);
}

/* NULL: the new thread is not excluded, or there is no memory. */
static struct heddle_excluded *excluded_for(uintptr_t routine, void *argument)
{
	struct heddle_excluded *excluded =
		heddle__excludes_created() ? heddle__excluded_acquire(routine, argument) : NULL;
	if (excluded)
		excluded->own_claim = heddle__own_claim;
	return excluded;
}

static void after_excluded(struct heddle_excluded *created, bool succeeded)
{
	if (succeeded)
		heddle__keeper_start();
	else
		heddle__excluded_release(created);
}

/* ---- the wrappers ---- */

/* The keeper may be the thread that is one too many. */
static int create(pthread_t *new_thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
	int error = HEDDLE_REAL(pthread_create)(new_thread, attributes, routine, argument);
	if (error == EAGAIN && heddle__keeper_give_way())
		error = HEDDLE_REAL(pthread_create)(new_thread, attributes, routine, argument);
	return error;
}

static int create_c11(thrd_t *new_thread, thrd_start_t routine, void *argument)
{
	int error = HEDDLE_REAL(thrd_create)(new_thread, routine, argument);
	if (error != thrd_success && heddle__keeper_give_way())
		error = HEDDLE_REAL(thrd_create)(new_thread, routine, argument);
	return error;
}

static int create_any(pthread_t *new_thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
	struct heddle_excluded *excluded = excluded_for((uintptr_t)routine, argument);
	if (excluded) {
		int error = create(new_thread, attributes, start_excluded, excluded);
		after_excluded(excluded, !error);
		return error;
	}
	struct heddle_thread *thread = context_for((uintptr_t)routine, argument, stack_size_of(attributes));
	if (!thread)
		return HEDDLE_REAL(pthread_create)(new_thread, attributes, routine, argument);
	int error = create(new_thread, attributes, start_thread, thread);
	if (error)
		heddle__thread_release(thread);
	else
		heddle__keeper_start();
	return error;
}

HEDDLE_EXPORT int pthread_create(
	pthread_t *new_thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
	int held = heddle__hold_claim(), error = create_any(new_thread, attributes, routine, argument);
	heddle__release_claim(held);
	return error;
}

static int create_any_c11(thrd_t *new_thread, thrd_start_t routine, void *argument)
{
	struct heddle_excluded *excluded = excluded_for((uintptr_t)routine, argument);
	if (excluded) {
		int error = create_c11(new_thread, start_excluded_c11, excluded);
		after_excluded(excluded, error == thrd_success);
		return error;
	}
	struct heddle_thread *thread = context_for((uintptr_t)routine, argument, heddle__default_stack_size());
	if (!thread)
		return HEDDLE_REAL(thrd_create)(new_thread, routine, argument);
	int error = create_c11(new_thread, start_c11_thread, thread);
	if (error != thrd_success)
		heddle__thread_release(thread);
	else
		heddle__keeper_start();
	return error;
}

HEDDLE_EXPORT int thrd_create(thrd_t *new_thread, thrd_start_t routine, void *argument)
{
	int held = heddle__hold_claim(), error = create_any_c11(new_thread, routine, argument);
	heddle__release_claim(held);
	return error;
}
