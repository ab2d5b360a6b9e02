/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares walks by tables with libunwind's at each sample of a timer: the same addresses and stack addresses. For
 * programs with one thread that load no libraries during the comparison (which would deadlock libunwind).
 */
#ifndef HEDDLE_TESTS_WALK_COMPARE_H
#define HEDDLE_TESTS_WALK_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

#include "sampling/unwind/unwind.h"

#define WALK_MAX 400

struct walk {
	struct heddle_frame frames[WALK_MAX];
	size_t count;
	enum heddle_unwind_end end;
};

/* Returns true for a difference in which `ours` is known to be right, because libunwind is wrong for a known reason. */
typedef bool walk_excuse(const ucontext_t *context, const struct walk *ours, const struct walk *theirs);

/* Initializes both unwinders and finds the end of the stack. Returns 0 or -1. */
int walk_compare_init(walk_excuse *excuse);

/* Compares the walks from one context. Context: signal. */
void walk_compare_at(const ucontext_t *context);

/* Compares at each SIGALRM, every `period_us`. `on_stack`: the handler runs on the sigaltstack. */
void walk_compare_start(int period_us, bool on_stack);
void walk_compare_stop(void);

/* Compares after every instruction of this thread until walk_compare_step_end(), by the trap flag. */
void walk_compare_step(void);
void walk_compare_step_end(void);

/*
 * Prints the differences and counts. Returns 0 if all walks were equal, every one reached the outermost frame, and
 * there were at least `least` samples.
 */
int walk_compare_report(const char *name, unsigned least);

/* So far: the deepest walk, trampolines found, and walks that did not reach the outermost frame. */
extern unsigned walk_compare_deepest, walk_compare_trampolines, walk_compare_incomplete;

double walk_seconds(void);

#endif
