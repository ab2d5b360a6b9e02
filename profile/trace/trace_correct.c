/* SPDX-License-Identifier: BSD-3-Clause */
/* Corrects the machines' clocks. Counts moved events by comparing each thread's stream with the uncorrected one. */
#include "profile/trace/trace_correct.h"

#include "profile/base/parallel.h"
#include "profile/trace/trace_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct counting {
	const struct profile_trace *trace;
	struct profile_trace original; /* the same trace without corrections */
	struct profile_trace_correction *of_thread;
};

struct profile_trace_violations profile_trace_all_violations(const struct profile_trace_causality *causality)
{
	const struct profile_trace_violations *parts[] = {
		&causality->barriers, &causality->collectives, &causality->locks, &causality->messages};
	struct profile_trace_violations sum = {0};
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		sum.checked += parts[i]->checked;
		sum.violated += parts[i]->violated;
		sum.beyond += parts[i]->beyond;
		sum.largest_ns = parts[i]->largest_ns > sum.largest_ns ? parts[i]->largest_ns : sum.largest_ns;
	}
	return sum;
}

/* ---- how many events were moved ---- */

static int count_thread(void *context, size_t worker, size_t index)
{
	(void)worker;
	struct counting *counting = context;
	struct profile_trace_correction *sum = &counting->of_thread[index];
	struct profile_trace_stream moved, original = {0};
	struct profile_trace_event event, before;
	int error = profile_trace_stream_open(&moved, counting->trace, index);
	if (!error)
		error = profile_trace_stream_open(&original, &counting->original, index);
	while (!error && profile_trace_next(&moved, &event) && profile_trace_next(&original, &before)) {
		uint64_t ns = event.time_ns - before.time_ns;
		sum->events++;
		sum->moved += ns != 0;
		sum->largest_ns = ns > sum->largest_ns ? ns : sum->largest_ns;
	}
	error = moved.error == -ENOMEM || original.error == -ENOMEM ? -ENOMEM : error;
	profile_trace_stream_close(&moved);
	profile_trace_stream_close(&original);
	return error;
}

static int count_moved(const struct profile_trace *trace, struct profile_trace_correction *correction)
{
	struct counting counting = {.trace = trace, .original = *trace};
	counting.of_thread = calloc(trace->thread_count + 1, sizeof(*counting.of_thread));
	counting.original.files = calloc(trace->file_count + 1, sizeof(*counting.original.files));
	int error = counting.of_thread && counting.original.files ? 0 : -ENOMEM;
	if (!error) {
		memcpy(counting.original.files, trace->files, trace->file_count * sizeof(*trace->files));
		for (size_t f = 0; f < trace->file_count; f++)
			counting.original.files[f].shifts = NULL;
		error = profile_parallel(profile_processors(), trace->thread_count, count_thread, &counting);
	}
	for (size_t t = 0; !error && t < trace->thread_count; t++) {
		const struct profile_trace_correction *one = &counting.of_thread[t];
		correction->events += one->events;
		correction->moved += one->moved;
		correction->largest_ns =
			one->largest_ns > correction->largest_ns ? one->largest_ns : correction->largest_ns;
	}
	free(counting.of_thread);
	free(counting.original.files);
	return error;
}

/* ---- correcting ---- */

static void apply(struct profile_trace *trace)
{
	for (size_t f = 0; f < trace->file_count; f++) {
		const struct profile_trace_shifts *shifts = &trace->shifts[trace->files[f].machine];
		trace->files[f].shifts = shifts->count ? shifts : NULL;
	}
}

int profile_trace_correct(struct profile_trace *trace, struct profile_trace_correction *correction)
{
	*correction = (struct profile_trace_correction){0};
	trace->shifts = calloc(trace->machine_count + 1, sizeof(*trace->shifts));
	if (!trace->shifts)
		return -ENOMEM;
	int error = profile_trace_causality_shifts(&correction->before, trace, trace->shifts);
	correction->after = correction->before;
	if (error || !profile_trace_all_violations(&correction->before).violated)
		return error;
	apply(trace);
	error = profile_trace_find_ends(trace);
	if (!error)
		error = profile_trace_causality_check(&correction->after, trace);
	return error ? error : count_moved(trace, correction);
}
