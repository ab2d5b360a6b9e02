/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The keeper: Heddle's own thread, for work that cannot run in signal handlers and should not run in threads of the
 * program. It exists only while the program has several threads, or when a setting needs it. It is stopped during calls
 * that the kernel refuses to processes with several threads, or that affect all threads (host_alone.c).
 */
#ifndef HEDDLE_CORE_KEEPER_H
#define HEDDLE_CORE_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

struct heddle_thread;

/* `flush` writes the profile; the keeper calls it every HEDDLE_FLUSH_SECONDS. Context: init. */
void heddle__keeper_init(int (*flush)(void));

/* Starts the keeper if it is needed and not running. Context: init; the child of a fork; after a thread was created. */
void heddle__keeper_start(void);

/* Stops the keeper for good; does not wait for its end. Context: any thread, signal. */
void heddle__keeper_stop(void);

/* Resets the state: the child of a fork has no keeper. Context: the child's only thread. */
void heddle__keeper_after_fork(void);

/* A call during which the keeper does not run. */
struct heddle_alone {
	bool left;       /* it was running, and was stopped */
	bool in_handler; /* the call may have been made by a signal handler */
};

/*
 * heddle__keeper_leave stops the keeper before a call during which the process may have threads of the program only.
 * When it returns, the kernel has no thread of Heddle, unless it did not end within two seconds. heddle__keeper_return
 * starts the keeper again if it is still needed. Both preserve errno. Context: any thread, signal handlers of the
 * program.
 */
void heddle__keeper_leave(struct heddle_alone *alone);
void heddle__keeper_return(const struct heddle_alone *alone);

/* Stops the keeper for good if the program could not create a thread. True if it has ended. Context: any thread. */
bool heddle__keeper_give_way(void);

/* Never starts it again: the program may have forbidden system calls that a new thread needs. Context: any thread. */
void heddle__keeper_bar(void);

/*
 * Does the work of the keeper while there is none, in the handler of a sample at `pc`: calibrates the clock and, in a
 * process of one thread, refreshes the list of modules. Context: owner thread, inside, signal.
 */
void heddle__keeper_stand_in(struct heddle_thread *thread, uintptr_t pc);

/*
 * Called when the program's last thread ends: stops the keeper and waits until it has ended, so that exit handlers run
 * in the thread that runs them without Heddle. Context: that thread.
 */
void heddle__keeper_end_before_last(void);

#endif
