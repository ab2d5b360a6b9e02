/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts that a measurement's processes ran on. Prints nothing. */
#include "analysis/hosts.h"

#include <errno.h>

int heddle__hosts_collect(struct profile_intern *hosts, const struct profile_measurement *measurement)
{
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (process->error || !*process->info->host)
			continue;
		if (profile_intern(hosts, process->info->host) == HEDDLE_INTERN_NONE)
			return -ENOMEM;
	}
	return 0;
}

size_t heddle__hosts_count(const struct profile_measurement *measurement)
{
	struct profile_intern hosts = {0};
	size_t count = heddle__hosts_collect(&hosts, measurement) ? 0 : hosts.count;
	profile_intern_free(&hosts);
	return count;
}
