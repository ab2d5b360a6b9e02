/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of known length on the simulated runtime's device, from two call paths: 20 of 3 ms, 5 of 40 ms; and one while
 * measurement is paused. */
#include "simulated.h"

#define NOINLINE __attribute__((noinline))

static NOINLINE void many(void)
{
	for (int i = 0; i < 20; i++)
		sim_target(3000000, 1000, 500); /* line: many */
}

static NOINLINE void long_ones(void)
{
	for (int i = 0; i < 5; i++)
		sim_target(40000000, 0, 0); /* line: long */
}

static void both(void *argument)
{
	(void)argument;
	many();
	long_ones();
}

static NOINLINE void paused(void)
{
	sim_target(1000000, 0, 0);
}

int main(void)
{
	sim_target_enter_data(4096);
	sim_target_data(both, 0);
	sim_target_update(64);
	ompt_control(2, 0);
	paused();
	ompt_control(1, 0);
	sim_target_exit_data(4096);
	return 0;
}
