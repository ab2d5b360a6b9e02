/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of Heddle's own. Not in signal handlers. */
#include "core/host/own_thread.h"

#include <errno.h>

#include "core/host/host_functions.h"

#define OWN_STACK_SIZE ((size_t)256 << 10)

/* The program may be short of address space. A program with much thread-local storage needs more. */
static int create_small(pthread_t *thread, void *(*routine)(void *))
{
	pthread_attr_t attributes;
	int error = pthread_attr_init(&attributes);
	if (error)
		return error;
	pthread_attr_setstacksize(&attributes, OWN_STACK_SIZE);
	error = HEDDLE_REAL(pthread_create)(thread, &attributes, routine, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

int heddle__start_own_thread(pthread_t *thread, void *(*routine)(void *))
{
	sigset_t all, before;
	sigfillset(&all);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &all, &before);
	int error = create_small(thread, routine);
	if (error == EINVAL)
		error = HEDDLE_REAL(pthread_create)(thread, NULL, routine, NULL);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &before, NULL);
	return -error;
}
