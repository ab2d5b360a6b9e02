/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a function for the indices 0 .. count-1 on several threads. */
#ifndef HEDDLE_PROFILE_PARALLEL_H
#define HEDDLE_PROFILE_PARALLEL_H

#include <stddef.h>

/* Called for each index by worker 0 .. workers-1 (0 is the calling thread). A non-zero result stops the rest. */
typedef int profile_work(void *context, size_t worker, size_t index);

/* Runs `work` for all indices, in any order; returns the first error. If it can't create threads, it runs serially. */
int profile_parallel(size_t workers, size_t count, profile_work *work, void *context);

/* Returns the number of processors that this process may use. */
size_t profile_processors(void);

#endif
