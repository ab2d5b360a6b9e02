/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether the profile made from a trace is the measured one, value by value. */
#ifndef HEDDLE_PROFILE_TRACE_CHECK_H
#define HEDDLE_PROFILE_TRACE_CHECK_H

#include "profile/trace/trace.h"

#define HEDDLE_TRACE_DIFFERENCES 10

struct profile_trace_difference {
	const struct profile_process *process;
	uint32_t thread; /* its id */
	uint32_t node;   /* of the measurement's tree */
	enum heddle_metric metric;
	bool distribution; /* the values are numbers of values of an argument at that node, not of a metric */
	uint64_t profile, trace;
};

struct profile_trace_check {
	size_t threads, broken; /* compared ones; those with a damaged chunk in their trace */
	uint64_t values;        /* that are not 0 in both */
	uint64_t differences;
	struct profile_trace_difference first[HEDDLE_TRACE_DIFFERENCES];
};

/*
 * Compares all threads of the files that a trace has. Reads the profiles again. Returns 0, or an error with the name of
 * the file in *bad_path (freed by the caller).
 */
int profile_trace_check(struct profile_trace_check *check, const struct profile_trace *trace, char **bad_path);

#endif
