/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --threads`: what each thread spent its time on, the threads of a process (of a rank) under it, and how
 * evenly the work was distributed.
 */
#include "cli/hosts.h"
#include "cli/report/report_parts.h"
#include "cli/report/thread_names.h"
#include "cli/wrap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LIMIT 160
#define IMBALANCE_WIDTH 8
#define LOCKS_WIDTH 20

/* One line: a thread, or the sum of several. */
struct row {
	char name[NAME_LIMIT];
	uint64_t states[HEDDLE_STATE_COUNT];
	uint64_t elapsed, lock_wait; /* ns, whatever the metric is */
	/* Of worker threads: */
	size_t workers;
	uint64_t most, work;
	const struct profile_thread *busiest;
	const struct profile_process *busiest_process;
};

struct table {
	const struct heddle_report *report;
	enum heddle_metric metric;
	const struct profile_process **processes; /* by rank */
	size_t process_count;
	size_t row_count;                      /* of single threads */
	uint64_t thread_count;                 /* in the program */
	const struct profile_thread **threads; /* buffer for those of a process */
	int name_width;
	bool shown[HEDDLE_STATE_COUNT];
	bool wait;  /* several wait states: one column for their sum */
	bool other; /* one column for states that do not fit */
	bool hosts; /* several: a process is named with its own */
	bool locks; /* lock wait as a share of elapsed time: CPU time, by which states are shown, has little of it */
};

/* ---- rows ---- */

/* The threads of a process that have a rank. */
struct ranks {
	const char *model;           /* that gave the ranks */
	uint32_t first, last, count; /* count 0: first is more than any */
};

static struct ranks ranks_of(const struct profile_process *process)
{
	struct ranks ranks = {.first = UINT32_MAX};
	for (size_t t = 0; t < process->thread_count; t++) {
		uint32_t rank = process->threads[t].rank;
		if (!profile_thread_is_rank(&process->threads[t]))
			continue;
		ranks.model = process->threads[t].rank_model;
		ranks.first = rank - 1 < ranks.first ? rank - 1 : ranks.first;
		ranks.last = rank - 1 > ranks.last ? rank - 1 : ranks.last;
		ranks.count++;
	}
	return ranks;
}

/* Processes without ranks come last. */
static int by_rank(const void *a, const void *b)
{
	const struct profile_process *const *x = a, *const *y = b;
	uint32_t rank_x = ranks_of(*x).first, rank_y = ranks_of(*y).first;
	if (rank_x != rank_y)
		return rank_x < rank_y ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

static void add_thread(struct row *row, const struct table *table, const struct profile_process *process,
	const struct profile_thread *thread)
{
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		row->states[s] += profile_thread_value(thread, table->metric, s);
	row->elapsed += heddle__thread_elapsed(thread);
	row->lock_wait += profile_thread_value(thread, HEDDLE_METRIC_WALL_TIME, HEDDLE_STATE_LOCK_WAIT);
	if (!profile_thread_is_worker(thread))
		return;
	uint64_t work = profile_thread_value(thread, table->metric, HEDDLE_STATE_WORK);
	row->workers++;
	row->work += work;
	if (row->busiest && work <= row->most)
		return;
	row->most = work;
	row->busiest = thread;
	row->busiest_process = process;
}

static void add_process(struct row *row, const struct table *table, const struct profile_process *process)
{
	for (size_t t = 0; t < process->thread_count; t++)
		add_thread(row, table, process, &process->threads[t]);
}

static const struct profile_model *model_of(const struct table *table, const char *name)
{
	return profile_models_named(&table->report->session->measurement.tree.models, name);
}

static void name_process(struct row *row, const struct table *table, const struct profile_process *process)
{
	struct ranks ranks = ranks_of(process);
	const char *noun = ranks.count ? model_of(table, ranks.model)->ranks : "";
	if (ranks.count == 0)
		snprintf(row->name, sizeof(row->name), "process %" PRIu64, process->info->pid);
	else if (ranks.count == 1)
		snprintf(row->name, sizeof(row->name), "%s %" PRIu32, noun, ranks.first);
	else
		snprintf(row->name, sizeof(row->name), "%ss %" PRIu32 " %s %" PRIu32, noun, ranks.first,
			ranks.last - ranks.first < ranks.count ? "to" : "...", ranks.last);
	size_t used = strlen(row->name);
	if (table->hosts && *process->info->host)
		snprintf(row->name + used, sizeof(row->name) - used, " on %s", process->info->host);
}

static void name_thread(struct row *row, const struct table *table, const struct profile_process *process,
	const struct profile_thread *thread)
{
	int indent = table->process_count > 1 ? 2 : 0;
	snprintf(row->name, sizeof(row->name), "%*s", indent, "");
	heddle__thread_name(row->name + indent, sizeof(row->name) - (size_t)indent,
		&table->report->session->measurement, process, thread);
}

static int rank_first(const void *a, const void *b)
{
	const struct profile_thread *const *x = a, *const *y = b;
	if (profile_thread_is_rank(*x) != profile_thread_is_rank(*y))
		return profile_thread_is_rank(*x) ? -1 : 1;
	if ((*x)->rank != (*y)->rank) /* 0, none, comes last */
		return (*x)->rank - 1 < (*y)->rank - 1 ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

/* The keeper is not a thread of the program: it is shown only if something was charged to it. */
static bool is_shown(const struct table *table, const struct profile_thread *thread)
{
	return profile_thread_number(thread) || profile_thread_total(thread, table->metric);
}

static size_t list_threads(struct table *table, const struct profile_process *process)
{
	size_t count = 0;
	for (size_t t = 0; t < process->thread_count; t++)
		if (profile_thread_number(&process->threads[t]))
			table->threads[count++] = &process->threads[t];
	qsort(table->threads, count, sizeof(*table->threads), rank_first);
	for (size_t t = 0; t < process->thread_count; t++)
		if (!profile_thread_number(&process->threads[t]) && is_shown(table, &process->threads[t]))
			table->threads[count++] = &process->threads[t];
	return count;
}

/* Calls `each` for every line but the last, in order. */
static void for_rows(struct table *table, void (*each)(struct table *, const struct row *, bool sum))
{
	bool grouped = table->process_count > 1;
	for (size_t p = 0; p < table->process_count; p++) {
		const struct profile_process *process = table->processes[p];
		struct row sum = {0};
		name_process(&sum, table, process);
		add_process(&sum, table, process);
		if (grouped)
			each(table, &sum, true);
		size_t count = list_threads(table, process);
		for (size_t t = 0; (!grouped || count > 1) && t < count; t++) {
			struct row row = {0};
			name_thread(&row, table, process, table->threads[t]);
			add_thread(&row, table, process, table->threads[t]);
			each(table, &row, false);
		}
	}
}

/* ---- columns ---- */

/* Short words, so the table fits a terminal. */
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
	return words[state] ? words[state] : profile_state_label(state);
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
	return width + (table->wait ? 8 : 0) + (table->other ? 8 : 0) + (table->locks ? LOCKS_WIDTH : 0);
}

/* Wait states come first: their sum remains visible. */
static int rarest_state(const struct table *table, const uint64_t *sums)
{
	int rarest = -1;
	for (int s = HEDDLE_STATE_COUNT - 1; s > HEDDLE_STATE_WORK; s--) {
		if (!table->shown[s])
			continue;
		bool spare = table->wait && profile_state_waits(s);
		bool rarest_spare = rarest >= 0 && table->wait && profile_state_waits(rarest);
		if (rarest < 0 || (spare && !rarest_spare) || (spare == rarest_spare && sums[s] < sums[rarest]))
			rarest = s;
	}
	return rarest;
}

/* Most states are rare: a column is shown only if a thread was in that state and if there is room. */
static void find_columns(struct table *table, const uint64_t *sums)
{
	int waiting = 0;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		table->shown[s] = s == HEDDLE_STATE_WORK || sums[s];
		waiting += sums[s] && profile_state_waits(s);
	}
	table->wait = waiting > 1;
	for (size_t width = table->report->look.width; width && table_width(table) > width;) {
		int rarest = rarest_state(table, sums);
		if (rarest < 0 && !table->locks)
			break;
		if (rarest < 0) {
			table->locks = false;
			continue;
		}
		table->shown[rarest] = false;
		table->other = table->other || !(table->wait && profile_state_waits(rarest));
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
		profile_metric_name(table->metric));
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		if (s == HEDDLE_STATE_BARRIER_WAIT && table->wait)
			printf(" %7s", "wait");
		if (table->shown[s])
			printf(" %*s", state_width(s), state_word(s));
	}
	printf("%s%s  imb. %%\n", table->other ? "   other" : "", table->locks ? "   elapsed lock wait" : "");
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
		bool waits = profile_state_waits(s);
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
	if (!table->locks)
		return;
	char text[32];
	printf(" %9s", heddle__format_value(text, sizeof(text), row->elapsed, "ns"));
	print_share(table, 9, row->lock_wait, row->elapsed);
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
		heddle__format_value(text, sizeof(text), total, profile_metric_unit(table->metric)));
	print_states(table, row, total);
	if (sum && row->workers > 1 && row->work)
		printf(" %7.1f", imbalance(row));
	putchar('\n');
}

static void print_balance(const struct table *table, const struct row *all)
{
	const struct heddle_look *look = &table->report->look;
	struct heddle_capture capture;
	if (all->workers < 2 || !all->work)
		return;
	heddle__capture_begin(&capture);
	if (all->busiest->rank)
		printf("\nimbalance: %s %" PRIu32, model_of(table, all->busiest->rank_model)->rank,
			all->busiest->rank - 1);
	else
		printf("\nimbalance: thread %" PRIu64 ".%" PRIu32, all->busiest_process->info->pid, all->busiest->id);
	printf(" worked %.0f %% longer than the average of %zu threads\n", imbalance(all), all->workers);
	heddle__capture_end(&capture, (struct heddle_wrap){.width = look->width});
}

static int collect(struct table *table)
{
	const struct profile_measurement *measurement = &table->report->session->measurement;
	size_t room = 0;
	table->processes = calloc(measurement->process_count + 1, sizeof(*table->processes));
	if (!table->processes)
		return -ENOMEM;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (process->error)
			continue;
		table->processes[table->process_count++] = process;
		room = process->thread_count > room ? process->thread_count : room;
		for (size_t t = 0; t < process->thread_count; t++) {
			table->row_count += is_shown(table, &process->threads[t]);
			table->thread_count += profile_thread_number(&process->threads[t]);
		}
	}
	qsort(table->processes, table->process_count, sizeof(*table->processes), by_rank);
	table->threads = calloc(room + 1, sizeof(*table->threads));
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
	table.hosts = heddle__hosts_count(&report->session->measurement) > 1;
	int error = collect(&table);
	if (!error) {
		for (size_t p = 0; p < table.process_count; p++)
			add_process(&all, &table, table.processes[p]);
		snprintf(all.name, sizeof(all.name), "all %" PRIu64 " thread%s", table.thread_count,
			table.thread_count == 1 ? "" : "s");
		measure_name(&table, &all, true);
		for_rows(&table, measure_name);
		bool locks = table.metric == HEDDLE_METRIC_CPU_TIME && all.lock_wait;
		table.locks = locks;
		find_columns(&table, all.states);
		print_heading(&table);
		for_rows(&table, print_row);
		if (table.row_count > 1)
			print_row(&table, &all, true);
		print_balance(&table, &all);
		const struct heddle_column left_out[] = {
			{"elapsed", 0, 0, locks && !table.locks}, {"lock wait", 0, 0, locks && !table.locks}};
		heddle__columns_tell(&report->look, left_out, 2);
	}
	free(table.processes);
	free(table.threads);
	return error;
}
