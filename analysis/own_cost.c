/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples inside Heddle are charged to a state below the event that it was about. */
#include "analysis/own_cost.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATTERS 0.05
#define SAMPLES_MIN 10
#define PART_OF_IT 0.25 /* advice is about a kind of event with that share */

/* What HEDDLE_MODELS_UPC says when compiled code counts accesses (models/upc/upc_counted.c). */
#define COUNTED_NOTE "UPC: the time of accesses"

/* A place among the sums for events: that of functions, whose frames may have no event. */
static size_t kind_of(const struct profile_call_tree *tree, const struct profile_node *node)
{
	const uint64_t *visits = tree->values[HEDDLE_METRIC_VISITS];
	while (node->kind == HEDDLE_NODE_STATE)
		node = &tree->nodes[node->parent];
	node = profile_region_of(tree, node);
	if (node->kind == HEDDLE_NODE_REGION)
		return node->event;
	bool is_code = node->kind == HEDDLE_NODE_FRAME || node->kind == HEDDLE_NODE_FUNCTION;
	return is_code && visits && visits[node - tree->nodes] ? tree->event_count : tree->event_count + 1;
}

static bool has_objects(const struct profile_call_tree *tree)
{
	for (size_t i = 0; i < tree->node_count; i++)
		if (tree->nodes[i].kind == HEDDLE_NODE_OBJECT)
			return true;
	return false;
}

static bool is_counted(const struct profile_measurement *measurement)
{
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		for (size_t i = 0; !process->error && i < process->info->n_note; i++)
			if (strncmp(process->info->note[i], COUNTED_NOTE, strlen(COUNTED_NOTE)) == 0)
				return true;
	}
	return false;
}

static void advise(struct heddle_own_cost *cost, const struct profile_measurement *measurement, const char *function)
{
	bool access = strcmp(cost->name, "GASP_UPC_GET") == 0 || strcmp(cost->name, "GASP_UPC_PUT") == 0;
	cost->advice = cost->text;
	if (access && has_objects(&measurement->tree))
		snprintf(cost->text, sizeof(cost->text), "without `--accesses` they take less");
	else if (access && !is_counted(measurement) && !profile_measurement_total(measurement, HEDDLE_METRIC_BLAME))
		snprintf(cost->text, sizeof(cost->text), "`heddle run --inst-time sampled` times only some of them");
	else if (strcmp(cost->name, "GASP_C_FUNC") == 0)
		snprintf(cost->text, sizeof(cost->text),
			"compile with `--inst-exclude-functions=%.200s`, or `heddle run --inst-min-time 200ns`",
			function ? function : "NAMES");
	else
		snprintf(cost->text, sizeof(cost->text),
			"`heddle run --events FILE` leaves them out, with `!%.100s` in FILE", cost->name);
}

int heddle__own_cost_make(
	struct heddle_own_cost *cost, const struct profile_measurement *measurement, const char *function)
{
	const struct profile_call_tree *tree = &measurement->tree;
	const uint64_t *cpu = tree->values[HEDDLE_METRIC_CPU_TIME], *samples = tree->values[HEDDLE_METRIC_SAMPLES];
	uint64_t *by_kind = calloc(tree->event_count + 2, sizeof(*by_kind));
	uint8_t *states = malloc(tree->node_count + 1);
	size_t dearest = tree->event_count + 1;
	*cost = (struct heddle_own_cost){.cpu = profile_measurement_total(measurement, HEDDLE_METRIC_CPU_TIME)};
	if (states)
		profile_call_tree_states(tree, states);
	for (size_t i = 0; by_kind && states && cpu && i < tree->node_count; i++) {
		if (states[i] != HEDDLE_STATE_HEDDLE)
			continue;
		cost->own += cpu[i];
		cost->samples += samples ? samples[i] : 0;
		by_kind[kind_of(tree, &tree->nodes[i])] += cpu[i];
	}
	for (size_t i = 0; by_kind && i <= tree->event_count; i++)
		if (by_kind[i] > by_kind[dearest] || (by_kind[i] && dearest > tree->event_count))
			dearest = i;
	if (by_kind && dearest <= tree->event_count) {
		bool code = dearest == tree->event_count;
		cost->dearest = by_kind[dearest];
		cost->name = code ? "GASP_C_FUNC" : tree->events[dearest].name;
		cost->label = code ? "functions" : tree->events[dearest].label;
		if ((double)cost->dearest >= PART_OF_IT * (double)cost->own)
			advise(cost, measurement, function);
	}
	int error = by_kind && states ? 0 : -ENOMEM;
	free(states);
	free(by_kind);
	return error;
}

bool heddle__own_cost_matters(const struct heddle_own_cost *cost)
{
	return cost->cpu && cost->samples >= SAMPLES_MIN && (double)cost->own >= MATTERS * (double)cost->cpu;
}
