/* SPDX-License-Identifier: BSD-3-Clause */
/* When user phases and user events of the program were open, by thread. */
#ifndef HEDDLE_PROFILE_TRACE_PHASES_H
#define HEDDLE_PROFILE_TRACE_PHASES_H

#include "profile/trace/trace.h"

/* One occurrence of a phase on a thread. */
struct profile_trace_phase {
	const char *name;
	uint64_t from_ns, to_ns;
	size_t depth; /* number of phases around it */
};

/*
 * Calls `each` for all occurrences of phases on a thread, in the order of their ends. Open phases end with the thread's
 * last event. Returns the first nonzero result of `each`, 0, or a negative error. Context: any thread.
 */
int profile_trace_phases(const struct profile_trace *trace, size_t thread,
	int (*each)(void *context, const struct profile_trace_phase *phase), void *context);

/* The parts of the run in which a phase was open on each thread: sorted, without overlaps. */
struct profile_trace_parts {
	struct profile_trace_part *items;
	size_t count, capacity;
};

/*
 * Finds the occurrences of a phase on each thread (`occurrence` 1 ...: only that one; 0: all). `parts` has thread_count
 * elements, zeroed by the caller. Threads that never begin the phase themselves, such as OpenMP's workers, get the
 * parts of the other threads of their process. Returns 0, -ENOENT if no thread begins the phase (so often), or another
 * error. Free `parts` in any case.
 */
int profile_trace_phase_parts(
	struct profile_trace_parts *parts, const struct profile_trace *trace, const char *name, size_t occurrence);
void profile_trace_parts_free(struct profile_trace_parts *parts, size_t count);

#endif
