/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The corrected clock of a machine: its times since zero_ns, moved forward by a controlled logical clock
 * (profile/trace/trace_correct.h). It never goes back, so the machine's events keep their order.
 */
#ifndef HEDDLE_PROFILE_TRACE_SHIFT_H
#define HEDDLE_PROFILE_TRACE_SHIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A correction is distributed over this many times its length, before and after: intervals are a thousandth longer
 * before it, and shorter after it, where that is possible.
 */
#define HEDDLE_TRACE_SMOOTHING 1000

struct profile_trace_shift {
	uint64_t at_ns, to_ns; /* to_ns >= at_ns */
	bool ramps;            /* from here on the correction approaches that of the next point; else it decreases */
};

struct profile_trace_shifts {
	struct profile_trace_shift *items; /* by at_ns */
	size_t count, capacity;
};

/* Returns the corrected time. */
uint64_t profile_trace_shifted(const struct profile_trace_shifts *shifts, uint64_t at_ns);

/*
 * Adds a point: from at_ns on, which is not before the last point, times are at least to_ns. Times up to since_ns do
 * not change. Returns 0 or -ENOMEM.
 */
int profile_trace_shift_add(struct profile_trace_shifts *shifts, uint64_t at_ns, uint64_t to_ns, uint64_t since_ns);

#endif
