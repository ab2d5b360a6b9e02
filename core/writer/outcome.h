/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports on standard error, and to `heddle run`, whether the profile was written. */
#ifndef HEDDLE_CORE_OUTCOME_H
#define HEDDLE_CORE_OUTCOME_H

#include <stdbool.h>

/* `made`: this process created the measurement's directory, so it reports it at the end. Context: init. */
void heddle__outcome_init(bool made);

/* Resets the state: the child did not create the directory. Context: the child's only thread. */
void heddle__outcome_after_fork(void);

/* Reports that writing failed with `error` (negative errno). Context: any thread, signal. */
void heddle__outcome_failed(int error);

/* Reports that writing succeeded; `last`: at the end of the process. Context: any thread, signal. */
void heddle__outcome_written(bool last);

/*
 * Called when the launcher is about to kill all ranks of the job, including their `heddle run`. If these share the
 * measurement and none has printed the summary, prints it, and waits at most two seconds until a pipe's reader has read
 * it. Context: any thread.
 */
void heddle__outcome_job_ends(void);

/* True if this process, and not `heddle run`, reports the measurement. Context: any thread, signal. */
bool heddle__outcome_reports(void);

#endif
