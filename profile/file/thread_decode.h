/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a profile file, for process_decode.c: who reads one section by itself calls profile_decode_thread. */
#ifndef HEDDLE_PROFILE_THREAD_DECODE_H
#define HEDDLE_PROFILE_THREAD_DECODE_H

#include "profile/file/process_decode.h"

/* Decodes all sections of threads, on up to `workers` threads, into `decoded` and its tree. 0 or a negative error. */
int profile_decode_threads(struct profile_decoded *decoded, const struct profile_file *file, size_t workers);

/* The metric (profile/file/metric.h) of a column with that number in a file of the process, or a negative error. */
int profile_stored_metric(const Heddle__Profile__Process *process, uint32_t stored);

/* Sets a row to what a thread's message says of it, without values. 0 or a negative error. */
int profile_thread_fill(
	struct profile_thread *row, const Heddle__Profile__Thread *thread, const Heddle__Profile__Process *process);

#endif
