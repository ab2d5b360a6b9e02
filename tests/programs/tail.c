/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tail MILLISECONDS: OpenMP constructs whose last action is to call a procedure, built with tail calls: the procedure
 * replaces the outlined function on the stack. Prints "function share" as truth.c does.
 */
#include <stdlib.h>

#define FUNCTIONS(X)  \
	X(flat, 12)   \
	X(middle, 12) \
	X(nested, 12) \
	X(if0, 10)    \
	X(task, 12)   \
	X(single, 12) \
	X(master, 10) \
	X(orphan, 10) \
	X(loop, 5) X(after, 5)
#include "shares.h"

#define THREADS 2

/* A call that precedes this is not a tail call. */
#define STAY __asm__ volatile("")

/* Does not call burn_middle by a tail call. */
static NOINLINE void kernel(double ms)
{
	burn_middle(ms); /* line: kernel */
	STAY;
}

static NOINLINE void flat(void)
{
#pragma omp parallel num_threads(THREADS) /* line: flat */
	burn_flat(PART(flat, THREADS));
	STAY;
}

static NOINLINE void middle(void)
{
#pragma omp parallel num_threads(THREADS) /* line: middle */
	kernel(PART(middle, THREADS));
	STAY;
}

static NOINLINE void inner(void)
{
#pragma omp parallel num_threads(THREADS) /* line: inner */
	burn_nested(PART(nested, THREADS * THREADS));
	STAY;
}

static NOINLINE void outer(void)
{
#pragma omp parallel num_threads(THREADS) /* line: outer */
	inner();
	STAY;
}

static NOINLINE void serialized(void)
{
#pragma omp parallel if (0) /* line: if0 */
	burn_if0(PART(if0, 1));
	STAY;
}

static NOINLINE void tasking(void)
{
#pragma omp parallel num_threads(THREADS) /* line: tasking */
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task /* line: task */
		burn_task(PART(task, 20));
	}
	STAY;
}

static NOINLINE void alone(void)
{
#pragma omp parallel num_threads(THREADS) /* line: alone */
#pragma omp single nowait                 /* line: single */
	burn_single(PART(single, 1));
	STAY;
}

static NOINLINE void leading(void)
{
#pragma omp parallel num_threads(THREADS) /* line: leading */
#pragma omp master
	burn_master(PART(master, 1));
	STAY;
}

static NOINLINE void orphan(void)
{
#pragma omp single nowait
	burn_orphan(PART(orphan, 1));
}

static NOINLINE void adopting(void)
{
#pragma omp parallel num_threads(THREADS) /* line: adopting */
	{
		orphan();
		burn_after(PART(after, THREADS));
		STAY;
	}
	STAY;
}

static NOINLINE void looping(void)
{
#pragma omp parallel for num_threads(THREADS) schedule(dynamic) /* line: looping */
	for (int i = 0; i < 20; i++)
		burn_loop(PART(loop, 20));
	STAY;
}

int main(int argc, char **argv)
{
	total_ms = argc > 1 ? atof(argv[1]) : 1000;
	flat();
	middle();
	outer();
	serialized();
	tasking();
	alone();
	leading();
	adopting();
	looping();
	print_shares();
	fprintf(stderr, "process_cpu_ns %llu\n", (unsigned long long)process_cpu_ns());
	return 0;
}
