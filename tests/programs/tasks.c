/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks MILLISECONDS: tasks that the thread which created them executes. LLVM's runtimes report wrong frames for some
 * of them. Prints "function share" as truth.c does.
 */
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

#define FUNCTIONS(X)     \
	X(alone, 10)     \
	X(depend, 10)    \
	X(child, 10)     \
	X(far, 10)       \
	X(grandchild, 8) \
	X(leaf, 16)      \
	X(inner, 8)      \
	X(resumed, 8)    \
	X(region, 8)     \
	X(final, 6)      \
	X(included, 6)
#include "shares.h"

/* A call that precedes this is not a tail call. */
#define STAY __asm__ volatile("")

enum { PIECES = 10 };
static int cells[PIECES + 1];

static NOINLINE void alone(void)
{
#pragma omp parallel num_threads(1)
	for (int i = 1; i <= PIECES; i++) {
#pragma omp task depend(in : cells[i - 1]) depend(out : cells[i])
		{
			burn_alone(PART(alone, PIECES));
			STAY;
		}
	}
	STAY;
}

static NOINLINE void parent(double own, double created)
{
#pragma omp task firstprivate(created)
	{
		burn_child(created);
		STAY;
	}
	burn_depend(own);
	STAY;
}

static NOINLINE void far_parent(double own, double created)
{
#pragma omp task firstprivate(created)
	{
		burn_grandchild(created);
		STAY;
	}
	burn_far(own);
	STAY;
}

static NOINLINE void create(int i)
{
#pragma omp task depend(in : cells[i - 1]) depend(out : cells[i])
	{
		parent(PART(depend, PIECES), PART(child, PIECES));
		STAY;
	}
	STAY;
}

/* Its frame is at the stack addresses where the tasks' frames are later. */
static NOINLINE void create_far(int i)
{
	char room[1500];
	__asm__ volatile("" ::"r"(room) : "memory");
#pragma omp task depend(in : cells[i - 1]) depend(out : cells[i])
	{
		far_parent(PART(far, PIECES), PART(grandchild, PIECES));
		STAY;
	}
	__asm__ volatile("" ::"r"(room) : "memory");
}

/* The second thread executes no task. */
static NOINLINE void deferred(void (*create_one)(int i))
{
	_Atomic int done = 0;
#pragma omp parallel num_threads(2) shared(done)
	if (omp_get_thread_num() == 0) {
#pragma omp taskgroup
		for (int i = 1; i <= PIECES; i++)
			create_one(i);
		done = 1;
	} else {
		while (!done)
			usleep(1000);
	}
	STAY;
}

/* Recursion, cut off by undeferred tasks. The numbers are kept in registers, including the frame pointer's. */
static NOINLINE void split(int n, double ms)
{
	if (n < 2) {
		burn_leaf(ms);
		STAY;
		return;
	}
#pragma omp task if (n > 100)
	split(n / 2, ms);
#pragma omp task if (n > 100)
	split(n - n / 2, ms);
#pragma omp taskwait
	STAY;
}

static NOINLINE void region(double ms, int threads)
{
#pragma omp parallel num_threads(threads)
	{
		burn_region(ms);
		STAY;
	}
	STAY;
}

/* Undeferred tasks in an undeferred task, whose bodies the compiler may put into the functions that create them. */
static NOINLINE void outer(int n, int more)
{
#pragma omp task if (n > 100)
	{
#pragma omp task if (more > 100)
		{
			burn_inner(PART(inner, 4));
			STAY;
		}
		burn_resumed(PART(resumed, 4));
		STAY;
		region(PART(region, 3 * 2), more - n);
		STAY;
	}
	STAY;
}

/* The runtime calls a final task, and one included in it, immediately. */
static NOINLINE void final(int n)
{
#pragma omp task final(n < 100)
	{
#pragma omp task
		{
			burn_included(PART(included, 2));
			STAY;
		}
		burn_final(PART(final, 2));
		STAY;
	}
	STAY;
}

static NOINLINE void undeferred(int threads)
{
#pragma omp parallel num_threads(threads)
#pragma omp single
	{
		split(8, PART(leaf, 2 * 8));
		outer(threads, threads + 1);
		outer(threads, threads + 2);
		final(threads);
	}
	STAY;
}

int main(int argc, char **argv)
{
	total_ms = argc > 1 ? atof(argv[1]) : 1000;
	alone();
	deferred(create);
	deferred(create_far);
	undeferred(1);
	undeferred(2);
	print_shares();
	return 0;
}
