/* SPDX-License-Identifier: BSD-3-Clause */
/* How far long work is, for those who want to show it. */
#ifndef HEDDLE_PROFILE_PROGRESS_H
#define HEDDLE_PROFILE_PROGRESS_H

#include <stddef.h>

struct profile_progress {
	/* `what` is a constant, "reading files", of which `done` of `count` are. Called by any thread. */
	void (*step)(void *context, const char *what, size_t done, size_t count);
	void *context;
};

/* Reports a step. No-op if NULL. */
static inline void profile_progress_step(
	const struct profile_progress *progress, const char *what, size_t done, size_t count)
{
	if (progress)
		progress->step(progress->context, what, done, count);
}

#endif
