/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurement ends once, by one thread; others that end the process meanwhile wait until the profile is written. */
#ifndef HEDDLE_CORE_ENDING_H
#define HEDDLE_CORE_ENDING_H

#include <stdbool.h>

/*
 * Returns true if the caller must end measurement, and call heddle__end_done afterwards. Returns false if another
 * thread has ended it, or was waited for as by heddle__end_await. Context: any thread, signal.
 */
bool heddle__end_begin(void);
void heddle__end_done(void);

/* True if a thread, maybe the caller, has begun to end measurement; if it has not called heddle__end_done yet. */
bool heddle__end_has_begun(void);
bool heddle__end_in_progress(void);

/*
 * If another thread is ending measurement, waits until it is done: at most some seconds, and not for a thread that no
 * longer exists. Context: any thread, signal.
 */
void heddle__end_await(void);

/* Context: the child's only thread. */
void heddle__end_after_fork(void);

#endif
