/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes the threads of a profile file, for process_decode.c. For a single section, call profile_decode_thread. */
#ifndef HEDDLE_PROFILE_THREAD_DECODE_H
#define HEDDLE_PROFILE_THREAD_DECODE_H

#include "profile/file/process_decode.h"

/* Decodes all THREAD sections, on up to `workers` threads, into `decoded` and its tree. 0 or a negative error. */
int profile_decode_threads(struct profile_decoded *decoded, const struct profile_file *file, size_t workers);

/* Returns the metric (profile/file/metric.h) of a column numbered `stored` in a file of the process, or an error. */
int profile_stored_metric(const Heddle__Profile__Process *process, uint32_t stored);

/* Fills a row from a thread's message, without values. Returns 0 or a negative error. */
int profile_thread_fill(
	struct profile_thread *row, const Heddle__Profile__Thread *thread, const Heddle__Profile__Process *process);

#endif
