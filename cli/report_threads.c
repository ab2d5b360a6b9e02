/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --threads`: what each thread spent its time on, and how evenly the work lay on them. */
#include "cli/report_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct columns {
	enum heddle_metric metric;
	bool shown[HEDDLE_STATE_COUNT];
};

static void each_thread(const struct heddle_report *report,
	void (*each)(const struct heddle_report *, const struct heddle_process *, const struct heddle_thread *, void *),
	void *context)
{
	const struct heddle_measurement *measurement = &report->session->measurement;
	for (size_t p = 0; p < measurement->process_count; p++)
		for (size_t t = 0; t < measurement->processes[p].thread_count; t++)
			each(report, &measurement->processes[p], &measurement->processes[p].threads[t], context);
}

/* Most states are rare: their columns are there only when somebody was in them. */
static void find_columns(const struct heddle_report *report, const struct heddle_process *process,
	const struct heddle_thread *thread, void *context)
{
	struct columns *columns = context;
	(void)report;
	(void)process;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		if (s == HEDDLE_STATE_WORK || heddle_thread_value(thread, columns->metric, s))
			columns->shown[s] = true;
}

/* The first word says it, and keeps the table on a terminal. */
static int state_width(int state)
{
	int width = (int)strcspn(heddle_state_label(state), " ");
	return width > 7 ? width : 7;
}

static void print_heading(const struct heddle_report *report, const struct columns *columns)
{
	heddle__style(&report->look, HEDDLE_STYLE_DIM);
	printf("%-12s %-16s %10s", "thread", "role", heddle_metric_name(columns->metric));
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		const char *label = heddle_state_label(s);
		int length = (int)strcspn(label, " ");
		if (columns->shown[s])
			printf(" %*s%.*s", state_width(s) - length, "", length, label);
	}
	fputs("  (%)\n", stdout);
	heddle__style(&report->look, HEDDLE_STYLE_PLAIN);
}

static void print_states(
	const struct heddle_report *report, const struct columns *columns, const struct heddle_thread *thread)
{
	uint64_t total = heddle_thread_total(thread, columns->metric);
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		if (!columns->shown[s])
			continue;
		printf(" %*s", state_width(s) - 7, "");
		heddle__print_percent(report, heddle_thread_value(thread, columns->metric, s), total);
	}
}

static void print_thread(const struct heddle_report *report, const struct heddle_process *process,
	const struct heddle_thread *thread, void *context)
{
	struct columns *columns = context;
	char name[64], text[32], role[64];
	snprintf(name, sizeof(name), "%" PRIu64 ".%" PRIu32, process->info->pid, thread->id);
	if (thread->threads > 1)
		snprintf(role, sizeof(role), "%s (%" PRIu32 "x)", thread->role, thread->threads);
	else if (thread->openmp_number >= 0)
		snprintf(role, sizeof(role), "%s %" PRId32, thread->role, thread->openmp_number);
	else
		snprintf(role, sizeof(role), "%s", thread->role);
	printf("%-12s ", name);
	heddle__print_safely(stdout, role);
	printf("%*s", strlen(role) < 16 ? (int)(16 - strlen(role)) : 0, "");
	printf(" %10s", heddle__format_value(text, sizeof(text), heddle_thread_total(thread, columns->metric),
				heddle_metric_unit(columns->metric)));
	print_states(report, columns, thread);
	putchar('\n');
}

/* Threads of teams only: a helper thread that never computes is not imbalance. */
struct balance {
	enum heddle_metric metric;
	uint64_t most, sum;
	size_t count;
	uint64_t pid;
	uint32_t id;
};

static void weigh(const struct heddle_report *report, const struct heddle_process *process,
	const struct heddle_thread *thread, void *context)
{
	struct balance *balance = context;
	uint64_t work = heddle_thread_value(thread, balance->metric, HEDDLE_STATE_WORK);
	(void)report;
	if (thread->openmp_number < 0)
		return;
	balance->count++;
	balance->sum += work;
	if (work <= balance->most)
		return;
	balance->most = work;
	balance->pid = process->info->pid;
	balance->id = thread->id;
}

static void print_balance(const struct heddle_report *report, enum heddle_metric metric)
{
	struct balance balance = {.metric = metric};
	each_thread(report, weigh, &balance);
	if (balance.count < 2 || balance.sum == 0)
		return;
	double mean = (double)balance.sum / (double)balance.count;
	printf("\nimbalance: thread %" PRIu64 ".%" PRIu32
	       " worked %.0f %% longer than the average of %zu OpenMP threads\n",
		balance.pid, balance.id, 100.0 * ((double)balance.most / mean - 1), balance.count);
}

int heddle__report_threads(const struct heddle_report *report)
{
	struct columns columns = {.metric = report->metric};
	each_thread(report, find_columns, &columns);
	print_heading(report, &columns);
	each_thread(report, print_thread, &columns);
	print_balance(report, columns.metric);
	return 0;
}
