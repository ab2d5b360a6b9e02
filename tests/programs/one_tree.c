/* SPDX-License-Identifier: BSD-3-Clause */
/* Burns 60 ms in kernel(), called 30 times below solve(), and 20 ms in a small function that is put inline. */
#include "burn.h"

static inline __attribute__((always_inline)) double small(double x)
{
	burn_ms(1);
	return x + 1;
}

NOINLINE double kernel(double x)
{
	burn_ms(2);
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

int main(void)
{
	printf("%g\n", solve(10) + solve(20) > 0 ? 1.0 : 0.0);
	return 0;
}
