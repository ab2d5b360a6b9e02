/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps thread creation: each new thread has its context before its first instruction. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <threads.h>

#include "core/base/frame.h"
#include "core/host/claimed_signal.h"
#include "core/host/host_functions.h"
#include "core/host/host_signal.h"
#include "core/host/signal_action.h"
#include "core/process/keeper.h"
#include "core/process/process.h"
#include "core/process/thread_life.h"
#include "core/threads/creator.h"
#include "core/threads/excluded.h"

static size_t stack_size_of(const pthread_attr_t *attributes)
{
	size_t size;
	if (attributes && pthread_attr_getstacksize(attributes, &size) == 0)
		return size;
	return heddle__default_stack_size();
}

/* ---- signals while a thread begins ---- */

/* True if the new thread gets its mask from the attributes, not from its creator. */
static bool has_own_mask(const pthread_attr_t *attributes, sigset_t *mask)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
	return attributes && pthread_attr_getsigmask_np(attributes, mask) == 0;
#else
	(void)attributes, (void)mask;
	return false;
#endif
}

/*
 * Blocks signals while a thread is created, so that Heddle's code runs first in it, and no handler of the program: an
 * event there would find no context. `held` is set to the signals to unblock. Faults cannot wait, and are not blocked;
 * nor is the claimed signal: if the program has blocked it, heddle__hold_claim does that.
 */
static void hold_signals(const pthread_attr_t *attributes, sigset_t *held)
{
	sigset_t wanted, before;
	sigemptyset(held);
	if (has_own_mask(attributes, &before))
		return;
	sigfillset(&wanted);
	for (int number = 1; number < NSIG; number++) {
		if (heddle__is_fault(number) || number == heddle__claimed_signal())
			sigdelset(&wanted, number);
	}
	HEDDLE_REAL(pthread_sigmask)(SIG_BLOCK, &wanted, &before);
	for (int number = 1; number < NSIG; number++) {
		if (sigismember(&wanted, number) == 1 && sigismember(&before, number) != 1)
			sigaddset(held, number);
	}
}

/* Unblocks the signals. If the claim has moved to one of them meanwhile, the program had not blocked it. */
static void release_signals(const sigset_t *held)
{
	int own = heddle__own_claim;
	if (own < 0 && sigismember(held, -own) == 1)
		heddle__own_claim = -own;
	HEDDLE_REAL(pthread_sigmask)(SIG_UNBLOCK, held, NULL);
}

/* Returns heddle__own_claim for the new thread, which determines whether it sees the claimed signal as blocked. */
static int claim_of_new(const pthread_attr_t *attributes)
{
	sigset_t mask;
	int number = abs(heddle__own_claim);
	if (!number || !has_own_mask(attributes, &mask))
		return heddle__own_claim;
	return sigismember(&mask, number) == 1 ? -number : number;
}

/* ---- measured threads ---- */

/* A separate function, so that the start routine is called by a jump: no frame of Heddle stays on the stack. */
__attribute__((noinline)) static void begin(struct heddle_thread *thread)
{
	sigset_t held = thread->start.held;
	heddle__own_claim = thread->start.own_claim;
	heddle__thread_begin(thread, thread->start.stack_size);
	release_signals(&held);
}

static void *start_thread(void *argument)
{
	struct heddle_thread *thread = argument;
	void *(*routine)(void *) = (void *(*)(void *))thread->start.routine;
	void *routine_argument = thread->start.argument;
	begin(thread);
	return routine(routine_argument);
}

static int start_c11_thread(void *argument)
{
	struct heddle_thread *thread = argument;
	thrd_start_t routine = (thrd_start_t)thread->start.routine;
	void *routine_argument = thread->start.argument;
	begin(thread);
	return routine(routine_argument);
}

/* The program's request, and the call that makes it. */
struct request {
	uintptr_t routine;
	void *argument;
	const pthread_attr_t *attributes;
	struct heddle_creation call;
};

/* Returns a context that passes routine and argument to the new thread; NULL: the thread is not measured. */
static struct heddle_thread *context_for(const struct request *request)
{
	if (!heddle__start()) /* paused or frozen: it may be measured later */
		return NULL;
	uint32_t creator = heddle__creation_node(heddle__thread_self(), &request->call);
	struct heddle_thread *thread = heddle__thread_acquire(request->routine, HEDDLE_THREAD_OTHER);
	if (thread) {
		thread->start.argument = request->argument;
		thread->start.creator = creator;
		thread->start.stack_size = stack_size_of(request->attributes);
		thread->start.own_claim = claim_of_new(request->attributes);
	}
	return thread;
}

/* ---- threads that the program excluded ---- */

__attribute__((noinline)) static void begin_excluded(struct heddle_excluded *self)
{
	sigset_t held = self->held;
	heddle__own_claim = self->own_claim;
	heddle__excluded_begin(self);
	release_signals(&held);
}

static void *start_excluded(void *argument)
{
	struct heddle_excluded *self = argument;
	void *(*routine)(void *) = (void *(*)(void *))self->routine;
	void *routine_argument = self->argument;
	begin_excluded(self);
	return routine(routine_argument);
}

static int start_excluded_c11(void *argument)
{
	struct heddle_excluded *self = argument;
	thrd_start_t routine = (thrd_start_t)self->routine;
	void *routine_argument = self->argument;
	begin_excluded(self);
	return routine(routine_argument);
}

