/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the inclusive values of paths, and of functions over all their paths, spread over the threads. Threads are read
 * one by one, so memory grows with the tree and the number of workers. All numbers are integers and exact: the order in
 * which threads are added does not matter. If a row of the profile has several threads that ran one after the other,
 * only their sum is known.
 */
#ifndef HEDDLE_PROFILE_SPREAD_H
#define HEDDLE_PROFILE_SPREAD_H

#include "profile/file/section_writer.h"
#include "profile/view/view.h"

struct profile_spread {
	uint64_t least, most, sum;      /* over the threads that have a value */
	uint64_t squares, squares_high; /* sum of squares, in two words of 64 bits; saturates */
	uint32_t threads;               /* that have a value; an upper bound */
	bool mean_only; /* for some threads only the sum is known: least, most and squares are invalid */
};

enum profile_spread_rows {
	HEDDLE_SPREAD_PATHS,  /* nodes of the view */
	HEDDLE_SPREAD_LABELS, /* its labels; recursion counts once */
	HEDDLE_SPREAD_KINDS,
};

struct profile_spreads {
	struct profile_spread *of[HEDDLE_METRIC_LIMIT][HEDDLE_SPREAD_KINDS]; /* NULL: not requested */
	size_t rows[HEDDLE_SPREAD_KINDS];
	uint32_t threads; /* of the program, without Heddle's own; those without a value count as 0 */
};

/* Makes empty tables. */
int profile_spreads_start(struct profile_spreads *spreads, const struct profile_view *view,
	const bool metrics[HEDDLE_METRIC_LIMIT], const bool rows[HEDDLE_SPREAD_KINDS]);
void profile_spreads_free(struct profile_spreads *spreads);

/*
 * Adds the threads of all files of `files` that could be read, on up to `workers` threads (0: as many as processors).
 * `tree` has all their paths, processes that have maps map to it, and `view` is made of it. -HEDDLE_MERGED: a file has
 * no values of single threads. `progress` may be NULL. On error *bad_path names the file (freed by the caller).
 */
int profile_spreads_read(struct profile_spreads *spreads, const struct profile_measurement *files,
	const struct profile_call_tree *tree, const struct profile_view *view, size_t workers,
	const struct profile_progress *progress, char **bad_path);

/*
 * Writes the tables to a merged file, for readers of the same view. Unless `all`, leaves out rows that follow from the
 * view's sums (a single thread has the value).
 */
void profile_spreads_write(struct profile_section_writer *writer, const struct profile_spreads *spreads,
	const struct profile_view *view, bool all);

/* Returns the row of one thread that has this value, or of several threads that have it together. */
struct profile_spread profile_spread_of(uint64_t value, uint32_t threads);

/*
 * Adds the tables in a file to those that were started. -HEDDLE_RENAMED: they belong to another view. -HEDDLE_MERGED:
 * the file has none.
 */
int profile_spreads_load(struct profile_spreads *spreads, const char *path, const struct profile_view *view);

/* Writes a file that has only tables, with all rows, for profile_spreads_load. Returns 0 or a negative error. */
int profile_spreads_save(const struct profile_spreads *spreads, const char *path, const struct profile_view *view);

/* Adds `more`, as if the threads of both had been added to `to`. */
void profile_spread_add(struct profile_spread *to, const struct profile_spread *more);

double profile_spread_mean(const struct profile_spreads *spreads, const struct profile_spread *spread);

/* Population statistics: of all threads, not of a sample. With mean_only, this and the next two are meaningless. */
double profile_spread_deviation(const struct profile_spreads *spreads, const struct profile_spread *spread);

/* Returns most / mean - 1, or 0 if there are no values. */
double profile_spread_imbalance(const struct profile_spreads *spreads, const struct profile_spread *spread);

/* Returns the minimum over all threads. */
uint64_t profile_spread_least(const struct profile_spreads *spreads, const struct profile_spread *spread);

#endif
