/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executes each construct of the simulated runtime in a region of 2 threads, a known number of times. Two threads
 * contend for a lock that one holds for 300 ms after the other one has begun to wait.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "simulated.h"

static struct sim_lock lock, nest, critical, atomic, ordered, contended;
static _Atomic int held, comes;

SIM_OUTLINED(nothing, argument)
{
	(void)argument;
}

SIM_OUTLINED(child, argument)
{
	sim_task(nothing, argument);
	sim_taskwait();
}

static void tasks(void)
{
	int variable;
	sim_taskgroup_begin();
	for (int i = 0; i < 5; i++)
		sim_task(child, NULL);
	sim_taskgroup_end();
	for (int i = 0; i < 3; i++)
		sim_task_depend(nothing, NULL, &variable, 3);
	sim_taskwait();
}

static void with(struct sim_lock *mutex, enum sim_mutex kind)
{
	sim_acquire(mutex, kind);
	if (kind == SIM_NEST_LOCK) {
		sim_acquire(mutex, kind);
		sim_release(mutex, kind);
	}
	sim_release(mutex, kind);
}

SIM_OUTLINED(all, argument)
{
	(void)argument;
	for (int i = 0; i < 3; i++) {
		sim_work_begin(SIM_LOOP);
		sim_work_end(SIM_LOOP);
	}
	for (int i = 0; i < 2; i++) {
		sim_work_begin(SIM_SECTIONS);
		sim_work_end(SIM_SECTIONS);
	}
	sim_work_begin(SIM_WORKSHARE);
	sim_work_end(SIM_WORKSHARE);
	bool chosen = sim_single_begin();
	sim_single_end(chosen);
	sim_barrier();
	if (sim_master_begin()) {
		tasks();
		sim_master_end();
	}
	sim_barrier();
	with(&lock, SIM_LOCK);
	with(&nest, SIM_NEST_LOCK);
	with(&critical, SIM_CRITICAL);
	with(&atomic, SIM_ATOMIC);
	with(&ordered, SIM_ORDERED);
	sim_flush();
}

/* Sleeps until a fixed time, as samples by elapsed time interrupt the sleep. */
static void sleep_ms(int ms)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += ms * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL))
		;
}

SIM_OUTLINED(hold, argument)
{
	(void)argument;
	while (sim_thread_num() && !atomic_load(&held))
		sched_yield();
	atomic_store(&comes, sim_thread_num());
	sim_acquire(&contended, SIM_CRITICAL);
	atomic_store(&held, 1);
	while (!sim_thread_num() && !atomic_load(&comes))
		sched_yield();
	if (!sim_thread_num())
		sleep_ms(300);
	sim_release(&contended, SIM_CRITICAL);
}

int main(void)
{
	sim_init_lock(&lock, false);
	sim_init_lock(&nest, true);
	sim_parallel(2, all, NULL);
	sim_parallel(2, hold, NULL);
	sim_destroy_lock(&lock, false);
	sim_destroy_lock(&nest, true);
	return 0;
}
