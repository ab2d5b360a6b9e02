/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measurements of one program at several scales: how elapsed time, efficiency and its factors change, and which call
 * paths keep the program from scaling. docs/scaling.md has the formulas.
 *
 * Losses are of the time of all threads. The ideal time of a path is its time at the smallest scale (strong scaling) or
 * grows in proportion to the scale (weak scaling). A law is fitted to the thread with the most time in a path, so that
 * code that one thread executes alone is constant.
 */
#ifndef HEDDLE_ANALYSIS_SCALING_H
#define HEDDLE_ANALYSIS_SCALING_H

#include "analysis/comparison.h"
#include "analysis/efficiency_factors.h"
#include "analysis/scaling_model.h"
#include "analysis/useful_counts.h"

/* The data of a run, or of a phase of it, except its paths. */
struct heddle_scaling_run {
	size_t number;  /* number of the run, in the order in which runs were added */
	double scale;   /* number of threads, or as the user gave it */
	double threads; /* of all ranks */
	double ranks;
	double elapsed_ns, useful_ns;
	struct heddle_useful_counts counts;
	double left[HEDDLE_FACTOR_COUNT + 1]; /* as in struct heddle_efficiency_scope */
};

/* Values of a scale that have confidence intervals: members of struct heddle_scaling_point. */
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
	HEDDLE_SCALING_FACTORS, /* one for each factor */
	HEDDLE_SCALING_VALUES = HEDDLE_SCALING_FACTORS + HEDDLE_FACTOR_COUNT
};

/* A scale, or a combination of ranks and threads with that scale: means of its runs. */
struct heddle_scaling_point {
	double scale, threads, ranks;
	size_t runs;
	double elapsed_ns;
	/* The true value is within +- its margin at 95 % confidence; 0: a single run, or exact by definition. */
	double margins[HEDDLE_SCALING_VALUES];
	double speedup;     /* strong: by the elapsed time of the smallest scale; weak: by its work per time */
	double efficiency;  /* speed-up divided by the ratio of scales */
	double computation; /* ideal useful time divided by useful time: 1 if more threads compute no more */
	/* Likewise of instructions, IPC, and cycles by useful time; their product is `computation`. 0: not counted. */
	double instructions, ipc, clock;
	double ipc_is;   /* instructions divided by cycles */
	double parallel; /* parallel efficiency, the product of the factors */
	double factors[HEDDLE_FACTOR_COUNT];
};

struct heddle_scaling {
	enum heddle_metric metric;
	bool weak, own_scale; /* own_scale: the user gave the scales, so nothing is ideal */
	bool of_ranks, of_threads;
	bool counted;                        /* instructions and cycles were counted in all runs */
	struct heddle_comparison comparison; /* in the order of `runs`; own values: of the thread with the largest */
	struct heddle_scaling_run *runs;
	size_t run_count, run_capacity;
	struct heddle_scaling_point *points; /* ascending by scale, then by ranks */
	size_t point_count, scale_count;     /* number of points; number of different scales */
	double *scales, *values;             /* scratch memory for a path, by run */
	double *law_scales, *law_values;     /* scratch memory for the values that a law is made of */
	struct heddle_scaling_phase *phases; /* in the order in which they were found */
	size_t phase_count, phase_capacity;
};

/* A phase, by its label, on all paths. */
struct heddle_scaling_phase {
	char *name;
	/* Its runs are those with the phase, with its elapsed time and factors; it has no paths, laws or counts. */
	struct heddle_scaling of;
};

struct heddle_scaling_path {
	double first_ns, last_ns; /* of the thread with the largest, at the smallest and the largest scale: means */
	double loss;              /* at the largest scale, beyond ideal, as a share of the whole */
};

/*
 * Adds a run; measurement and view may be closed afterwards. `scale`: 0 for the number of threads. Returns 0 or a
 * negative error. `scaling` starts with metric, weak and own_scale set, and must be freed even after an error.
 */
int heddle__scaling_add(struct heddle_scaling *scaling, const struct profile_measurement *measurement,
	const struct profile_view *view, double scale);

/* Makes the points, after the last run. Returns 0 or -ENOMEM. */
int heddle__scaling_finish(struct heddle_scaling *scaling);
void heddle__scaling_free(struct heddle_scaling *scaling);

/* Returns the largest elapsed time of a phase at any scale, as a share of the run's. */
double heddle__scaling_phase_share(const struct heddle_scaling *scaling, const struct heddle_scaling_phase *phase);

/* Return the inclusive times of a path, and their model. */
struct heddle_scaling_path heddle__scaling_path(const struct heddle_scaling *scaling, uint32_t path);
void heddle__scaling_path_model(struct heddle_scaling *scaling, uint32_t path, struct heddle_model *model);

/* Makes the model of a function or region over all callers, from exclusive times of rows or inclusive ones of paths. */
void heddle__scaling_model(struct heddle_scaling *scaling, const double *values, struct heddle_model *model);

/*
 * Writes the inclusive times, of the thread with the largest, of all outermost paths with that name, by run, to
 * `values`. Returns false if there is no such path.
 */
bool heddle__scaling_named(const struct heddle_scaling *scaling, const char *name, double *values);

#endif
