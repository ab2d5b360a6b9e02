/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples threads whose creation Heddle did not intercept. */
#ifndef HEDDLE_SAMPLING_DISCOVER_H
#define HEDDLE_SAMPLING_DISCOVER_H

#include "sampling/sampler.h"

/* Determines whether there can be threads whose creation Heddle did not intercept. Context: init. */
void heddle__discover_init(void);

/* True if there can be such threads: signals may hit threads that share storage. Context: any thread, signal. */
bool heddle__discovers_threads(void);

/* Searches for new threads, and arms a timer for each. Context: the keeper. */
void heddle__discover_threads(void);

/* Does so for a list of threads; if it has `all`, releases what ended threads left. Context: the keeper. */
void heddle__discover_listed(const pid_t *tids, size_t count, bool all);

/* Begins and returns the context prepared for the calling thread; NULL: none. Context: signal. */
struct heddle_thread *heddle__discovered_self(void);

#endif
