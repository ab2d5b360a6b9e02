/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples inside Heddle are charged to a state below the event that was being recorded. */
#include "analysis/own_cost.h"

#include "format/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATTERS 0.05
#define SAMPLES_MIN 10
#define PART_OF_IT 0.1 /* a kind of event with that share is named, and has advice */

/* The start of the note that models/upc/upc_counted.c adds when compiled code counts accesses. */
#define COUNTED_NOTE "UPC: the time of accesses"

#define EVENT_MOST 20000 /* ns of Heddle's time per visit: no region costs more */

/* Indices of sums for code without events, after the events of the tree. */
enum { FUNCTIONS, PHASES, NONE, SUMS };

/* Returns the index of a node's sum. The frame of a function with events may have no event. */
static size_t kind_of(const struct profile_call_tree *tree, const struct profile_node *node)
{
	const uint64_t *visits = tree->values[HEDDLE_METRIC_VISITS];
	while (node->kind == HEDDLE_NODE_STATE)
		node = &tree->nodes[node->parent];
	node = profile_region_of(tree, node);
	if (node->kind == HEDDLE_NODE_REGION)
		return node->event;
	if (node->kind == HEDDLE_NODE_PHASE)
		return tree->event_count + PHASES;
	bool is_code = node->kind == HEDDLE_NODE_FRAME || node->kind == HEDDLE_NODE_FUNCTION;
	return tree->event_count + (is_code && visits && visits[node - tree->nodes] ? FUNCTIONS : NONE);
}

/* Finds, for each node, the most visited region below it; 0: none. */
static void find_most_visited(uint32_t *below, const struct profile_call_tree *tree)
{
	const uint64_t *visits = tree->values[HEDDLE_METRIC_VISITS];
	for (size_t i = tree->node_count; visits && i-- > 1;) {
		uint32_t *above = &below[tree->nodes[i].parent];
		uint32_t most = tree->nodes[i].kind == HEDDLE_NODE_REGION && visits[i] > visits[below[i]] ? (uint32_t)i
													  : below[i];
		*above = visits[most] > visits[*above] ? most : *above;
	}
}

/*
 * Returns the node whose event caused Heddle's time at a state. A sample in the wrapper of a call, before its region is
 * entered, is charged to the region around it: time of malloc to a loop that was entered twice.
 */
