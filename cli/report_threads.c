/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --threads`: what each thread spent its time on, the threads of a process (of a UPC thread) under it,
 * and how evenly the work lay on them.
 */
#include "cli/report_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LIMIT 64
#define IMBALANCE_WIDTH 8

/* One line: a thread, or the sum of several. */
struct row {
	char name[NAME_LIMIT];
	uint64_t states[HEDDLE_STATE_COUNT];
	/* Of the threads that are there to work: */
	size_t workers;
	uint64_t most, work;
	const struct heddle_thread *busiest;
	const struct heddle_process *busiest_process;
};

struct table {
	const struct heddle_report *report;
	enum heddle_metric metric;
	const struct heddle_process **processes; /* by rank */
	size_t process_count, thread_count;
	const struct heddle_thread **threads; /* room for those of a process */
	int name_width;
	bool shown[HEDDLE_STATE_COUNT];
	bool wait;  /* several states that wait: a column for all of them */
	bool other; /* states that there is no room for, in one column */
};

/* ---- rows ---- */

/* An OpenMP worker that tells of accesses to shared memory has the number of the UPC thread for which it works. */
static bool is_upc_thread(const struct heddle_thread *thread)
{
	return thread->rank != 0 && strcmp(thread->role, "openmp worker") != 0;
}

/* The UPC threads of a process. */
struct ranks {
	uint32_t first, last, count; /* count 0: first is more than any */
};

static struct ranks ranks_of(const struct heddle_process *process)
{
	struct ranks ranks = {.first = UINT32_MAX};
	for (size_t t = 0; t < process->thread_count; t++) {
		uint32_t rank = process->threads[t].rank;
		if (!is_upc_thread(&process->threads[t]))
			continue;
		ranks.first = rank - 1 < ranks.first ? rank - 1 : ranks.first;
		ranks.last = rank - 1 > ranks.last ? rank - 1 : ranks.last;
		ranks.count++;
	}
	return ranks;
}

/* Processes without UPC threads come last. */
static int by_rank(const void *a, const void *b)
{
	const struct heddle_process *const *x = a, *const *y = b;
	uint32_t rank_x = ranks_of(*x).first, rank_y = ranks_of(*y).first;
	if (rank_x != rank_y)
		return rank_x < rank_y ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

/* Threads of teams and of UPC only: a helper thread that never computes is not imbalance. */
static bool is_worker(const struct heddle_thread *thread)
{
	return thread->openmp_number >= 0 || thread->rank != 0;
}

static void add_thread(struct row *row, const struct table *table, const struct heddle_process *process,
	const struct heddle_thread *thread)
{
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		row->states[s] += heddle_thread_value(thread, table->metric, s);
	if (!is_worker(thread))
		return;
	uint64_t work = heddle_thread_value(thread, table->metric, HEDDLE_STATE_WORK);
	row->workers++;
	row->work += work;
	if (row->busiest && work <= row->most)
		return;
	row->most = work;
	row->busiest = thread;
	row->busiest_process = process;
}

static void add_process(struct row *row, const struct table *table, const struct heddle_process *process)
{
	for (size_t t = 0; t < process->thread_count; t++)
		add_thread(row, table, process, &process->threads[t]);
}

static void name_process(struct row *row, const struct heddle_process *process)
{
	struct ranks ranks = ranks_of(process);
	if (ranks.count == 0)
		snprintf(row->name, sizeof(row->name), "process %" PRIu64, process->info->pid);
	else if (ranks.count == 1)
		snprintf(row->name, sizeof(row->name), "UPC thread %" PRIu32, ranks.first);
	else
		snprintf(row->name, sizeof(row->name), "UPC threads %" PRIu32 " %s %" PRIu32, ranks.first,
			ranks.last - ranks.first < ranks.count ? "to" : "...", ranks.last);
}

static void name_thread(
	struct row *row, const char *indent, const struct heddle_process *process, const struct heddle_thread *thread)
{
	int used = snprintf(
		row->name, sizeof(row->name), "%s%" PRIu64 ".%-3" PRIu32 " ", indent, process->info->pid, thread->id);
	char *end = row->name + used;
	size_t left = sizeof(row->name) - (size_t)used;
	if (is_upc_thread(thread))
		snprintf(end, left, "UPC %" PRIu32, thread->rank - 1);
	else if (thread->threads > 1)
		snprintf(end, left, "%s (%" PRIu32 "x)", thread->role, thread->threads);
	else if (thread->openmp_number >= 0)
		snprintf(end, left, "%s %" PRId32, thread->role, thread->openmp_number);
	else
		snprintf(end, left, "%s", thread->role);
}

static int rank_first(const void *a, const void *b)
{
	const struct heddle_thread *const *x = a, *const *y = b;
	if (is_upc_thread(*x) != is_upc_thread(*y))
		return is_upc_thread(*x) ? -1 : 1;
	if ((*x)->rank != (*y)->rank) /* 0, none, comes last */
		return (*x)->rank - 1 < (*y)->rank - 1 ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

/* Calls `each` for every line but the last, in order. */
static void for_rows(struct table *table, void (*each)(struct table *, const struct row *, bool sum))
{
	bool grouped = table->process_count > 1;
	for (size_t p = 0; p < table->process_count; p++) {
		const struct heddle_process *process = table->processes[p];
		struct row sum = {0};
		name_process(&sum, process);
		add_process(&sum, table, process);
		if (grouped)
			each(table, &sum, true);
		for (size_t t = 0; t < process->thread_count; t++)
			table->threads[t] = &process->threads[t];
		qsort(table->threads, process->thread_count, sizeof(*table->threads), rank_first);
		for (size_t t = 0; (!grouped || process->thread_count > 1) && t < process->thread_count; t++) {
			struct row row = {0};
			name_thread(&row, grouped ? "  " : "", process, table->threads[t]);
			add_thread(&row, table, process, table->threads[t]);
			each(table, &row, false);
		}
	}
}

/* ---- columns ---- */

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

static size_t table_width(const struct table *table)
{
	size_t width = (size_t)table->name_width + 1 + (size_t)heddle__value_width(table->metric) + IMBALANCE_WIDTH;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		width += table->shown[s] ? 1 + (size_t)state_width(s) : 0;
	return width + (table->wait ? 8 : 0) + (table->other ? 8 : 0);
}

/* Of the states that wait first: their sum stays. */
static int rarest_state(const struct table *table, const uint64_t *sums)
{
	int rarest = -1;
	for (int s = HEDDLE_STATE_COUNT - 1; s > HEDDLE_STATE_WORK; s--) {
		if (!table->shown[s])
			continue;
		bool spare = table->wait && heddle__state_waits(s);
		bool rarest_spare = rarest >= 0 && table->wait && heddle__state_waits(rarest);
		if (rarest < 0 || (spare && !rarest_spare) || (spare == rarest_spare && sums[s] < sums[rarest]))
			rarest = s;
	}
	return rarest;
}

/* Most states are rare: their columns are there only when somebody was in them, and when there is room. */
static void find_columns(struct table *table, const uint64_t *sums)
{
	int waiting = 0;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		table->shown[s] = s == HEDDLE_STATE_WORK || sums[s];
		waiting += sums[s] && heddle__state_waits(s);
	}
	table->wait = waiting > 1;
	for (size_t width = table->report->look.width; width && table_width(table) > width;) {
		int rarest = rarest_state(table, sums);
		if (rarest < 0)
			break;
		table->shown[rarest] = false;
		table->other = table->other || !(table->wait && heddle__state_waits(rarest));
	}
}

static void measure_name(struct table *table, const struct row *row, bool sum)
{
	(void)sum;
	int width = (int)heddle__columns(row->name);
	table->name_width = width > table->name_width ? width : table->name_width;
}

/* ---- printing ---- */

static void print_heading(const struct table *table)
{
	const struct heddle_look *look = &table->report->look;
	heddle__style(look, HEDDLE_STYLE_DIM);
	printf("%-*s %*s", table->name_width, "thread", heddle__value_width(table->metric),
		heddle_metric_name(table->metric));
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		if (s == HEDDLE_STATE_BARRIER_WAIT && table->wait)
			printf(" %7s", "wait");
		if (table->shown[s])
			printf(" %*s", state_width(s), state_word(s));
	}
	printf("%s  imb. %%\n", table->other ? "   other" : "");
	heddle__style(look, HEDDLE_STYLE_PLAIN);
}

static void print_share(const struct table *table, int width, uint64_t value, uint64_t total)
{
	printf(" %*s", width - 7, "");
	heddle__print_percent(table->report, value, total);
}

static void print_states(const struct table *table, const struct row *row, uint64_t total)
{
	uint64_t other = 0, waiting = 0;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		bool waits = heddle__state_waits(s);
		waiting += waits ? row->states[s] : 0;
		other += table->shown[s] || (waits && table->wait) ? 0 : row->states[s];
	}
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		if (s == HEDDLE_STATE_BARRIER_WAIT && table->wait)
			print_share(table, 7, waiting, total);
		if (table->shown[s])
			print_share(table, state_width(s), row->states[s], total);
	}
	if (table->other)
		print_share(table, 7, other, total);
}

static double imbalance(const struct row *row)
{
	return row->work ? 100.0 * ((double)row->most * (double)row->workers / (double)row->work - 1) : 0;
}

static void print_row(struct table *table, const struct row *row, bool sum)
{
	char text[32];
	uint64_t total = 0;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		total += row->states[s];
	heddle__style(&table->report->look, sum ? HEDDLE_STYLE_BOLD : HEDDLE_STYLE_PLAIN);
	heddle__print_safely(stdout, row->name);
	heddle__style(&table->report->look, HEDDLE_STYLE_PLAIN);
	printf("%*s", table->name_width - (int)heddle__columns(row->name), "");
	printf(" %*s", heddle__value_width(table->metric),
		heddle__format_value(text, sizeof(text), total, heddle_metric_unit(table->metric)));
	print_states(table, row, total);
	if (sum && row->workers > 1 && row->work)
		printf(" %7.1f", imbalance(row));
	putchar('\n');
}

static void print_balance(const struct row *all)
{
	if (all->workers < 2 || !all->work)
		return;
	if (all->busiest->rank)
		printf("\nimbalance: UPC %" PRIu32, all->busiest->rank - 1);
	else
		printf("\nimbalance: thread %" PRIu64 ".%" PRIu32, all->busiest_process->info->pid, all->busiest->id);
	printf(" worked %.0f %% longer than the average of %zu threads\n", imbalance(all), all->workers);
}

static int collect(struct table *table)
{
	const struct heddle_measurement *measurement = &table->report->session->measurement;
	table->processes = calloc(measurement->process_count + 1, sizeof(*table->processes));
	if (!table->processes)
		return -ENOMEM;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct heddle_process *process = &measurement->processes[p];
		if (process->error)
			continue;
		table->processes[table->process_count++] = process;
		table->thread_count += process->thread_count;
	}
	qsort(table->processes, table->process_count, sizeof(*table->processes), by_rank);
	table->threads = calloc(table->thread_count + 1, sizeof(*table->threads));
	return table->threads ? 0 : -ENOMEM;
}

int heddle__report_threads(const struct heddle_report *report)
{
	struct table table = {.report = report, .metric = report->metric};
	struct row all = {0};
	if (report->metric == HEDDLE_METRIC_HELD) {
		puts("What a thread allocated others may give back: bytes-held is not told by threads, bytes-allocated "
		     "is.");
		return 0;
	}
	int error = collect(&table);
	if (!error) {
		for (size_t p = 0; p < table.process_count; p++)
			add_process(&all, &table, table.processes[p]);
		snprintf(all.name, sizeof(all.name), "all %zu thread%s", table.thread_count,
			table.thread_count == 1 ? "" : "s");
		measure_name(&table, &all, true);
		for_rows(&table, measure_name);
		find_columns(&table, all.states);
		print_heading(&table);
		for_rows(&table, print_row);
		if (table.thread_count > 1)
			print_row(&table, &all, true);
		print_balance(&all);
	}
	free(table.processes);
	free(table.threads);
	return error;
}