/* Returns the record of a thread to be excluded; NULL: it is not excluded, or there is no memory. */
static struct heddle_excluded *excluded_for(uintptr_t routine, void *argument, const pthread_attr_t *attributes)
{
	struct heddle_excluded *excluded =
		heddle__excludes_created() ? heddle__excluded_acquire(routine, argument) : NULL;
	if (excluded)
		excluded->own_claim = claim_of_new(attributes);
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

/* Creates a thread; sets `held`, which the new thread reads, to the signals to unblock. */
static int create_once(pthread_t *new_thread, const pthread_attr_t *attributes, void *(*routine)(void *),
	void *argument, sigset_t *held)
{
	sigset_t own;
	hold_signals(attributes, &own);
	*held = own;
	int error = HEDDLE_REAL(pthread_create)(new_thread, attributes, routine, argument);
	release_signals(&own);
	return error;
}

static int create_c11_once(thrd_t *new_thread, thrd_start_t routine, void *argument, sigset_t *held)
{
	sigset_t own;
	hold_signals(NULL, &own);
	*held = own;
	int error = HEDDLE_REAL(thrd_create)(new_thread, routine, argument);
	release_signals(&own);
	return error;
}

/* Retries without the keeper: it may be the thread that exceeds the limit. */
static int create(pthread_t *new_thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument,
	sigset_t *held)
{
	int error = create_once(new_thread, attributes, routine, argument, held);
	if (error == EAGAIN && heddle__keeper_give_way())
		error = create_once(new_thread, attributes, routine, argument, held);
	return error;
}

static int create_c11(thrd_t *new_thread, thrd_start_t routine, void *argument, sigset_t *held)
{
	int error = create_c11_once(new_thread, routine, argument, held);
	if (error != thrd_success && heddle__keeper_give_way())
		error = create_c11_once(new_thread, routine, argument, held);
	return error;
}

static struct heddle_creation creation(struct heddle_call call, uintptr_t function)
{
	return (struct heddle_creation){.pc = call.pc, .sp = call.sp, .bp = call.bp, .function = function};
}

static int create_any(pthread_t *new_thread, const struct request *request)
{
	const pthread_attr_t *attributes = request->attributes;
	void *(*routine)(void *) = (void *(*)(void *))request->routine;
	struct heddle_excluded *excluded = excluded_for(request->routine, request->argument, attributes);
	if (excluded) {
		int error = create(new_thread, attributes, start_excluded, excluded, &excluded->held);
		after_excluded(excluded, !error);
		return error;
	}
	struct heddle_thread *thread = context_for(request);
	if (!thread)
		return HEDDLE_REAL(pthread_create)(new_thread, attributes, routine, request->argument);
	int error = create(new_thread, attributes, start_thread, thread, &thread->start.held);
	if (error)
		heddle__thread_release(thread);
	else
		heddle__keeper_start();
	return error;
}

HEDDLE_EXPORT int pthread_create(
	pthread_t *new_thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
	const struct request request = {.routine = (uintptr_t)routine,
		.argument = argument,
		.attributes = attributes,
		.call = creation(heddle__call_here(), (uintptr_t)HEDDLE_REAL(pthread_create))};
	int held = heddle__hold_claim(), error = create_any(new_thread, &request);
	heddle__release_claim(held);
	return error;
}

static int create_any_c11(thrd_t *new_thread, const struct request *request)
{
	thrd_start_t routine = (thrd_start_t)request->routine;
	struct heddle_excluded *excluded = excluded_for(request->routine, request->argument, NULL);
	if (excluded) {
		int error = create_c11(new_thread, start_excluded_c11, excluded, &excluded->held);
		after_excluded(excluded, error == thrd_success);
		return error;
	}
	struct heddle_thread *thread = context_for(request);
	if (!thread)
		return HEDDLE_REAL(thrd_create)(new_thread, routine, request->argument);
	int error = create_c11(new_thread, start_c11_thread, thread, &thread->start.held);
	if (error != thrd_success)
		heddle__thread_release(thread);
	else
		heddle__keeper_start();
	return error;
}

HEDDLE_EXPORT int thrd_create(thrd_t *new_thread, thrd_start_t routine, void *argument)
{
	const struct request request = {.routine = (uintptr_t)routine,
		.argument = argument,
		.call = creation(heddle__call_here(), (uintptr_t)HEDDLE_REAL(thrd_create))};
	int held = heddle__hold_claim(), error = create_any_c11(new_thread, &request);
	heddle__release_claim(held);
	return error;
}

/*
 * ---- clone ----
 *
 * A thread without thread-local storage of its own finds its creator's context in the storage, and must not change it.
 * Reading more arguments than were passed is harmless, as in the C library's own function.
 */
HEDDLE_EXPORT int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
	va_list more;
	va_start(more, argument);
	pid_t *parent_tid = va_arg(more, pid_t *);
	void *storage = va_arg(more, void *);
	pid_t *child_tid = va_arg(more, pid_t *);
	va_end(more);
	if ((flags & CLONE_VM) && !(flags & (CLONE_SETTLS | CLONE_VFORK)))
		heddle__threads_share_storage();
	return HEDDLE_REAL(clone)(function, stack, flags, argument, parent_tid, storage, child_tid);
}
