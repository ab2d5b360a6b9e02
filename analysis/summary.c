/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the processes of a measurement. Prints nothing. */
#include "analysis/summary.h"

#include "analysis/hosts.h"

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
	sum->late += info->samples_late;
	sum->paused += info->samples_paused;
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

bool heddle__is_sampled_by_event(const struct profile_measurement *measurement)
{
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (!process->error && process->info->sample_hz == 0 && profile_is_sampled(process->info))
			return true;
	}
	return false;
}