static const struct profile_node *culprit_of(
	const struct profile_call_tree *tree, const uint32_t *below, size_t state, uint64_t cost)
{
	const uint64_t *visits = tree->values[HEDDLE_METRIC_VISITS];
	uint32_t region = (uint32_t)(profile_region_of(tree, &tree->nodes[tree->nodes[state].parent]) - tree->nodes);
	bool known = visits && tree->nodes[region].kind == HEDDLE_NODE_REGION && visits[region];
	if (!known || cost / EVENT_MOST <= visits[region])
		return &tree->nodes[state];
	uint32_t most = below[region] ? below[region] : below[0]; /* paths of calls may be beside the region */
	return &tree->nodes[visits[most] > visits[region] ? most : state];
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

/* Returns another option than leaving the event out, if the code of an access or function costs more than its event. */
static const char *better_than_leaving_out(
	char *text, size_t size, const struct profile_measurement *measurement, size_t kind, const char *function)
{
	const struct profile_call_tree *tree = &measurement->tree;
	const char *name = kind < tree->event_count ? tree->events[kind].name : "GASP_C_FUNC";
	bool access = strcmp(name, "GASP_UPC_GET") == 0 || strcmp(name, "GASP_UPC_PUT") == 0;
	if (access && !is_counted(measurement) && !profile_measurement_total(measurement, HEDDLE_METRIC_BLAME))
		return "`heddle run --inst-time sampled` times only some of them";
	if (access && has_objects(tree))
		return "without `--accesses` they cost less";
	if (strcmp(name, "GASP_C_FUNC") != 0)
		return NULL;
	bool some_are_off = profile_measurement_total(measurement, HEDDLE_METRIC_UNCOUNTED_CALLS);
	snprintf(text, size, "compile with `--inst-exclude-functions=%.200s`%s", function ? function : "NAMES",
		some_are_off ? "" : ", or `heddle run --inst-min-time 200ns`");
	return text;
}

/* OpenMP's regions and tasks are the context of other events, and are recorded whatever is selected. */
static bool is_context(const struct profile_event_kind *event)
{
	return event->category == HEDDLE_CATEGORY_PARALLEL || event->category == HEDDLE_CATEGORY_TASK;
}

/* Lists all models except one, separated by commas. */
static void other_models(char *text, size_t size, const char *model)
{
	const char *all = HEDDLE_MODELS_DEFAULT;
	size_t length = 0, word;
	for (*text = '\0'; *all; all += word + (all[word] == ',')) {
		word = strcspn(all, ",");
		if (word != strlen(model) || strncmp(all, model, word) != 0)
			length += (size_t)snprintf(
				text + length, size - length, "%s%.*s", length ? "," : "", (int)word, all);
	}
}

/* Advises to leave out all expensive events, except context. */
static void advise_leaving_out(struct heddle_own_cost *cost, const struct profile_call_tree *tree)
{
	char names[HEDDLE_OWN_ADVICE / 2] = "";
	size_t length = 0, count = 0;
	for (size_t i = 0; i < cost->kind_count && length < sizeof(names); i++) {
		size_t kind = cost->kinds[i].event;
		if (kind >= tree->event_count || is_context(&tree->events[kind]))
			continue;
		length += (size_t)snprintf(
			names + length, sizeof(names) - length, "%s!%.80s", length ? "," : "", tree->events[kind].name);
		count++;
	}
	if (!count)
		return;
	snprintf(cost->text, sizeof(cost->text), "`heddle run --events '%s'` leaves %s out", names,
		count == 1 ? "that event" : "these events");
	cost->advice = cost->text;
}

static void advise(struct heddle_own_cost *cost, const struct profile_measurement *measurement, const char *function)
{
	const struct profile_call_tree *tree = &measurement->tree;
	size_t costliest = cost->kinds[0].event;
	cost->advice = better_than_leaving_out(cost->text, sizeof(cost->text), measurement, costliest, function);
	if (cost->advice)
		return;
	if (costliest < tree->event_count && is_context(&tree->events[costliest])) {
		char models[100];
		other_models(models, sizeof(models), tree->events[costliest].model);
		snprintf(cost->text, sizeof(cost->text), "`heddle run --models %s` leaves all events of %.20s out",
			models, tree->events[costliest].model);
		cost->advice = cost->text;
	} else {
		advise_leaving_out(cost, tree);
	}
}

static const char *label_of(const struct profile_call_tree *tree, size_t kind)
{
	if (kind < tree->event_count)
		return tree->events[kind].label;
	return kind == tree->event_count + FUNCTIONS ? "functions" : "phases";
}

/* Moves the largest sums to `cost`; they become 0 in `by_kind`. */
static void take_dearest(struct heddle_own_cost *cost, const struct profile_call_tree *tree, uint64_t *by_kind)
{
	while (cost->kind_count < HEDDLE_OWN_KINDS) {
		size_t costliest = 0;
		for (size_t i = 1; i < tree->event_count + NONE; i++)
			costliest = by_kind[i] > by_kind[costliest] ? i : costliest;
		if (!by_kind[costliest] || (double)by_kind[costliest] < PART_OF_IT * (double)cost->own)
			return;
		cost->kinds[cost->kind_count++] =
			(struct heddle_own_kind){by_kind[costliest], label_of(tree, costliest), costliest};
		by_kind[costliest] = 0;
	}
}

int heddle__own_cost_make(
	struct heddle_own_cost *cost, const struct profile_measurement *measurement, const char *function)
{
	const struct profile_call_tree *tree = &measurement->tree;
	const uint64_t *cpu = tree->values[HEDDLE_METRIC_CPU_TIME], *samples = tree->values[HEDDLE_METRIC_SAMPLES];
	uint64_t *by_kind = calloc(tree->event_count + SUMS, sizeof(*by_kind));
	uint8_t *states = malloc(tree->node_count + 1);
	uint32_t *below = calloc(tree->node_count + 1, sizeof(*below));
	*cost = (struct heddle_own_cost){.cpu = profile_measurement_total(measurement, HEDDLE_METRIC_CPU_TIME)};
	if (states && below) {
		profile_call_tree_states(tree, states);
		find_most_visited(below, tree);
	}
	for (size_t i = 0; by_kind && states && below && cpu && i < tree->node_count; i++) {
		if (states[i] != HEDDLE_STATE_HEDDLE)
			continue;
		cost->own += cpu[i];
		cost->samples += samples ? samples[i] : 0;
		by_kind[kind_of(tree, culprit_of(tree, below, i, cpu[i]))] += cpu[i];
	}
	if (by_kind)
		take_dearest(cost, tree, by_kind);
	if (cost->kind_count)
		advise(cost, measurement, function);
	int error = by_kind && states && below ? 0 : -ENOMEM;
	free(below);
	free(states);
	free(by_kind);
	return error;
}

bool heddle__own_cost_matters(const struct heddle_own_cost *cost)
{
	return cost->cpu && cost->samples >= SAMPLES_MIN && (double)cost->own >= MATTERS * (double)cost->cpu;
}
