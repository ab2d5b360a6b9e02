/* SPDX-License-Identifier: BSD-3-Clause */
/* The sums behind efficiency_factors.c: the times of one process's threads by cell, and sums over ranks by scope. */
#ifndef HEDDLE_ANALYSIS_EFFICIENCY_RANKS_H
#define HEDDLE_ANALYSIS_EFFICIENCY_RANKS_H

#include "analysis/efficiency_cells.h"
#include "analysis/jobs.h"

struct heddle_cell_times {
	double cpu[HEDDLE_SPENT_COUNT], wall[HEDDLE_SPENT_COUNT]; /* ns */
};

struct heddle_scope_sums {
	enum heddle_scope_kind kind;
	uint32_t label, phase; /* phase: its number; of a region 0 */
	size_t ranks, threads;
	double longest;      /* elapsed time of the rank with the largest */
	double outside;      /* thread time outside of exchanges between ranks; of a region all thread time */
	double most_outside; /* elapsed time outside of exchanges, of the rank with the largest */
	double useful, lost[HEDDLE_FACTOR_COUNT];
};

/* Sums over one job for the whole run. */
struct heddle_job_sums {
	size_t ranks, threads;
	double elapsed_ns;   /* heddle__efficiency_job_elapsed */
	double longest;      /* elapsed time of the rank with the largest */
	double most_outside; /* the same outside of exchanges */
};

struct heddle_rank_sums {
	const struct profile_measurement *measurement;
	const struct profile_view *view;
	bool everyone; /* all threads of the program count, because none is in a team or has a rank */
	bool sampled;  /* useful time is CPU time, not elapsed time */
	struct heddle_jobs jobs;
	struct heddle_job_sums *by_job;
	struct heddle_cells cells;
	const struct profile_process *process; /* the process whose threads are being read; NULL: none */
	struct heddle_cell_times *times;       /* of its threads, by cell */
	struct heddle_scope_sums *scopes;      /* the run, phases by number, regions */
	size_t count, capacity;
	double *places[HEDDLE_FACTOR_COUNT]; /* time lost, by label */
};

/* Returns 0 or -ENOMEM. Free `sums` in any case. */
int heddle__rank_sums_make(struct heddle_rank_sums *sums);
void heddle__rank_sums_free(struct heddle_rank_sums *sums);

/* Adds the ranks of the current process. Returns 0 or -ENOMEM. */
int heddle__rank_sums_add(struct heddle_rank_sums *sums);

/* Adds value `i` of a thread to the label where it is lost, if it is lost. */
void heddle__rank_sums_place(struct heddle_rank_sums *sums, const struct profile_thread_values *values, size_t i);

#endif
