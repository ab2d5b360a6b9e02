/* SPDX-License-Identifier: BSD-3-Clause */
/* Each node of the call-path tree counts as one state, to whose sum its exclusive values are added. */
#include "analysis/state_times.h"

#include "analysis/thread_table.h"

#include <errno.h>
#include <stdlib.h>

void heddle__state_times_sum(
	struct heddle_state_times *times, const struct profile_measurement *measurement, const uint8_t *states)
{
	const struct profile_call_tree *tree = &measurement->tree;
	const uint64_t *wall = tree->values[HEDDLE_METRIC_WALL_TIME], *cpu = tree->values[HEDDLE_METRIC_CPU_TIME];
	*times = (struct heddle_state_times){0};
	for (size_t i = 0; i < tree->node_count; i++) {
		times->wall[states[i]] += wall ? wall[i] : 0;
		times->cpu[states[i]] += cpu ? cpu[i] : 0;
	}
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		for (size_t t = 0; !process->error && t < process->thread_count; t++)
			times->elapsed += heddle__thread_elapsed(&process->threads[t]);
	}
}

int heddle__state_times_make(struct heddle_state_times *times, const struct profile_measurement *measurement)
{
	uint8_t *states = malloc(measurement->tree.node_count + 1);
	if (!states)
		return -ENOMEM;
	profile_call_tree_states(&measurement->tree, states);
	heddle__state_times_sum(times, measurement, states);
	free(states);
	return 0;
}
