/* SPDX-License-Identifier: BSD-3-Clause */
/* What each thread spent its time on, as rows: a process (or rank), and below it its threads. */
#ifndef HEDDLE_ANALYSIS_THREAD_TABLE_H
#define HEDDLE_ANALYSIS_THREAD_TABLE_H

#include "analysis/jobs.h"
#include "profile/file/measurement.h"

#define HEDDLE_THREAD_NAME 160

/* A thread, or the sum of several. */
struct heddle_thread_row {
	char name[HEDDLE_THREAD_NAME];
	bool sum;
	const struct profile_process *process; /* NULL: several */
	const struct profile_thread *thread;   /* NULL: several */
	uint64_t states[HEDDLE_STATE_COUNT];
	uint64_t elapsed, lock_wait; /* ns, whatever the metric is */
	/* sums over worker threads: */
	size_t workers;
	uint64_t most, work;
	const struct profile_thread *busiest;
	const struct profile_process *busiest_process;
};

struct heddle_thread_table {
	const struct profile_measurement *measurement;
	enum heddle_metric metric;
	struct heddle_thread_row *rows; /* processes by rank, if there are several, each followed by its threads */
	size_t count;
	struct heddle_thread_row all;
	size_t listed;         /* number of single threads */
	uint64_t thread_count; /* number of the program's threads */
};

/* Returns 0 or -ENOMEM. */
int heddle__thread_table_make(
	struct heddle_thread_table *table, const struct profile_measurement *measurement, enum heddle_metric metric);
void heddle__thread_table_free(struct heddle_thread_table *table);

/* Returns the sum of all threads in a table of the metric, without a name. */
struct heddle_thread_row heddle__thread_row_of_all(
	const struct profile_measurement *measurement, enum heddle_metric metric);

/* Like heddle__thread_row_of_all, for one job's threads. */
struct heddle_thread_row heddle__thread_row_of_job(const struct profile_measurement *measurement,
	enum heddle_metric metric, const struct heddle_jobs *jobs, size_t job);

/* True if lock waits should be shown as a share of elapsed time: CPU time has little of them. */
bool heddle__thread_table_has_locks(const struct heddle_thread_table *table);

/* Returns the sum of all wait states. */
uint64_t heddle__thread_row_waiting(const struct heddle_thread_row *row);
uint64_t heddle__thread_row_total(const struct heddle_thread_row *row);

/* Returns by how many percent the busiest thread worked longer than the average. */
double heddle__thread_row_imbalance(const struct heddle_thread_row *row);

/* Returns a thread's elapsed time, ns; 0 for Heddle's own threads. */
uint64_t heddle__thread_elapsed(const struct profile_thread *thread);

#endif
