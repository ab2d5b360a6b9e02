/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over processes; peaks are not added, as they were at different times. */
#include "analysis/memory.h"

struct heddle_memory heddle__memory_of(const struct profile_measurement *measurement)
{
	struct heddle_memory memory = {0};
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (process->error || !process->info->memory_measured)
			continue;
		memory.processes++;
		memory.in_use += process->info->memory_in_use;
		if (!memory.highest || process->info->memory_peak > memory.highest->memory_peak)
			memory.highest = process->info;
	}
	return memory;
}
