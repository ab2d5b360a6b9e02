/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampling threads whose creation nobody told us of. */
#ifndef HEDDLE_SAMPLING_ADOPT_H
#define HEDDLE_SAMPLING_ADOPT_H

#include "sampling/sampler.h"

/* Find out whether such threads can be. Context: init. */
void heddle__adopt_init(void);

/* Whether they can: then a signal may also hit a thread that shares another one's storage. Context: any, signal. */
bool heddle__adopt_searching(void);

/* Look for new ones, and arm a timer for each. Context: the keeper. */
void heddle__adopt_new_threads(void);

/* The same, of those listed a moment ago; if that was all, let go of what dead ones left. Context: the keeper. */
void heddle__adopt_listed(const pid_t *tids, size_t count, bool all);

/* The context that was made ready for the calling thread, begun; NULL: none. Context: signal. */
struct heddle_thread *heddle__adopt_self(void);

#endif
