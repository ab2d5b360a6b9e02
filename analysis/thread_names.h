/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of threads in reports, and their order. */
#ifndef HEDDLE_ANALYSIS_THREAD_NAMES_H
#define HEDDLE_ANALYSIS_THREAD_NAMES_H

#include "profile/file/measurement.h"
#include "profile/trace/trace.h"

/* Writes "4711.0   UPC thread 3", "4711.2   openmp worker 2", "4711.5   thread io-pool", truncated to `size`. */
void heddle__thread_name(char *text, size_t size, const struct profile_measurement *measurement,
	const struct profile_process *process, const struct profile_thread *thread);

/* Writes the name in a sentence: "UPC thread 3", "the main thread", "openmp worker 2 of process 4711". */
void heddle__thread_in_words(char *text, size_t size, const struct profile_measurement *measurement,
	const struct profile_process *process, const struct profile_thread *thread);

/* Like heddle__thread_name, for a thread of a trace, which the profile may not have. */
void heddle__traced_thread_name(char *text, size_t size, const struct profile_trace *trace, size_t thread);

/*
 * Lists the program's threads in a trace, by rank, then by process, then by number in their team, without Heddle's own.
 * Returns their number; `order` has room for trace->thread_count.
 */
size_t heddle__traced_thread_order(const struct profile_trace *trace, size_t *order);

#endif
