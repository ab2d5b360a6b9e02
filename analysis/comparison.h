/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several measurements, possibly of different builds of a program, as one tree of call paths. Paths are equal if their
 * functions have the same names, wherever their code is. Regions are distinguished by their lines: regions of one kind
 * below one function are paired in order, so lines may shift between builds.
 */
#ifndef HEDDLE_ANALYSIS_COMPARISON_H
#define HEDDLE_ANALYSIS_COMPARISON_H

#include "analysis/path_times.h"
#include "profile/view/view.h"

#define HEDDLE_NO_LINE INT64_MIN

struct heddle_common_path {
	uint32_t parent; /* comes before its children; node 0 is the program */
	uint32_t key;    /* equal for equal paths */
	uint32_t next;   /* next path of the same parent and key; 0: none */
	int64_t line;    /* relative to the function's line if that is known; HEDDLE_NO_LINE: none */
	const char *text;
	uint8_t kind;
};

struct heddle_compared_run {
	uint64_t *own, *total; /* by path */
	uint64_t *most_total;  /* inclusive, of the thread with the largest value of the path; NULL: not given */
	size_t count;          /* number of paths when the run was added; it has no values of later ones */
};

struct heddle_comparison {
	struct heddle_common_path *paths;
	size_t count, capacity;
	struct heddle_compared_run *runs;
	size_t run_count, run_capacity;
	struct profile_intern keys, texts;
	struct profile_index index; /* of paths */
};

/*
 * Adds a measurement. Its texts replace those of earlier ones, so add the newest measurement last. `comparison` starts
 * as {0} and must be freed even after an error. Returns 0 or a negative error.
 */
int heddle__comparison_add(
	struct heddle_comparison *comparison, const struct profile_view *view, enum heddle_metric metric);

/* Like heddle__comparison_add, with given values by node of the view. Equal paths with different lines are added up. */
int heddle__comparison_add_times(
	struct heddle_comparison *comparison, const struct profile_view *view, const struct heddle_path_times *times);
void heddle__comparison_free(struct heddle_comparison *comparison);

/* Return a path's value in a run: inclusive, and exclusive. */
uint64_t heddle__run_total(const struct heddle_compared_run *run, uint32_t path);
uint64_t heddle__run_own(const struct heddle_compared_run *run, uint32_t path);

/* Returns the inclusive value of the thread with the largest one; 0 if it is unknown. */
uint64_t heddle__run_most_total(const struct heddle_compared_run *run, uint32_t path);

/*
 * Pairs two ascending lists of lines in order. All lines of the shorter list are paired, so that the shift changes as
 * little as possible from pair to pair. pair[i] receives the index in `old` that fresh[i] is paired with, or
 * `old_count` if none. Returns 0 or -ENOMEM.
 */
int heddle__pair_lines(const int64_t *old, size_t old_count, const int64_t *fresh, size_t fresh_count, size_t *pair);

#endif
