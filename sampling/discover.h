/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampling of threads whose creation Heddle did not see. */
#ifndef HEDDLE_SAMPLING_DISCOVER_H
#define HEDDLE_SAMPLING_DISCOVER_H

#include "sampling/sampler.h"

/* Find out whether there can be such threads. Context: init. */
void heddle__discover_init(void);

/* True if there can be: then a signal may also hit a thread that shares another one's storage. Context: any, signal. */
bool heddle__discovers_threads(void);

/* Look for new ones, and arm a timer for each. Context: the keeper. */
void heddle__discover_threads(void);

/* The same for threads just listed; if those are all, release what ended threads left. Context: the keeper. */
void heddle__discover_listed(const pid_t *tids, size_t count, bool all);

/* Begin and return the context prepared for the calling thread; NULL: none. Context: signal. */
struct heddle_thread *heddle__discovered_self(void);

#endif
