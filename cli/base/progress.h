/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A line at the bottom of the terminal that shows the progress of long work. It is on standard error, appears only if
 * that is a terminal and the work takes longer than a second, and is erased at the end.
 */
#ifndef HEDDLE_CLI_PROGRESS_H
#define HEDDLE_CLI_PROGRESS_H

#include "profile/base/progress.h"

#include <pthread.h>
#include <stdbool.h>

#define HEDDLE_PROGRESS_DELAY_MS 1000

/* Must not be moved between begin and end. */
struct heddle_progress {
	struct profile_progress steps; /* passed to the work, which reports to it */
	int fd;                        /* -1: nothing is shown */
	unsigned delay_ms;             /* until the line appears */
	pthread_mutex_t lock;          /* protects the members below */
	pthread_cond_t ended;
	pthread_t thread; /* prints the line, also while the work reports nothing */
	bool has_thread, stop;
	const char *what; /* NULL: nothing was reported yet */
	size_t done, count;
};

/* Call when work begins. Nothing else may be written to that terminal until it ends. */
void heddle__progress_begin(struct heddle_progress *progress, int fd, unsigned delay_ms);

/* Call when work has ended: erases the line. */
void heddle__progress_end(struct heddle_progress *progress);

#endif
