/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurement ends once, by one thread; others that end the process meanwhile wait until the profile is written. */
#ifndef HEDDLE_CORE_ENDING_H
#define HEDDLE_CORE_ENDING_H

#include <stdbool.h>

/*
 * True: the caller is to end measurement, and calls heddle__end_done afterwards. False: another thread has done it, or
 * was waited for as by heddle__end_await. Context: any thread, signal.
 */
bool heddle__end_begin(void);
void heddle__end_done(void);

/* A thread, perhaps the caller, has begun to end measurement. / It has not called heddle__end_done yet. */
bool heddle__end_has_begun(void);
bool heddle__end_in_progress(void);

/*
 * If another thread is ending measurement, wait until it is done: at most some seconds, and not for a thread that does
 * not exist any more. Context: any thread, signal.
 */
void heddle__end_await(void);

/* Context: the child's only thread. */
void heddle__end_after_fork(void);

#endif
