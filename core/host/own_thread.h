/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of Heddle's own: with all signals blocked and a small stack, not measured unless they ask for it. */
#ifndef HEDDLE_CORE_OWN_THREAD_H
#define HEDDLE_CORE_OWN_THREAD_H

#include <pthread.h>

/* Start one. Returns 0 or -errno. Context: any thread, not a signal handler. */
int heddle__start_own_thread(pthread_t *thread, void *(*routine)(void *));

#endif
