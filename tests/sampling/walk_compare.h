/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks by tables held against libunwind's at every sample of a timer: same addresses, same stack addresses. For
 * programs of one thread that do not load libraries meanwhile (there libunwind deadlocks).
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

/* A difference in which ours is known to be right: libunwind's `theirs` is wrong for a reason that the caller names. */
typedef bool walk_excuse(const ucontext_t *context, const struct walk *ours, const struct walk *theirs);

/* Initialize both unwinders and find the stack's end. Returns 0, or -1. */
int walk_compare_init(walk_excuse *excuse);

/* Compare at one context. Context: signal. */
void walk_compare_at(const ucontext_t *context);

/* SIGALRM every `period_us`, its handler calling walk_compare_at. `on_stack`: the handler runs on the sigaltstack. */
void walk_compare_start(int period_us, bool on_stack);
void walk_compare_stop(void);

/* Compare after every instruction of this thread from here to walk_compare_step_end(), by the trap flag. */
void walk_compare_step(void);
void walk_compare_step_end(void);

/* Print the differences and counts; returns 0 when all was equal, every walk reached the outermost
 * frame, and there were `least` samples at least. */
int walk_compare_report(const char *name, unsigned least);

/* The deepest walk, trampolines met, and walks that did not reach the outermost frame, so far. */
extern unsigned walk_compare_deepest, walk_compare_trampolines, walk_compare_incomplete;

double walk_seconds(void);

#endif
