/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Converts ticks of a process to the clock that all processes of a trace have in common. Times are signed here: before
 * zero_ns is known, they are nanoseconds of the first machine's CLOCK_MONOTONIC.
 */
#ifndef HEDDLE_PROFILE_TRACE_CLOCK_H
#define HEDDLE_PROFILE_TRACE_CLOCK_H

#include "profile/trace/trace.h"

/* Decides how each file's times are converted to the clock of the first one. */
void profile_trace_choose_clocks(struct profile_trace *trace);

/* Returns the common time at which a process had measured `ticks`, with pauses of `paused` ticks before. */
uint64_t profile_trace_common_ns(const struct profile_trace_file *file, uint64_t ticks, uint64_t paused);

/* Like profile_trace_common_ns, but since zero_ns, and corrected if the trace is. */
static inline uint64_t profile_trace_ns(
	const struct profile_trace *trace, const struct profile_trace_file *file, uint64_t ticks, uint64_t paused)
{
	uint64_t at = profile_trace_common_ns(file, ticks, paused);
	at = at > trace->zero_ns ? at - trace->zero_ns : 0;
	return file->shifts ? profile_trace_shifted(file->shifts, at) : at;
}

/* Clocks are assumed to drift by at most this much where nothing was measured: 1 in 10,000. */
#define HEDDLE_TRACE_DRIFT_PPM 100

/* Returns the largest error of a time since zero_ns of the file; 0: unknown. */
uint64_t profile_trace_clock_error(const struct profile_trace_file *file, uint64_t at_ns);

/* Finds the span of each file's offset measurements, once zero_ns and the ends of its threads are known. */
void profile_trace_find_measured(struct profile_trace *trace);

/* Notes that a file has an event at that time. */
void profile_trace_take_unmeasured(struct profile_trace_file *file, uint64_t at_ns);

/* Converts a duration in the same way as the profile's values. */
static inline uint64_t profile_trace_duration_ns(const struct profile_trace_file *file, uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * file->info.ns_per_tick >> 32);
}

#endif
