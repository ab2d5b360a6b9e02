/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * one_tree [FACTOR]: burns 60 ms in kernel(), called 30 times below solve(), and 40 ms in a small inlined function;
 * FACTOR (default 1) times as long.
 */
#include "burn.h"

#include <stdlib.h>

static int factor = 1;

static inline __attribute__((always_inline)) double small(double x)
{
	burn_ms(factor);
	return x + 1;
}

NOINLINE double kernel(double x)
{
	burn_ms(2 * factor);
	return x * 2;
}

NOINLINE double solve(int n)
{
	double x = 0;
	for (int i = 0; i < n; i++)
		x = kernel(x);
	for (int i = 0; i < 20; i++)
		x = small(x);
	return x;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		factor = atoi(argv[1]);
	printf("%g\n", solve(10) + solve(20) > 0 ? 1.0 : 0.0);
	return 0;
}
