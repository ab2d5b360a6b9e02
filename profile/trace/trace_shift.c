/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of a function that is linear between them. Only its end changes while it is made. */
#include "profile/trace/trace_shift.h"

#include "profile/base/intern.h"

/* Returns the last point at or before a time; there must be one. */
static size_t point_before(const struct profile_trace_shifts *shifts, uint64_t at_ns)
{
	size_t low = 0, high = shifts->count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (shifts->items[middle].at_ns <= at_ns)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint64_t profile_trace_shifted(const struct profile_trace_shifts *shifts, uint64_t at_ns)
{
	if (shifts->count == 0 || at_ns < shifts->items[0].at_ns)
		return at_ns;
	size_t index = point_before(shifts, at_ns);
	const struct profile_trace_shift *point = &shifts->items[index], *next = point + 1;
	uint64_t passed = at_ns - point->at_ns, added = point->to_ns - point->at_ns;
	if (point->ramps && index + 1 < shifts->count) {
		unsigned __int128 rise = (unsigned __int128)(next->to_ns - point->to_ns) * passed;
		return point->to_ns + (uint64_t)(rise / (next->at_ns - point->at_ns));
	}
	uint64_t less = passed / HEDDLE_TRACE_SMOOTHING;
	return at_ns + (added > less ? added - less : 0);
}

static int put_point(struct profile_trace_shifts *shifts, struct profile_trace_shift point)
{
	struct profile_trace_shift *last = shifts->count ? &shifts->items[shifts->count - 1] : NULL;
	if (last && last->at_ns == point.at_ns) {
		*last = point;
		return 0;
	}
	int error = profile_reserve(&shifts->items, &shifts->capacity, shifts->count + 1, sizeof(*shifts->items));
	if (!error)
		shifts->items[shifts->count++] = point;
	return error;
}

/* Returns the begin of the time over which a correction before `at_ns` is distributed. */
static uint64_t ramp_begin(
	const struct profile_trace_shifts *shifts, uint64_t at_ns, uint64_t added_ns, uint64_t since_ns)
{
	uint64_t length, begin = shifts->count ? shifts->items[shifts->count - 1].at_ns : 0;
	if (!__builtin_mul_overflow(added_ns, (uint64_t)HEDDLE_TRACE_SMOOTHING, &length) && length < at_ns &&
		at_ns - length > begin)
		begin = at_ns - length;
	return since_ns > begin ? since_ns : begin;
}

int profile_trace_shift_add(struct profile_trace_shifts *shifts, uint64_t at_ns, uint64_t to_ns, uint64_t since_ns)
{
	if (shifts->count && at_ns < shifts->items[shifts->count - 1].at_ns)
		return 0;
	uint64_t before = profile_trace_shifted(shifts, at_ns);
	if (to_ns <= before)
		return 0;
	uint64_t begin = ramp_begin(shifts, at_ns, to_ns - before, since_ns);
	int error = 0;
	if (begin < at_ns)
		error = put_point(shifts,
			(struct profile_trace_shift){begin, profile_trace_shifted(shifts, begin), .ramps = true});
	return error ? error : put_point(shifts, (struct profile_trace_shift){at_ns, to_ns, .ramps = false});
}
