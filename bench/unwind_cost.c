/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of a stack walk by depth: with Heddle's tables, libunwind's cursor, and the chain of frame pointers. Prints
 * nanoseconds per walk, the median of many warm rounds, from a context of this thread.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

#include "sampling/unwind/unwind.h"

#define MAX_FRAMES 256
#define ROUNDS 41

static uintptr_t stack_high;

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

typedef size_t walk_function(const ucontext_t *context, struct heddle_frame *frames);

static size_t walk_tables(const ucontext_t *context, struct heddle_frame *frames)
{
	struct heddle_unwind_start start = {.context = context};
	enum heddle_unwind_end end;

	return heddle__unwinder_tables.walk(&start, stack_high, 0, frames, MAX_FRAMES, &end);
}

static size_t walk_libunwind(const ucontext_t *context, struct heddle_frame *frames)
{
	struct heddle_unwind_start start = {.context = context};
	enum heddle_unwind_end end;

	return heddle__unwinder_libunwind.walk(&start, stack_high, 0, frames, MAX_FRAMES, &end);
}

static size_t walk_frame_pointers(const ucontext_t *context, struct heddle_frame *frames)
{
	uintptr_t bp = (uintptr_t)context->uc_mcontext.gregs[REG_RBP], low = (uintptr_t)&bp;
	size_t n = 0;

	while (n < MAX_FRAMES && bp > low && bp < stack_high - 16 && !(bp & 7)) {
		frames[n].cfa = bp + 16;
		frames[n++].pc = ((uintptr_t *)bp)[1];
		low = bp;
		bp = *(uintptr_t *)bp;
	}
	return n;
}

static void measure(const char *name, walk_function *walk, const ucontext_t *context, int walks)
{
	struct heddle_frame frames[MAX_FRAMES];
	double rounds[ROUNDS];
	size_t depth = 0;

	for (int i = 0; i < ROUNDS; i++) {
		double from = now_ns();

		for (int j = 0; j < walks; j++)
			depth = walk(context, frames);
		rounds[i] = (now_ns() - from) / walks;
	}
	qsort(rounds, ROUNDS, sizeof(*rounds), by_value);
	printf("  %-16s %9.0f ns at depth %zu\n", name, rounds[ROUNDS / 2], depth);
}

__attribute__((noinline)) static void measure_here(void)
{
	ucontext_t context = {.uc_flags = 0}; /* getcontext does not set uc_stack */

	getcontext(&context);
	measure("tables", walk_tables, &context, 2000);
	measure("frame pointers", walk_frame_pointers, &context, 2000);
	measure("libunwind", walk_libunwind, &context, 50);
}

__attribute__((noinline)) static int recurse(int depth)
{
	volatile int here = depth;

	if (depth > 0)
		here += recurse(depth - 1);
	else
		measure_here();
	return here;
}

int main(void)
{
	static const int depths[] = {11, 31, 107};
	pthread_attr_t attributes;
	void *low;
	size_t size;

	if (pthread_getattr_np(pthread_self(), &attributes) || pthread_attr_getstack(&attributes, &low, &size))
		return 1;
	pthread_attr_destroy(&attributes);
	stack_high = (uintptr_t)low + size;
	if (heddle__unwinder_libunwind.init() || heddle__unwinder_tables.init())
		return 1;
	for (size_t i = 0; i < sizeof(depths) / sizeof(*depths); i++) {
		printf("depth %d\n", depths[i]);
		recurse(depths[i] - 6); /* measure_here, main, three of the C library, and the innermost call */
	}
	return 0;
}
