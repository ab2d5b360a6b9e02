/* SPDX-License-Identifier: BSD-3-Clause */
/* For GCC, on LLVM's runtime: two leagues of two teams, the second with a loop; or COUNT leagues that do nothing. */
#include "burn.h"

#include <stdlib.h>

static NOINLINE void burn_in_team(int ms)
{
	burn_ms(ms);
	__asm__ volatile("# team"); /* differs from the next function */
}

static NOINLINE void burn_in_loop(int ms)
{
	burn_ms(ms);
	__asm__ volatile("# loop");
}

static NOINLINE void league(void)
{
#pragma omp teams num_teams(2) thread_limit(1)
	burn_in_team(100);
	__asm__ volatile("");
}

static NOINLINE void distributed(void)
{
#pragma omp teams num_teams(2) thread_limit(1)
#pragma omp distribute
	for (int i = 0; i < 8; i++)
		burn_in_loop(20);
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	int empty = argc > 1 ? atoi(argv[1]) : 0;
	for (int i = 0; i < empty; i++) {
#pragma omp teams num_teams(2) thread_limit(1)
		__asm__ volatile("");
	}
	if (empty)
		return 0;
	league();
	distributed();
	return 0;
}
