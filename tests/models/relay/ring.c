/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that uses the made-up runtime: rank 0 works longer than the others, which wait for it. */
#include "tests/models/relay/relay.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int rank, work_ms;

static long cpu_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

__attribute__((noinline)) static void spin(int milliseconds)
{
	for (long end = cpu_ms() + milliseconds; cpu_ms() < end;)
		for (int i = 0; i < 10000; i++)
			__asm__ volatile("" ::"r"(i));
}

/* The body of main's loop, with the name that a compiler of the made-up model would give it. */
void body(int number) __asm__("main.relayed.1");
__attribute__((noinline)) void body(int number)
{
	(void)number;
	spin(work_ms);
	__asm__ volatile("");
}

int main(void)
{
	long sum = 0;
	rank = relay_start(3);
	work_ms = rank == 0 ? 300 : 50;
	for (int step = 0; step < 2; step++) {
		relay_each(2, body);
		sum += relay_exchange(rank);
	}
	relay_pack(100);
	if (rank == 0)
		printf("%ld\n", sum);
	fflush(stdout);
	relay_end();
	return 0;
}
