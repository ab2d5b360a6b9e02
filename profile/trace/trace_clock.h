/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the ticks of a process to the clock that all processes of a trace have in common. Times are signed here: before
 * zero_ns is known, they are nanoseconds of the first machine's CLOCK_MONOTONIC.
 */
#ifndef HEDDLE_PROFILE_TRACE_CLOCK_H
#define HEDDLE_PROFILE_TRACE_CLOCK_H

#include "profile/trace/trace.h"

/* Decides how each file's times are brought to the clock of the first one. */
void profile_trace_choose_clocks(struct profile_trace *trace);

/* The common time at which a process had measured that many ticks, with pauses of `paused` ticks before. */
uint64_t profile_trace_common_ns(const struct profile_trace_file *file, uint64_t ticks, uint64_t paused);

/* The same since zero_ns, corrected if the trace is. */
static inline uint64_t profile_trace_ns(
	const struct profile_trace *trace, const struct profile_trace_file *file, uint64_t ticks, uint64_t paused)
{
	uint64_t at = profile_trace_common_ns(file, ticks, paused);
	at = at > trace->zero_ns ? at - trace->zero_ns : 0;
	return file->shifts ? profile_trace_shifted(file->shifts, at) : at;
}

/* Clocks are taken to drift by this much at most where nothing was measured: 1 in 10,000. */
#define HEDDLE_TRACE_DRIFT_PPM 100

/* By how much a time since zero_ns of the file is wrong at most; 0: this is not known. */
uint64_t profile_trace_clock_error(const struct profile_trace_file *file, uint64_t at_ns);

/* Finds the span of each file's measurements, as zero_ns and the ends of its threads are known. */
void profile_trace_find_measured(struct profile_trace *trace);

/* A file has an event at that time. */
void profile_trace_take_unmeasured(struct profile_trace_file *file, uint64_t at_ns);

/* A duration, converted as the profile's values are. */
static inline uint64_t profile_trace_duration_ns(const struct profile_trace_file *file, uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * file->info.ns_per_tick >> 32);
}

#endif
