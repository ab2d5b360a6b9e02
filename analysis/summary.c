/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the processes of a measurement. Prints nothing. */
#include "analysis/summary.h"

#include "analysis/hosts.h"
#include "analysis/uncounted.h"
#include "profile/file/profile_peek.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void add_sources(struct heddle_summary *sum, const Heddle__Profile__Process *info)
{
	for (size_t i = 0; i < info->n_sample_sources; i++) {
		const Heddle__Profile__SampleSource *from = info->sample_sources[i];
		size_t s = 0;
		while (s + 1 < HEDDLE_SUMMARY_SOURCES && sum->sources[s].name &&
			strcmp(sum->sources[s].name, from->name) != 0)
			s++;
		sum->sources[s].name = from->name;
		sum->sources[s].cpu_ns += from->cpu_ns;
		sum->signals += from->signals;
	}
	sum->paused += info->samples_paused;
}

uint64_t heddle__samples_of(const Heddle__Profile__Process *process)
{
	uint64_t signals = 0;
	for (size_t i = 0; i < process->n_sample_sources; i++)
		signals += process->sample_sources[i]->signals;
	return signals ? signals : process->samples_taken; /* an old profile has no number of signals */
}

struct heddle_summary heddle__summarize(const struct profile_measurement *measurement)
{
	struct heddle_summary sum = {.start_ns = UINT64_MAX, .hosts = heddle__hosts_count(measurement)};
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (process->error)
			continue;
		uint64_t start = process->info->start_unix_ns, end = start + process->info->duration_ns;
		if (!sum.first || start < sum.start_ns)
			sum.first = process->info;
		sum.processes++;
		sum.cpu_ns += process->info->cpu_ns;
		sum.samples += process->info->samples_taken;
		add_sources(&sum, process->info);
		sum.start_ns = start < sum.start_ns ? start : sum.start_ns;
		sum.end_ns = end > sum.end_ns ? end : sum.end_ns;
		for (size_t t = 0; t < process->thread_count; t++)
			sum.threads += profile_thread_number(&process->threads[t]);
	}
	return sum;
}

int heddle__notes_collect(
	struct profile_intern *notes, const struct profile_measurement *measurement, const struct profile_view *view)
{
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		for (size_t i = 0; !process->error && i < process->info->n_note; i++)
			if (*process->info->note[i] &&
				profile_intern(notes, process->info->note[i]) == HEDDLE_INTERN_NONE)
				return -ENOMEM;
	}
	char *uncounted = heddle__uncounted_note(view);
	bool lost = uncounted && profile_intern(notes, uncounted) == HEDDLE_INTERN_NONE;
	free(uncounted);
	return lost ? -ENOMEM : 0;
}

struct heddle_incomplete heddle__incomplete_of(const struct profile_measurement *measurement)
{
	struct heddle_incomplete incomplete = {0};
	for (size_t p = 0; p < measurement->process_count; p++) {
		const Heddle__Profile__Process *info = measurement->processes[p].info;
		if (measurement->processes[p].error)
			continue;
		incomplete.processes++;
		if (!profile_is_incomplete(info))
			continue;
		incomplete.count++;
		if (!incomplete.first || info->duration_ns < incomplete.first->duration_ns)
			incomplete.first = info;
	}
	return incomplete;
}

bool heddle__is_sampled_by_event(const struct profile_measurement *measurement)
{
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (!process->error && process->info->sample_hz == 0 && profile_is_sampled(process->info))
			return true;
	}
	return false;
}
