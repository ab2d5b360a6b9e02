/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several measurements as one tree of call paths, perhaps of different builds of a program. Paths are the same when
 * their functions have the same names, wherever their code lies. Regions are told apart by their lines: those of one
 * kind below one function are paired in their order, so that lines may shift.
 */
#ifndef HEDDLE_PROFILE_COMPARISON_H
#define HEDDLE_PROFILE_COMPARISON_H

#include "profile/view.h"

#define HEDDLE_NO_LINE INT64_MIN

struct heddle_common_path {
	uint32_t parent; /* stands before its children; node 0 is the program */
	uint32_t key;    /* what must be the same */
	uint32_t next;   /* of the same parent and key; 0: none */
	int64_t line;    /* counted from the function's, if that is known; HEDDLE_NO_LINE: of no line */
	const char *text;
	uint8_t kind;
};

struct heddle_run {
	uint64_t *own, *total; /* by path */
	size_t count;          /* of paths that there were; later ones have none of it */
};

struct heddle_comparison {
	struct heddle_common_path *paths;
	size_t count, capacity;
	struct heddle_run *runs;
	size_t run_count, run_capacity;
	struct heddle_intern keys, texts;
	uint32_t *buckets;
	size_t bucket_count;
};

/*
 * Adds a measurement; its texts are shown from then on, so the newest comes last. `comparison` is {0} at first, and to
 * be freed after an error too. 0 or a negative error.
 */
int heddle_comparison_add(
	struct heddle_comparison *comparison, const struct heddle_view *view, enum heddle_metric metric);
void heddle_comparison_free(struct heddle_comparison *comparison);

/* What a path cost in a run, with all below it, or itself. */
uint64_t heddle_run_total(const struct heddle_run *run, uint32_t path);
uint64_t heddle_run_own(const struct heddle_run *run, uint32_t path);

/*
 * Pairs two ascending lists of lines in order, all of the shorter one, so that the shift of lines changes as little as
 * can be from pair to pair. pair[i] gets the number in `old` that `fresh[i]` belongs to, or `old_count` when none. 0 or
 * -ENOMEM.
 */
int heddle__pair_lines(const int64_t *old, size_t old_count, const int64_t *fresh, size_t fresh_count, size_t *pair);

#endif
