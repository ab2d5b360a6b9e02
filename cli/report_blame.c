/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --blame`: how long threads waited, and who made them wait, by call path. */
#include "cli/report_parts.h"

#include <stdlib.h>

/* Ways of waiting that are charged to somebody: how reports name them, and what the charge is. */
static const struct way {
	enum heddle_state state;
	enum heddle_metric blame;
	const char *heading;
} ways[] = {
	{HEDDLE_STATE_LOCK_WAIT, HEDDLE_METRIC_LOCK_BLAME, "locks"},
	{HEDDLE_STATE_BARRIER_WAIT, HEDDLE_METRIC_BARRIER_BLAME, "barriers"},
	{HEDDLE_STATE_TASK_WAIT, HEDDLE_METRIC_TASK_BLAME, "tasks"},
	{HEDDLE_STATE_IDLE, HEDDLE_METRIC_IDLE_BLAME, "idle"},
};
#define WAYS (sizeof(ways) / sizeof(*ways))

/* Elapsed time of all threads by what they did; false: no memory. */
static bool sum_states(const struct heddle_report *report, uint64_t sums[HEDDLE_STATE_COUNT])
{
	const struct heddle_call_tree *tree = &report->session->measurement.tree;
	const uint64_t *times = tree->values[HEDDLE_METRIC_WALL_TIME];
	uint8_t *states = malloc(tree->node_count);
	if (!states)
		return false;
	heddle__call_tree_states(tree, states);
	for (size_t i = 0; times && i < tree->node_count; i++)
		sums[states[i]] += times[i];
	free(states);
	return true;
}

static void print_share(const char *before, const char *what, uint64_t part, uint64_t whole)
{
	char text[32];
	if (part)
		printf("%s%s %s (%.1f %%)", before, what, heddle__format_time(text, sizeof(text), part),
			whole ? 100.0 * (double)part / (double)whole : 0);
}

void heddle__report_waiting(const struct heddle_report *report)
{
	uint64_t sums[HEDDLE_STATE_COUNT] = {0}, all = 0, waited = 0;
	if (!heddle_measurement_total(&report->session->measurement, HEDDLE_METRIC_BLAME) || !sum_states(report, sums))
		return;
	for (int state = 0; state < HEDDLE_STATE_COUNT; state++) {
		all += sums[state];
		waited += heddle__state_waits(state) || state == HEDDLE_STATE_IDLE ? sums[state] : 0;
	}
	print_share("time of all threads: ", "work", all - waited, all);
	for (int state = 0; state < HEDDLE_STATE_COUNT; state++)
		if (heddle__state_waits(state) || state == HEDDLE_STATE_IDLE)
			print_share(report->look.dot, heddle_state_label(state), sums[state], all);
	puts("\n");
}

static void print_totals(const struct heddle_report *report, uint64_t blame)
{
	char text[32];
	uint64_t sums[HEDDLE_STATE_COUNT] = {0}, waited = 0;
	if (!sum_states(report, sums))
		return;
	for (size_t i = 0; i < WAYS; i++)
		waited += sums[ways[i].state];
	printf("waited: %s", heddle__format_time(text, sizeof(text), waited));
	for (size_t i = 0; i < WAYS; i++)
		print_share(report->look.dot, heddle_state_label(ways[i].state), sums[ways[i].state], waited);
	printf("\nblame given: %s\n\n", heddle__format_time(text, sizeof(text), blame));
}

int heddle__report_blame(const struct heddle_report *report)
{
	const struct heddle_measurement *measurement = &report->session->measurement;
	struct heddle_extra extras[WAYS];
	struct heddle_report part = *report;
	_Static_assert(WAYS <= HEDDLE_EXTRA_LIMIT, "the tree has columns for all");
	uint64_t blame = heddle_measurement_total(measurement, HEDDLE_METRIC_BLAME);
	if (!blame) {
		puts("No blame was given: measure with `heddle run --blame`; or no thread waited for another.");
		return 0;
	}
	part.metric = HEDDLE_METRIC_BLAME;
	part.counts = HEDDLE_METRIC_BLAME; /* visits say nothing here */
	part.arguments = false;
	part.extras = extras;
	part.extra_count = 0;
	for (size_t i = 0; i < WAYS; i++)
		if (heddle_measurement_total(measurement, ways[i].blame))
			extras[part.extra_count++] = (struct heddle_extra){ways[i].blame, ways[i].heading};
	print_totals(report, blame);
	return heddle__report_tree(&part);
}
