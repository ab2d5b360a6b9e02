/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --threads`: what each thread spent its time on, and how evenly the work lay on them. */
#include "cli/report_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_WIDTH 40 /* columns in front of the states, the metric's own left out but for 10 */

/* One thread's line. */
struct line {
	const struct heddle_process *process;
	const struct heddle_thread *thread;
};

struct columns {
	const struct heddle_report *report;
	enum heddle_metric metric;
	struct line *lines;
	size_t count;
	bool shown[HEDDLE_STATE_COUNT];
	bool other; /* states that there is no room for, in one column */
};

static int by_rank(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	if (x->thread->rank != y->thread->rank) /* those without one come last */
		return x->thread->rank - 1 < y->thread->rank - 1 ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

static int collect(struct columns *columns)
{
	const struct heddle_measurement *measurement = &columns->report->session->measurement;
	size_t count = 0;
	for (size_t p = 0; p < measurement->process_count; p++)
		count += measurement->processes[p].thread_count;
	columns->lines = calloc(count + 1, sizeof(*columns->lines));
	if (!columns->lines)
		return -ENOMEM;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct heddle_process *process = &measurement->processes[p];
		for (size_t t = 0; t < process->thread_count; t++)
			columns->lines[columns->count++] = (struct line){process, &process->threads[t]};
	}
	return 0;
}

/* A short word says it, and keeps the table on a terminal. */
static const char *state_word(int state)
{
	static const char *const words[HEDDLE_STATE_COUNT] = {
		[HEDDLE_STATE_BARRIER_WAIT] = "barrier",
		[HEDDLE_STATE_LOCK_WAIT] = "lock",
		[HEDDLE_STATE_TASK_WAIT] = "task",
		[HEDDLE_STATE_OFF_CPU] = "off",
		[HEDDLE_STATE_PARTIAL] = "partial",
		[HEDDLE_STATE_FENCE_WAIT] = "fence",
		[HEDDLE_STATE_COLLECTIVE_WAIT] = "collect",
		[HEDDLE_STATE_COMMUNICATION] = "comm",
	};
	return words[state] ? words[state] : heddle_state_label(state);
}

static int state_width(int state)
{
	int width = (int)strlen(state_word(state));
	return width > 7 ? width : 7;
}

static size_t table_width(const struct columns *columns)
{
	size_t width = NAMES_WIDTH - 10 + (size_t)heddle__value_width(columns->metric) + strlen("  (%)");
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		width += columns->shown[s] ? 1 + (size_t)state_width(s) : 0;
	return width + (columns->other ? 8 : 0);
}

static int rarest_state(const struct columns *columns, const uint64_t *sums)
{
	int rarest = -1;
	for (int s = HEDDLE_STATE_COUNT - 1; s > HEDDLE_STATE_WORK; s--)
		if (columns->shown[s] && (rarest < 0 || sums[s] < sums[rarest]))
			rarest = s;
	return rarest;
}

/* Most states are rare: their columns are there only when somebody was in them, and when there is room. */
static void find_columns(struct columns *columns)
{
	uint64_t sums[HEDDLE_STATE_COUNT] = {0};
	for (size_t i = 0; i < columns->count; i++)
		for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
			sums[s] += heddle_thread_value(columns->lines[i].thread, columns->metric, s);
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		columns->shown[s] = s == HEDDLE_STATE_WORK || sums[s];
	for (size_t width = columns->report->look.width; width && table_width(columns) > width;) {
		int rarest = rarest_state(columns, sums);
		if (rarest < 0)
			break;
		columns->shown[rarest] = false;
		columns->other = true;
	}
}

static void print_heading(const struct columns *columns)
{
	const struct heddle_look *look = &columns->report->look;
	heddle__style(look, HEDDLE_STYLE_DIM);
	printf("%-12s %-16s %*s", "thread", "role", heddle__value_width(columns->metric),
		heddle_metric_name(columns->metric));
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		if (columns->shown[s])
			printf(" %*s", state_width(s), state_word(s));
	printf("%s  (%%)\n", columns->other ? "   other" : "");
	heddle__style(look, HEDDLE_STYLE_PLAIN);
}

static void print_states(const struct columns *columns, const struct heddle_thread *thread)
{
	uint64_t total = heddle_thread_total(thread, columns->metric), other = 0;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		uint64_t value = heddle_thread_value(thread, columns->metric, s);
		if (!columns->shown[s]) {
			other += value;
			continue;
		}
		printf(" %*s", state_width(s) - 7, "");
		heddle__print_percent(columns->report, value, total);
	}
	if (columns->other) {
		putchar(' ');
		heddle__print_percent(columns->report, other, total);
	}
}

static void name_role(char *role, size_t size, const struct heddle_thread *thread)
{
	if (thread->rank)
		snprintf(role, size, "UPC %" PRIu32, thread->rank - 1);
	else if (thread->threads > 1)
		snprintf(role, size, "%s (%" PRIu32 "x)", thread->role, thread->threads);
	else if (thread->openmp_number >= 0)
		snprintf(role, size, "%s %" PRId32, thread->role, thread->openmp_number);
	else
		snprintf(role, size, "%s", thread->role);
}

static void print_line(const struct columns *columns, const struct line *line)
{
	char name[64], text[32], role[64];
	const struct heddle_thread *thread = line->thread;
	snprintf(name, sizeof(name), "%" PRIu64 ".%" PRIu32, line->process->info->pid, thread->id);
	name_role(role, sizeof(role), thread);
	printf("%-12s ", name);
	heddle__print_safely(stdout, role);
	printf("%*s", strlen(role) < 16 ? (int)(16 - strlen(role)) : 0, "");
	printf(" %*s", heddle__value_width(columns->metric),
		heddle__format_value(text, sizeof(text), heddle_thread_total(thread, columns->metric),
			heddle_metric_unit(columns->metric)));
	print_states(columns, thread);
	putchar('\n');
}

/* Threads of teams and of UPC only: a helper thread that never computes is not imbalance. */
static void print_balance(const struct columns *columns)
{
	const struct line *longest = NULL;
	uint64_t most = 0, sum = 0;
	size_t count = 0, upc = 0;
	for (size_t i = 0; i < columns->count; i++) {
		const struct heddle_thread *thread = columns->lines[i].thread;
		uint64_t work = heddle_thread_value(thread, columns->metric, HEDDLE_STATE_WORK);
		if (thread->openmp_number < 0 && thread->rank == 0)
			continue;
		count++;
		upc += thread->rank != 0;
		sum += work;
		if (work > most)
			longest = &columns->lines[i];
		most = work > most ? work : most;
	}
	if (count < 2 || !longest)
		return;
	if (longest->thread->rank)
		printf("\nimbalance: UPC %" PRIu32, longest->thread->rank - 1);
	else
		printf("\nimbalance: thread %" PRIu64 ".%" PRIu32, longest->process->info->pid, longest->thread->id);
	printf(" worked %.0f %% longer than the average of %zu %s\n",
		100.0 * ((double)most * (double)count / (double)sum - 1), count,
		upc == 0       ? "OpenMP threads"
		: upc == count ? "UPC threads"
			       : "threads");
}

int heddle__report_threads(const struct heddle_report *report)
{
	struct columns columns = {.report = report, .metric = report->metric};
	if (report->metric == HEDDLE_METRIC_HELD) {
		puts("What a thread allocated others may give back: bytes-held is not told by threads, bytes-allocated "
		     "is.");
		return 0;
	}
	int error = collect(&columns);
	if (!error) {
		qsort(columns.lines, columns.count, sizeof(*columns.lines), by_rank);
		find_columns(&columns);
		print_heading(&columns);
		for (size_t i = 0; i < columns.count; i++)
			print_line(&columns, &columns.lines[i]);
		print_balance(&columns);
	}
	free(columns.lines);
	return error;
}
