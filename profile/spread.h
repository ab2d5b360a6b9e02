/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the inclusive values of paths, and of functions wherever they stand, spread over the threads. Threads are read
 * one by one, so memory grows with the tree and the number of workers. All numbers are whole and exact: in whatever
 * order threads are added, the result is the same.
 */
#ifndef HEDDLE_PROFILE_SPREAD_H
#define HEDDLE_PROFILE_SPREAD_H

#include "profile/section_writer.h"
#include "profile/view.h"

struct heddle_spread {
	uint64_t least, most, sum;      /* of the threads that have a value */
	uint64_t squares, squares_high; /* sum of squares, its upper 64 bits apart; stays at the most it can be */
	uint32_t threads;               /* that have a value */
};

enum heddle_spread_rows {
	HEDDLE_SPREAD_PATHS,  /* nodes of the view */
	HEDDLE_SPREAD_LABELS, /* its labels; recursion counts once */
	HEDDLE_SPREAD_KINDS,
};

struct heddle_spreads {
	struct heddle_spread *of[HEDDLE_METRIC_LIMIT][HEDDLE_SPREAD_KINDS]; /* NULL: not asked for */
	size_t rows[HEDDLE_SPREAD_KINDS];
	uint32_t threads; /* all but Heddle's own: those without a value count as 0 */
};

/* Makes empty tables. */
int heddle_spreads_start(struct heddle_spreads *spreads, const struct heddle_view *view,
	const bool metrics[HEDDLE_METRIC_LIMIT], const bool rows[HEDDLE_SPREAD_KINDS]);
void heddle_spreads_free(struct heddle_spreads *spreads);

/*
 * Adds the threads of all good files of `files`, on up to `workers` threads (0: as many as processors). `tree` has all
 * their paths, `view` is made of it. -HEDDLE_MERGED: a file has no single threads' values. On error *bad_path names the
 * file (freed by the caller).
 */
int heddle_spreads_read(struct heddle_spreads *spreads, const struct heddle_measurement *files,
	const struct heddle_call_tree *tree, const struct heddle_view *view, size_t workers, char **bad_path);

/*
 * What a merged file keeps, for readers of the same view. Not `all`: rows that follow from the view's sums are left
 * out, which those are that a single thread came to.
 */
void heddle__spreads_write(struct heddle_section_writer *writer, const struct heddle_spreads *spreads,
	const struct heddle_view *view, bool all);

/* A row of one thread. */
struct heddle_spread heddle__spread_of(uint64_t value);

/*
 * Adds what a file keeps, of the tables that were started. -HEDDLE_RENAMED: that is of another view; -HEDDLE_MERGED: it
 * keeps nothing.
 */
int heddle_spreads_load(struct heddle_spreads *spreads, const char *path, const struct heddle_view *view);

/* A file of tables alone, with all rows, to be loaded again. 0 or a negative error. */
int heddle_spreads_save(const struct heddle_spreads *spreads, const char *path, const struct heddle_view *view);

/* As if the threads of both were one lot. */
void heddle__spread_add(struct heddle_spread *to, const struct heddle_spread *more);

double heddle_spread_mean(const struct heddle_spreads *spreads, const struct heddle_spread *spread);

/* Of all threads as they are, not of a sample of them. */
double heddle_spread_deviation(const struct heddle_spreads *spreads, const struct heddle_spread *spread);

/* most / mean - 1; 0 without values. */
double heddle_spread_imbalance(const struct heddle_spreads *spreads, const struct heddle_spread *spread);

/* The least of all threads. */
uint64_t heddle_spread_least(const struct heddle_spreads *spreads, const struct heddle_spread *spread);

#endif
