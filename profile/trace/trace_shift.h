/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The corrected clock of a machine: its times since zero_ns are moved forward by what a controlled logical clock added
 * (profile/trace/trace_correct.h). It never goes back, so events of the machine keep their order.
 */
#ifndef HEDDLE_PROFILE_TRACE_SHIFT_H
#define HEDDLE_PROFILE_TRACE_SHIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What was added is distributed over this many times as long, before and after: intervals are a thousandth longer
 * before a correction, and shorter after it, if nothing stands in the way.
 */
#define HEDDLE_TRACE_SMOOTHING 1000

struct profile_trace_shift {
	uint64_t at_ns, to_ns; /* to_ns >= at_ns */
	bool ramps;            /* from here on it approaches the next point; else what was added becomes less */
};

struct profile_trace_shifts {
	struct profile_trace_shift *items; /* by at_ns */
	size_t count, capacity;
};

/* The corrected time. */
uint64_t profile_trace_shifted(const struct profile_trace_shifts *shifts, uint64_t at_ns);

/*
 * From at_ns on, which is not before the last point, times are to_ns and later. Times up to since_ns stay as they are.
 * 0 or -ENOMEM.
 */
int profile_trace_shift_add(struct profile_trace_shifts *shifts, uint64_t at_ns, uint64_t to_ns, uint64_t since_ns);

#endif
