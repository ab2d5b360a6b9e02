/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts Heddle's own threads. Not for signal handlers. */
#include "core/host/own_thread.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "core/host/host_functions.h"

#define OWN_STACK_SIZE ((size_t)256 << 10)

/*
 * Creates a detached thread: a runtime of ThreadSanitizer that was preloaded before Heddle has not recorded the thread,
 * and ends the program if it is joined. `stack_size` 0: the default.
 */
static int create(size_t stack_size, void *(*routine)(void *))
{
	pthread_t thread;
	pthread_attr_t attributes;
	int error = pthread_attr_init(&attributes);
	if (error)
		return error;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (stack_size)
		pthread_attr_setstacksize(&attributes, stack_size);
	error = HEDDLE_REAL(pthread_create)(&thread, &attributes, routine, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

/* Starts with a small stack, to save address space; with the default if thread-local storage needs more (EINVAL). */
int heddle__start_own_thread(void *(*routine)(void *))
{
	sigset_t all, before;
	sigfillset(&all);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &all, &before);
	int error = create(OWN_STACK_SIZE, routine);
	if (error == EINVAL)
		error = create(0, routine);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &before, NULL);
	return -error;
}
