/* SPDX-License-Identifier: BSD-3-Clause */
/* deep DEPTH ROUNDS: a fixed amount of work at the end of a call path of DEPTH frames, main's included. */
#include <stdio.h>
#include <stdlib.h>

#include "clocks.h"

static volatile double sink;

static __attribute__((noinline)) void descend(int frames, long rounds)
{
	if (frames > 1) {
		descend(frames - 1, rounds);
	} else {
		double x = 1;
		for (long i = 0; i < rounds; i++)
			x += 1 / x;
		sink = x;
	}
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	int depth = argc > 1 ? atoi(argv[1]) : 11;
	double cpu = process_cpu_seconds();
	descend(depth - 1, argc > 2 ? atol(argv[2]) : 100000000);
	printf("cpu_s %.6f\n", process_cpu_seconds() - cpu);
	return 0;
}
