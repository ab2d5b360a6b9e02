/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters have perf's names, or PAPI's. */
#include "analysis/useful_counts.h"

#include <errno.h>
#include <stdlib.h>

static double sum_of(
	const struct profile_measurement *measurement, const uint8_t *states, const char *name, const char *other_name)
{
	const struct profile_call_tree *tree = &measurement->tree;
	int metric = profile_metric_find(name);
	double sum = 0;
	if (metric < 0 || !tree->values[metric])
		metric = profile_metric_find(other_name);
	for (uint32_t i = 0; metric >= 0 && tree->values[metric] && i < tree->node_count; i++)
		if (states[i] == HEDDLE_STATE_WORK || states[i] == HEDDLE_STATE_PARTIAL)
			sum += (double)tree->values[metric][i];
	return sum;
}

int heddle__useful_counts_make(struct heddle_useful_counts *counts, const struct profile_measurement *measurement)
{
	uint8_t *states = malloc(measurement->tree.node_count + 1);
	*counts = (struct heddle_useful_counts){0};
	if (!states)
		return -ENOMEM;
	profile_call_tree_states(&measurement->tree, states);
	counts->instructions = sum_of(measurement, states, "instructions", "PAPI_TOT_INS");
	counts->cycles = sum_of(measurement, states, "cycles", "PAPI_TOT_CYC");
	free(states);
	return 0;
}
