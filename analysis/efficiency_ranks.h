/* SPDX-License-Identifier: BSD-3-Clause */
/* What efficiency_factors.c adds up: the times of one process's threads by cell, and sums over ranks by scope. */
#ifndef HEDDLE_ANALYSIS_EFFICIENCY_RANKS_H
#define HEDDLE_ANALYSIS_EFFICIENCY_RANKS_H

#include "analysis/efficiency_cells.h"
#include "analysis/jobs.h"

struct heddle_cell_times {
	double cpu[HEDDLE_SPENT_COUNT], wall[HEDDLE_SPENT_COUNT]; /* ns */
};

struct heddle_scope_sums {
	enum heddle_scope_kind kind;
	uint32_t label, phase; /* phase: its number; 0 of a region */
	size_t ranks, threads;
	double longest;      /* elapsed time of the rank with most */
	double outside;      /* thread time outside of exchanges between ranks; of a region all of it */
	double most_outside; /* elapsed time outside of them of the rank with most */
	double useful, lost[HEDDLE_FACTOR_COUNT];
};

/* Sums over one job for the whole run. */
struct heddle_job_sums {
	size_t ranks, threads;
	double elapsed_ns;   /* heddle__efficiency_job_elapsed */
	double longest;      /* elapsed time of the rank with most */
	double most_outside; /* that outside of exchanges */
};

struct heddle_rank_sums {
	const struct profile_measurement *measurement;
	const struct profile_view *view;
	bool everyone; /* no thread is in a team or has a rank: all threads of the program count */
	bool sampled;  /* useful is CPU time, not elapsed time */
	struct heddle_jobs jobs;
	struct heddle_job_sums *by_job;
	struct heddle_cells cells;
	const struct profile_process *process; /* whose threads are being read; NULL: none */
	struct heddle_cell_times *times;       /* of its threads, by cell */
	struct heddle_scope_sums *scopes;      /* the run, phases by number, regions */
	size_t count, capacity;
	double *places[HEDDLE_FACTOR_COUNT]; /* time lost, by label */
};

/* 0 or -ENOMEM; to be freed in any case. */
int heddle__rank_sums_make(struct heddle_rank_sums *sums);
void heddle__rank_sums_free(struct heddle_rank_sums *sums);

/* Adds the ranks of the process. 0 or -ENOMEM. */
int heddle__rank_sums_add(struct heddle_rank_sums *sums);

/* Adds a value of a thread to the place where it is lost, if it is lost. */
void heddle__rank_sums_place(struct heddle_rank_sums *sums, const struct profile_thread_values *values, size_t i);

#endif
