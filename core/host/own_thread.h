/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of Heddle's own: with all signals blocked and a small stack, not measured unless they ask for it. */
#ifndef HEDDLE_CORE_OWN_THREAD_H
#define HEDDLE_CORE_OWN_THREAD_H

/*
 * Start one. It cannot be joined. Returns 0 or -errno. Context: a thread of the program, not a signal handler: starting
 * allocates, which a runtime of ThreadSanitizer allows in threads that it knows alone.
 */
int heddle__start_own_thread(void *(*routine)(void *));

#endif
