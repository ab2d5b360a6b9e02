/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * truth THREADS MILLISECONDS: burns known parts of the CPU time in known functions under every OpenMP construct that
 * opens a call path, and prints the truth: "function share" lines on stdout, process_cpu_ns and VmHWM on stderr.
 * Comments of the form `line: word` mark the lines that paths must name.
 */
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define FUNCTIONS(X)   \
	X(serial, 10)  \
	X(first, 12)   \
	X(second, 8)   \
	X(outer, 5)    \
	X(nested, 15)  \
	X(task, 10)    \
	X(stolen, 10)  \
	X(child, 8)    \
	X(taskloop, 9) \
	X(untied, 8)   \
	X(serialized, 5)

/* Defines burn_serial and so on, the time that each has burned, and its part of the total in percent. */
#include "shares.h"

static int threads;

static NOINLINE void serial_part(void)
{
	burn_serial(PART(serial, 1));
}

static NOINLINE void flat(void)
{
#pragma omp parallel num_threads(threads) /* line: first */
	burn_first(PART(first, threads));
#pragma omp parallel num_threads(threads) /* line: second */
	burn_second(PART(second, threads));
}

static NOINLINE void inner(int team)
{
#pragma omp parallel num_threads(team) /* line: inner */
	burn_nested(PART(nested, 2 * team));
}

static NOINLINE void outer(void)
{
#pragma omp parallel num_threads(2) /* line: outer */
	{
		burn_outer(PART(outer, 2));
		inner(threads / 2 > 1 ? threads / 2 : 2);
	}
}

static NOINLINE void tasking(void)
{
#pragma omp parallel num_threads(threads) /* line: tasking */
#pragma omp single
	for (int i = 0; i < 32; i++) {
#pragma omp task /* line: task */
		burn_task(PART(task, 32));
	}
}

/* Returns long before its tasks are executed. */
static NOINLINE void make_tasks(int count, _Atomic int *done)
{
	for (int i = 0; i < count; i++) {
#pragma omp task firstprivate(count, done) /* line: stolen */
		{
			burn_stolen(PART(stolen, count));
			atomic_fetch_add(done, 1);
		}
	}
}

/* Stops waiting if no task ends for 2 s: runtimes of LLVM 16 and later may leave all other threads asleep. */
static void wait_for_thieves(_Atomic int *done, int count)
{
	int seen = -1;
	for (int naps = 0; atomic_load(done) < count && naps < 4000; naps++) {
		if (atomic_load(done) != seen)
			naps = 0;
		seen = atomic_load(done);
		usleep(500);
	}
}

/* Thread 0 creates the tasks and reaches no scheduling point until the other threads have executed them all. */
static NOINLINE void producer(void)
{
	_Atomic int done = 0;
#pragma omp parallel num_threads(threads) shared(done) /* line: producer */
	{
		if (omp_get_thread_num() == 0) {
			make_tasks(24, &done);
			wait_for_thieves(&done, 24);
		}
	}
}

static NOINLINE void parent_task(void)
{
	for (int i = 0; i < 4; i++) {
#pragma omp task /* line: child */
		burn_child(PART(child, 8 * 4));
	}
#pragma omp taskwait
}

static NOINLINE void family(void)
{
#pragma omp parallel num_threads(threads) /* line: family */
#pragma omp single
	for (int i = 0; i < 8; i++) {
#pragma omp task /* line: parent */
		parent_task();
	}
}

static NOINLINE void loops(void)
{
#pragma omp parallel num_threads(threads) /* line: loops */
#pragma omp single
#pragma omp taskloop grainsize(1) /* line: taskloop */
	for (int i = 0; i < 24; i++)
		burn_taskloop(PART(taskloop, 24));
}

static NOINLINE void wanderer(void)
{
#pragma omp parallel num_threads(threads) /* line: wanderer */
#pragma omp single
	for (int i = 0; i < 16; i++) {
#pragma omp task untied /* line: untied */
		{
			burn_untied(PART(untied, 32));
#pragma omp taskyield
			burn_untied(PART(untied, 32));
		}
	}
}

static NOINLINE void alone(void)
{
#pragma omp parallel num_threads(threads) if (0) /* line: alone */
	burn_serialized(PART(serialized, 1));
}

int main(int argc, char **argv)
{
	threads = argc > 1 ? atoi(argv[1]) : 2;
	total_ms = argc > 2 ? atof(argv[2]) : 1000;
	omp_set_max_active_levels(2);
	omp_set_dynamic(0);
	serial_part();
	flat();
	outer();
	tasking();
	producer();
	family();
	loops();
	wanderer();
	alone();
	print_shares();
	fprintf(stderr, "VmHWM %ld\nprocess_cpu_ns %llu\n", status_kb("VmHWM:"), (unsigned long long)process_cpu_ns());
	return 0;
}
