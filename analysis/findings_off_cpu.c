/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time that threads were off the processor, outside of waits that events report: the rest of elapsed time. Samples on
 * elapsed time show where; those on CPU time do not. A process that waits for its children is left out.
 */
#include "analysis/findings_parts.h"
#include "analysis/host_load.h"
#include "analysis/state_times.h"
#include "analysis/summary.h"
#include "analysis/text.h"
#include "analysis/thread_table.h"
#include "profile/view/system_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define OFF_MATTERS 0.20    /* of the threads' time */
#define OFF_LEAST 50000000u /* ns: less is due to the start and end of a process */
#define PLACE_MATTERS 0.25

static bool is_parent(const struct profile_measurement *measurement, const struct profile_process *process)
{
	bool some = false;
	for (size_t p = 0; p < measurement->process_count; p++)
		some |= !measurement->processes[p].error &&
			measurement->processes[p].info->parent_pid == process->info->pid;
	return some;
}

/* True if CPU time is known from samples; by_wall: these were taken on elapsed time. */
static bool is_known(const struct profile_measurement *measurement, bool *by_wall)
{
	bool known = measurement->process_count > 0;
	*by_wall = true;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (process->error)
			continue;
		known &= process->info->sample_hz > 0 && !process->info->samples_paused && !process->parted;
		*by_wall &= strcmp(process->info->sample_clock, "wall") == 0;
	}
	return known && !heddle__is_sampled_by_event(measurement);
}

/* Sums over all threads except those of parent processes, in ns: elapsed time, and time on CPU or in waits. */
struct off_cpu {
	uint64_t elapsed, known;
	size_t threads, at_once; /* at_once: on average, in the process with most */
	bool team;               /* some threads are in teams or have ranks */
};

/* Returns the average number of threads at a time: threads that ran one after the other do not share processors. */
static size_t threads_at_once(uint64_t elapsed_ns, const struct profile_process *process)
{
	uint64_t duration = process->error ? 0 : process->info->duration_ns;
	return duration ? (size_t)((elapsed_ns + duration / 2) / duration) : 0;
}

static struct off_cpu off_cpu_of(const struct profile_measurement *measurement, const struct heddle_state_times *times)
{
	struct off_cpu off = {.elapsed = times->elapsed};
	uint64_t parents = 0;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		off.known += profile_state_waits(s) && times->wall[s] > times->cpu[s] ? times->wall[s] : times->cpu[s];
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		bool parent = !process->error && is_parent(measurement, process);
		uint64_t elapsed = 0;
		for (size_t t = 0; !process->error && t < process->thread_count; t++) {
			elapsed += heddle__thread_elapsed(&process->threads[t]);
			off.threads += parent ? 0 : profile_thread_number(&process->threads[t]);
			off.team |= profile_thread_is_worker(&process->threads[t]);
		}
		size_t at_once = threads_at_once(elapsed, process);
		parents += parent ? elapsed : 0;
		off.at_once = !parent && at_once > off.at_once ? at_once : off.at_once;
	}
	off.elapsed = off.elapsed > parents ? off.elapsed - parents : 0;
	return off;
}

/* Names the user's code with most samples on elapsed time outside of waits. */
static void say_place(struct heddle_finding *finding, const struct profile_view *view)
{
	const uint64_t *wall = view->values[HEDDLE_METRIC_WALL_TIME], *cpu = view->values[HEDDLE_METRIC_CPU_TIME];
	uint64_t *by_label = calloc(view->label_count + 1, sizeof(*by_label));
	char name[HEDDLE_FINDING_NAME];
	uint64_t all = 0, most = 0;
	for (uint32_t i = 0; by_label && wall && i < view->node_count; i++) {
		uint64_t off = !cpu || wall[i] > cpu[i] ? wall[i] - (cpu ? cpu[i] : 0) : 0;
		uint32_t user = profile_user_code(view, i);
		if (view->labels[view->label_of[i]].kind != HEDDLE_NODE_FRAME)
			continue;
		all += off;
		by_label[view->label_of[user]] += off;
		if (by_label[view->label_of[user]] <= most)
			continue;
		most = by_label[view->label_of[user]];
		finding->node = user;
	}
	if (finding->node != HEDDLE_NO_NODE && (double)most >= PLACE_MATTERS * (double)all)
		heddle__finding_add(finding, ", most in `%s`",
			heddle__finding_name(name, view->labels[view->label_of[finding->node]].text));
	free(by_label);
}

/* Returns the number of processors if all processes are on one host, else 0. */
static size_t processors_of(const struct profile_measurement *measurement)
{
	struct heddle_host_loads loads;
	if (heddle__host_loads_make(&loads, measurement) != 0)
		return 0;
	size_t processors = loads.count == 1 ? loads.items[0].processors : 0;
	heddle__host_loads_free(&loads);
	return processors;
}

void heddle__find_off_cpu(struct heddle_findings *findings, const struct profile_measurement *measurement,
	const struct profile_view *view, const struct heddle_state_times *times)
{
	char text[32];
	bool by_wall;
	struct off_cpu off = off_cpu_of(measurement, times);
	uint64_t time = off.elapsed > off.known ? off.elapsed - off.known : 0;
	double share = off.elapsed ? (double)time / (double)off.elapsed : 0;
	if (off.team || !is_known(measurement, &by_wall) || time < OFF_LEAST || share < OFF_MATTERS)
		return;
	struct heddle_finding *finding = heddle__finding_make(findings, (double)time / (double)times->elapsed);
	if (!finding)
		return;
	size_t processors = processors_of(measurement);
	finding->metric = by_wall ? HEDDLE_METRIC_WALL_TIME : HEDDLE_METRIC_CPU_TIME;
	heddle__finding_add(finding, "%.0f %% of the thread%s time (%s) is off CPU", 100 * share,
		off.threads == 1 ? "'s" : "s'", heddle__format_time(text, sizeof(text), time));
	heddle__finding_brief(finding, "off CPU %.0f %%", 100 * share);
	if (by_wall)
		say_place(finding, view);
	heddle__finding_add(finding, ": asleep, blocked, or waiting for ");
	if (processors && off.at_once > processors)
		heddle__finding_add(finding, "%s %zu processor%s that %s threads share",
			processors > 1 ? "one of" : "the", processors, processors > 1 ? "s" : "",
			heddle__format_count(text, sizeof(text), off.at_once));
	else
		heddle__finding_add(finding, "a processor");
	if (!by_wall)
		heddle__finding_add(finding, "; `heddle run --sample-clock wall` shows where");
}
