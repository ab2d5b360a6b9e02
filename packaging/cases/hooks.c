/* SPDX-License-Identifier: BSD-3-Clause */
/* For packaging/cross-cases: the exit of a function is reported by a tail call; main itself computes. */
#include <time.h>

static volatile long sink;

__attribute__((noinline)) static void quick(void)
{
	sink++;
}

int main(void)
{
	quick();
	for (clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC / 2;)
		sink++;
	quick();
	return 0;
}
