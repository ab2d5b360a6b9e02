/* SPDX-License-Identifier: BSD-3-Clause */
/* Life cycle of Heddle in a process: starts before main, follows a fork, writes the profile when the process ends. */
#ifndef HEDDLE_CORE_PROCESS_H
#define HEDDLE_CORE_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Write the profile as it stands and go on, for a program whose end may not be seen; waits for its turn. 0 or -errno.
 * Context: any thread, not a signal handler.
 */
int heddle__write_now(const char *why);

/*
 * Start, unless that was done already: called by the library's constructor and by entry points that may be called
 * earlier. Context: init. Returns true if measurement is possible.
 */
bool heddle__start(void);

/*
 * End measurement and write the profile; later calls do nothing but wait for another thread that is writing it. Nothing
 * is done in a child that has the state of its parent or shares it: the parent writes its values. Context: any thread,
 * signal.
 */
void heddle__finish(const char *ended_by);

/* Write the profile as it stands and go on; 0 or -errno. Context: any thread, not a signal handler. */
int heddle__flush(void);

/* Before exec: write the profile, and stop what would affect the new program. After a failed exec: go on. */
void heddle__before_exec(void);
void heddle__after_failed_exec(void);

/* Before the process becomes that user, who is to go on writing; (uid_t)-1: it stays. Context: any thread, signal. */
void heddle__before_user(uid_t user);

/* Around a call by which the calling thread asks to be traced: if it succeeds, the thread is not sampled any more. */
void heddle__before_traced(void);
void heddle__after_traced(bool succeeded);

#endif
