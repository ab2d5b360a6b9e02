/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * truth2015 THREADS MILLISECONDS: like truth.c, on the simulated runtime of tests/ompt2015: burns known parts of the
 * CPU time in known functions below parallel regions and tasks, and prints "function share" lines.
 */
#include <stdlib.h>

#include "simulated.h"

#define FUNCTIONS(X)  \
	X(serial, 10) \
	X(first, 20)  \
	X(second, 15) \
	X(nested, 20) \
	X(task, 15)   \
	X(stolen, 10) \
	X(locked, 10)

#include "shares.h"

static unsigned int threads;
static struct sim_lock lock;

/* The functions that a compiler would generate for the bodies of constructs. */
SIM_OUTLINED(first_body, argument)
{
	(void)argument;
	burn_first(PART(first, threads));
}

SIM_OUTLINED(second_body, argument)
{
	(void)argument;
	burn_second(PART(second, threads));
}

SIM_OUTLINED(nested_body, argument)
{
	(void)argument;
	burn_nested(PART(nested, 4));
}

static NOINLINE void inner(void)
{
	sim_parallel(2, nested_body, NULL); /* line: inner */
	__asm__ volatile("");
}

SIM_OUTLINED(outer_body, argument)
{
	(void)argument;
	inner();
}

SIM_OUTLINED(task_body, argument)
{
	(void)argument;
	burn_task(PART(task, 16));
}

SIM_OUTLINED(stolen_body, argument)
{
	(void)argument;
	burn_stolen(PART(stolen, 16));
}

static NOINLINE void make_tasks(void)
{
	for (int i = 0; i < 16; i++)
		sim_task(stolen_body, NULL); /* line: stolen */
}

SIM_OUTLINED(tasking_body, argument)
{
	(void)argument;
	bool chosen = sim_single_begin();
	for (int i = 0; chosen && i < 16; i++)
		sim_task(task_body, NULL); /* line: task */
	if (chosen)
		make_tasks();
	sim_single_end(chosen);
	sim_barrier();
}

SIM_OUTLINED(locked_body, argument)
{
	(void)argument;
	sim_acquire(&lock, SIM_CRITICAL); /* line: critical */
	burn_locked(PART(locked, threads));
	sim_release(&lock, SIM_CRITICAL);
}

static NOINLINE void serial_part(void)
{
	burn_serial(PART(serial, 1));
}

static NOINLINE void flat(void)
{
	sim_parallel(threads, first_body, NULL);  /* line: first */
	sim_parallel(threads, second_body, NULL); /* line: second */
	__asm__ volatile("");
}

static NOINLINE void outer(void)
{
	sim_parallel(2, outer_body, NULL); /* line: outer */
	__asm__ volatile("");
}

static NOINLINE void tasking(void)
{
	sim_parallel(threads, tasking_body, NULL); /* line: tasking */
	__asm__ volatile("");
}

static NOINLINE void locking(void)
{
	sim_parallel(threads, locked_body, NULL); /* line: locking */
	__asm__ volatile("");
}

static void report(void)
{
	print_shares();
	fprintf(stderr, "process_cpu_ns %llu\n", (unsigned long long)process_cpu_ns());
}

int main(int argc, char **argv)
{
	threads = argc > 1 ? (unsigned int)atoi(argv[1]) : 2;
	total_ms = argc > 2 ? atof(argv[2]) : 1000;
	sim_init_lock(&lock, false);
	serial_part();
	flat();
	outer();
	tasking();
	locking();
	sim_destroy_lock(&lock, false);
	report();
	return 0;
}
