/* SPDX-License-Identifier: BSD-3-Clause */
/* Life cycle of Heddle in a process: starts before main, follows a fork, writes the profile when the process ends. */
#ifndef HEDDLE_CORE_PROCESS_H
#define HEDDLE_CORE_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Writes the profile as it stands, for a program whose end may not be seen; waits for other writers. Returns 0 or
 * -errno. Context: any thread, not a signal handler.
 */
int heddle__write_now(const char *why);

/*
 * Starts Heddle, unless it has started: called by the library's constructor and by entry points that may be called
 * earlier. Context: init. Returns true if measurement is possible.
 */
bool heddle__start(void);

/*
 * Ends measurement and writes the profile; later calls only wait for another thread that is writing it. Does nothing in
 * a child that has the state of its parent or shares it: the parent writes its values. Context: any thread, signal.
 */
void heddle__finish(const char *ended_by);

/* Writes the profile as it stands and continues; 0 or -errno. Context: any thread, not a signal handler. */
int heddle__flush(void);

/* Before exec: writes the profile, and stops what would affect the new program. After a failed exec: resumes it. */
void heddle__before_exec(void);
void heddle__after_failed_exec(void);

/*
 * Called before the process changes to `user`, who must be able to write the trace; (uid_t)-1: no change. Context: any
 * thread, signal.
 */
void heddle__before_user(uid_t user);

/* Around a call by which the calling thread requests to be traced: if it succeeds, the thread is no longer sampled. */
void heddle__before_traced(void);
void heddle__after_traced(bool succeeded);

#endif
