/* SPDX-License-Identifier: BSD-3-Clause */
/* Heddle's own threads: all signals are blocked, the stack is small, and they are not measured unless they register. */
#ifndef HEDDLE_CORE_OWN_THREAD_H
#define HEDDLE_CORE_OWN_THREAD_H

/*
 * Starts a thread, which cannot be joined. Returns 0 or -errno. Context: a thread of the program, not a signal handler:
 * starting allocates, which a runtime of ThreadSanitizer allows only in threads that it has recorded.
 */
int heddle__start_own_thread(void *(*routine)(void *));

#endif
