/* SPDX-License-Identifier: BSD-3-Clause */
/* All numbers come from files: sums are computed in 128 bits and limited to what a clock can show. */
#include "profile/trace/trace_clock.h"

#include <string.h>

#define LATEST_NS INT64_MAX

static bool same_machine(const struct profile_trace_file *one, const struct profile_trace_file *other)
{
	const Heddle__Profile__Process *a = one->process->info, *b = other->process->info;
	return strcmp(a->host, b->host) == 0 && strcmp(a->machine, b->machine) == 0;
}

/* Returns the difference of CLOCK_REALTIME to CLOCK_MONOTONIC when the file was begun. */
static int64_t real_time(const struct profile_trace_file *file)
{
	return (int64_t)(file->info.start_unix_ns - file->info.start_mono_ns);
}

/* Processes of one machine have one clock: the offsets of one file are used for all, to keep the order of events. */
static const struct profile_trace_file *find_offsets(
	const struct profile_trace *trace, const struct profile_trace_file *file)
{
	for (size_t i = 0; i < trace->file_count; i++)
		if (trace->files[i].offset_count && same_machine(&trace->files[i], file))
			return &trace->files[i];
	return NULL;
}

/* Returns the same file for all of a machine, because each reads the two clocks at slightly different moments. */
static const struct profile_trace_file *first_of_machine(
	const struct profile_trace *trace, const struct profile_trace_file *file)
{
	const struct profile_trace_file *first = trace->files;
	while (!same_machine(first, file))
		first++;
	return first;
}

static void choose_clock(
	const struct profile_trace *trace, struct profile_trace_file *file, const struct profile_trace_file *first)
{
	if (same_machine(file, first)) {
		file->clock = HEDDLE_TRACE_SAME_MACHINE;
		return;
	}
	const struct profile_trace_file *with = file->offsets_of = find_offsets(trace, file);
	file->clock = with ? HEDDLE_TRACE_MEASURED_OFFSETS : HEDDLE_TRACE_SYSTEM_CLOCKS;
	for (size_t i = 0; with && i < with->offset_count; i++)
		if (with->offsets[i].error_ns > file->clock_error_ns)
			file->clock_error_ns = with->offsets[i].error_ns;
	if (!with)
		__builtin_sub_overflow(real_time(first_of_machine(trace, file)), real_time(first), &file->shift_ns);
}

static bool has_first_rank(const struct profile_process *process)
{
	for (size_t i = 0; i < process->thread_count; i++)
		if (process->threads[i].rank == 1)
			return true;
	return false;
}

/* Returns the file of rank 0, to whose machine's clock offsets were measured. */
static const struct profile_trace_file *reference(const struct profile_trace *trace)
{
	for (size_t i = 0; i < trace->file_count; i++)
		if (has_first_rank(trace->files[i].process))
			return &trace->files[i];
	return trace->files;
}

static void number_machine(struct profile_trace *trace, struct profile_trace_file *file)
{
	const struct profile_trace_file *other = trace->files;
	while (other < file && !same_machine(other, file))
		other++;
	file->machine = other < file ? other->machine : (uint32_t)trace->machine_count++;
}

void profile_trace_choose_clocks(struct profile_trace *trace)
{
	const struct profile_trace_file *first = reference(trace);
	trace->machine_count = 0;
	for (size_t i = 0; i < trace->file_count; i++) {
		number_machine(trace, &trace->files[i]);
		choose_clock(trace, &trace->files[i], first);
	}
}

/* ---- errors ---- */

static int64_t limited(__int128 ns)
{
	return ns < -LATEST_NS ? -LATEST_NS : ns > LATEST_NS ? LATEST_NS : (int64_t)ns;
}

void profile_trace_find_measured(struct profile_trace *trace)
{
	for (size_t i = 0; i < trace->file_count; i++) {
		struct profile_trace_file *file = &trace->files[i];
		if (file->clock != HEDDLE_TRACE_MEASURED_OFFSETS)
			continue;
		const struct heddle_trace_offset *first = file->offsets_of->offsets,
						 *last = first + file->offsets_of->offset_count - 1;
		file->measured_from_ns = limited((__int128)first->at_ns + first->offset_ns - trace->zero_ns);
		file->measured_to_ns = limited((__int128)last->at_ns + last->offset_ns - trace->zero_ns);
	}
}

static uint64_t unmeasured(const struct profile_trace_file *file, uint64_t at_ns)
{
	__int128 before = (__int128)file->measured_from_ns - at_ns, after = (__int128)at_ns - file->measured_to_ns;
	__int128 most = before > after ? before : after;
	return file->clock != HEDDLE_TRACE_MEASURED_OFFSETS || most < 0 ? 0 : (uint64_t)most;
}

void profile_trace_take_unmeasured(struct profile_trace_file *file, uint64_t at_ns)
{
	uint64_t ns = unmeasured(file, at_ns);
	if (ns > file->unmeasured_ns)
		file->unmeasured_ns = ns;
}

uint64_t profile_trace_clock_error(const struct profile_trace_file *file, uint64_t at_ns)
{
	return file->clock_error_ns + unmeasured(file, at_ns) / (1000000 / HEDDLE_TRACE_DRIFT_PPM);
}

/* ---- times ---- */

/* Returns the index of the last measurement at or before a time, or 0. */
static size_t offset_before(const struct profile_trace_file *file, __int128 at)
{
	size_t low = 0, high = file->offset_count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (file->offsets[middle].at_ns <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static __int128 measured_offset(const struct profile_trace_file *file, __int128 at)
{
	file = file->offsets_of;
	size_t index = offset_before(file, at);
	const struct heddle_trace_offset *before = &file->offsets[index], *after = before + 1;
	if (at <= before->at_ns || index + 1 == file->offset_count)
		return before->offset_ns;
	__int128 change = (__int128)after->offset_ns - before->offset_ns, passed = at - before->at_ns;
	__int128 span = (__int128)after->at_ns - before->at_ns;
	/* In 64 bits the product is exact for offsets of hours over centuries; damaged files may have larger ones. */
	__int128 rounded;
	if (__builtin_mul_overflow(change, passed, &rounded))
		return before->offset_ns;
	return before->offset_ns + rounded / span;
}

uint64_t profile_trace_common_ns(const struct profile_trace_file *file, uint64_t ticks, uint64_t paused)
{
	__int128 since = (__int128)ticks + paused - file->info.start_ticks, at;
	if (__builtin_mul_overflow(since, (__int128)file->info.ns_per_tick, &at))
		at = since < 0 ? 0 : LATEST_NS;
	else
		at = (at >> 32) + file->info.start_mono_ns;
	if (file->clock == HEDDLE_TRACE_MEASURED_OFFSETS)
		at += measured_offset(file, at);
	else
		at += file->shift_ns;
	return at < 0 ? 0 : at > LATEST_NS ? LATEST_NS : (uint64_t)at;
}
