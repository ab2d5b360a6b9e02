/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * llvm2015 MILLISECONDS: cases for which LLVM's runtimes with the interface of 2015 report too little. Each burn
 * function burns that long: in a loop, in tasks whose creators have ended, in a taskloop's tasks, in tasks with
 * dependences, in undeferred tasks, and while another thread waits for a lock.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "burn.h"
#include "simulated.h"

#define CREATORS 6
#define LEAVES 5

static double total_ms;
static struct sim_lock lock;
static _Atomic int held, comes;

#define BURNS(X) X(row) X(leaf) X(iteration) X(dependent) X(undeferred) X(holding)
#define X(name)                                        \
	static NOINLINE void burn_##name(double parts) \
	{                                              \
		burn_ms(total_ms / parts);             \
		__asm__ volatile("# " #name);          \
	}
BURNS(X)
#undef X

SIM_OUTLINED(loop_body, argument)
{
	(void)argument;
	sim_work_begin(SIM_LOOP);
	burn_row(2);
	sim_work_end(SIM_LOOP);
}

SIM_OUTLINED(leaf_body, argument)
{
	(void)argument;
	burn_leaf(CREATORS * LEAVES);
}

/* Ends before any of its tasks begins, as tasks are executed in the order of their creation. */
SIM_OUTLINED(creator_body, argument)
{
	for (int i = 0; i < LEAVES; i++)
		sim_task(leaf_body, argument); /* line: leaf */
}

SIM_OUTLINED(forget_body, argument)
{
	for (int i = 0; !sim_thread_num() && i < CREATORS; i++)
		sim_task(creator_body, argument); /* line: creator */
}

SIM_OUTLINED(iteration_body, argument)
{
	(void)argument;
	burn_iteration(8);
}

SIM_OUTLINED(taskloop_body, argument)
{
	if (!sim_thread_num())
		sim_taskloop(iteration_body, argument, 8);
}

SIM_OUTLINED(dependent_body, argument)
{
	(void)argument;
	burn_dependent(2);
}

SIM_OUTLINED(depend_body, argument)
{
	int variable;
	if (sim_thread_num())
		return;
	sim_task_depend(dependent_body, argument, &variable, 3);
	sim_task_depend_if0(dependent_body, argument, &variable, 3);
	sim_taskwait_depend(&variable, 3);
}

SIM_OUTLINED(undeferred_body, argument)
{
	(void)argument;
	burn_undeferred(8);
}

SIM_OUTLINED(if0_body, argument)
{
	for (int i = 0; !sim_thread_num() && i < 4; i++)
		SIM_TASK_IF0(undeferred_body, argument);
}

SIM_OUTLINED(lock_body, argument)
{
	(void)argument;
	while (sim_thread_num() && !atomic_load(&held))
		;
	atomic_store(&comes, sim_thread_num());
	sim_acquire(&lock, SIM_LOCK);
	atomic_store(&held, 1);
	while (!sim_thread_num() && !atomic_load(&comes))
		;
	if (!sim_thread_num())
		burn_holding(1);
	sim_release(&lock, SIM_LOCK);
}

int main(int argc, char **argv)
{
	total_ms = argc > 1 ? atof(argv[1]) : 100;
	sim_init_lock(&lock, false);
	sim_parallel(2, loop_body, NULL);
	sim_parallel(2, forget_body, NULL);
	sim_parallel(2, taskloop_body, NULL);
	sim_parallel(2, depend_body, NULL);
	sim_parallel(2, if0_body, NULL);
	sim_parallel(1, if0_body, NULL);
	sim_parallel(2, lock_body, NULL);
	sim_destroy_lock(&lock, false);
	return 0;
}
