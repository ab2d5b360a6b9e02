/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several measurements as one tree of call paths, perhaps of different builds of a program. Paths are the same when
 * their functions have the same names, wherever their code lies. Regions are distinguished by their lines: those of one
 * kind below one function are paired in their order, so that lines may shift.
 */
#ifndef HEDDLE_ANALYSIS_COMPARISON_H
#define HEDDLE_ANALYSIS_COMPARISON_H

#include "analysis/path_times.h"
#include "profile/view/view.h"

#define HEDDLE_NO_LINE INT64_MIN

struct heddle_common_path {
	uint32_t parent; /* stands before its children; node 0 is the program */
	uint32_t key;    /* equal for paths that are the same */
	uint32_t next;   /* next path of the same parent and key; 0: none */
	int64_t line;    /* relative to the function's line if that is known; HEDDLE_NO_LINE: none */
	const char *text;
	uint8_t kind;
};

struct heddle_compared_run {
	uint64_t *own, *total; /* by path */
	uint64_t *most_total;  /* inclusive, of the thread with most there; NULL: not given */
	size_t count;          /* covers the paths known when the run was added; later paths have no value in it */
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
 * Adds a measurement. Its texts replace those shown so far, so add the newest last. `comparison` starts as {0} and must
 * be freed after an error, too. 0 or a negative error.
 */
int heddle__comparison_add(
	struct heddle_comparison *comparison, const struct profile_view *view, enum heddle_metric metric);

/* The same with values that the caller has, by node of the view. Same paths of different lines are added up. */
int heddle__comparison_add_times(
	struct heddle_comparison *comparison, const struct profile_view *view, const struct heddle_path_times *times);
void heddle__comparison_free(struct heddle_comparison *comparison);

/* A path's value in a run: inclusive, or exclusive. */
uint64_t heddle__run_total(const struct heddle_compared_run *run, uint32_t path);
uint64_t heddle__run_own(const struct heddle_compared_run *run, uint32_t path);

/* The inclusive one of the thread with most there; 0 if that is not known. */
uint64_t heddle__run_most_total(const struct heddle_compared_run *run, uint32_t path);

/*
 * Pairs two ascending lists of lines in order, all of the shorter one, so that the shift of lines changes as little as
 * can be from pair to pair. pair[i] gets the number in `old` that `fresh[i]` belongs to, or `old_count` when none. 0 or
 * -ENOMEM.
 */
int heddle__pair_lines(const int64_t *old, size_t old_count, const int64_t *fresh, size_t fresh_count, size_t *pair);

#endif
