/* SPDX-License-Identifier: BSD-3-Clause */
/* Progress of long work, for callers that want to show it. */
#ifndef HEDDLE_PROFILE_PROGRESS_H
#define HEDDLE_PROFILE_PROGRESS_H

#include <stddef.h>

struct profile_progress {
	/* Called by any thread when `done` of `count` items are complete; `what` is a constant, "reading files". */
	void (*step)(void *context, const char *what, size_t done, size_t count);
	void *context;
};

/* Reports a step. No-op if `progress` is NULL. */
static inline void profile_progress_step(
	const struct profile_progress *progress, const char *what, size_t done, size_t count)
{
	if (progress)
		progress->step(progress->context, what, done, count);
}

#endif
