/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measurements of one program at several scales: how elapsed time, efficiency and its factors change, and by call path
 * what keeps the program from scaling. docs/scaling.md has the formulas.
 *
 * A loss is of all threads' time. Ideal is: strong scaling, what it took at the smallest scale; weak scaling, in
 * proportion to the scale. A law is for the thread with most time in a path: what one thread executes alone is
 * constant.
 */
#ifndef HEDDLE_ANALYSIS_SCALING_H
#define HEDDLE_ANALYSIS_SCALING_H

#include "analysis/comparison.h"
#include "analysis/efficiency_factors.h"
#include "analysis/scaling_model.h"
#include "analysis/useful_counts.h"

/* What is known of a run, or a phase of it, besides its paths. */
struct heddle_scaling_run {
	size_t number;  /* of the run, in the order in which they were added */
	double scale;   /* number of threads, or as the user gave it */
	double threads; /* of all ranks */
	double ranks;
	double elapsed_ns, useful_ns;
	struct heddle_useful_counts counts;
	double left[HEDDLE_FACTOR_COUNT + 1]; /* as of struct heddle_efficiency_scope */
};

/* What a scale has intervals of: members of struct heddle_scaling_point. */
enum heddle_scaling_value {
	HEDDLE_SCALING_ELAPSED,
	HEDDLE_SCALING_SPEEDUP,
	HEDDLE_SCALING_EFFICIENCY,
	HEDDLE_SCALING_COMPUTATION,
	HEDDLE_SCALING_INSTRUCTIONS,
	HEDDLE_SCALING_IPC_IS,
	HEDDLE_SCALING_IPC,
	HEDDLE_SCALING_CLOCK,
	HEDDLE_SCALING_PARALLEL,
	HEDDLE_SCALING_FACTORS, /* one for each */
	HEDDLE_SCALING_VALUES = HEDDLE_SCALING_FACTORS + HEDDLE_FACTOR_COUNT
};

/* A scale, or a combination of ranks and threads of it: means of its runs. */
struct heddle_scaling_point {
	double scale, threads, ranks;
	size_t runs;
	double elapsed_ns;
	/* The truth is within a value +- its margin at 95 % confidence; 0: of one run, or by definition. */
	double margins[HEDDLE_SCALING_VALUES];
	double speedup;     /* strong: of the smallest scale's elapsed time; weak: of the work per time */
	double efficiency;  /* speed-up by the ratio of scales */
	double computation; /* ideal useful time by the useful time: 1 if more threads compute no more */
	/* The same of instructions, of IPC, and of cycles by useful time: their product is `computation`. 0: not
	 * counted */
	double instructions, ipc, clock;
	double ipc_is;   /* instructions by cycles */
	double parallel; /* parallel efficiency: the product of the factors */
	double factors[HEDDLE_FACTOR_COUNT];
};

struct heddle_scaling {
	enum heddle_metric metric;
	bool weak, own_scale; /* scales are numbers of the user's, not of threads: nothing is ideal */
	bool of_ranks, of_threads;
	bool counted;                        /* instructions and cycles, in all runs */
	struct heddle_comparison comparison; /* in the order of `runs`; own values are of the thread with most */
	struct heddle_scaling_run *runs;
	size_t run_count, run_capacity;
	struct heddle_scaling_point *points; /* ascending by scale, then by ranks */
	size_t point_count, scale_count;     /* different combinations; different numbers of threads */
	double *scales, *values;             /* by run: room for a path's */
	double *law_scales, *law_values;     /* the same: those that a law is made of */
	struct heddle_scaling_phase *phases; /* in the order in which they were found */
	size_t phase_count, phase_capacity;
};

/* A phase by its label, wherever it was begun. */
struct heddle_scaling_phase {
	char *name;
	/* Its runs are those that have it, and elapsed time and factors are its own; it has no paths, laws or counts.
	 */
	struct heddle_scaling of;
};

struct heddle_scaling_path {
	double first_ns, last_ns; /* of the thread with most, at the smallest and the largest scale: means */
	double loss;              /* at the largest, beyond ideal, as a share of the whole */
};

/*
 * Adds a run, of which nothing must be kept afterwards. `scale`: 0 for the number of threads. 0 or a negative error;
 * `scaling` starts with metric, weak and own_scale set and is to be freed after an error, too.
 */
int heddle__scaling_add(struct heddle_scaling *scaling, const struct profile_measurement *measurement,
	const struct profile_view *view, double scale);

/* After the last run: the points. 0 or -ENOMEM. */
int heddle__scaling_finish(struct heddle_scaling *scaling);
void heddle__scaling_free(struct heddle_scaling *scaling);

/* The largest elapsed time of a phase at a scale, as a share of that of the run. */
double heddle__scaling_phase_share(const struct heddle_scaling *scaling, const struct heddle_scaling_phase *phase);

/* The inclusive times of a path, and their model. */
struct heddle_scaling_path heddle__scaling_path(const struct heddle_scaling *scaling, uint32_t path);
void heddle__scaling_path_model(struct heddle_scaling *scaling, uint32_t path, struct heddle_model *model);

/* The model of a function or region over all its callers, from exclusive times of rows or inclusive ones of paths. */
void heddle__scaling_model(struct heddle_scaling *scaling, const double *values, struct heddle_model *model);

/*
 * The inclusive time, in the thread with most, of all outermost paths of that name, by run, into `values`. False: there
 * is none.
 */
bool heddle__scaling_named(const struct heddle_scaling *scaling, const char *name, double *values);

#endif
