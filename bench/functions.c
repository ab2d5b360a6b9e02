/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * functions pair|paused|off [CALLS]: nanoseconds of a call of an empty instrumented function minus the same call of one
 * without instrumentation, the minimum of many rounds; while measurement is on, stopped for the process, or off for the
 * thread. functions work N: the seconds of fib(N), all calls instrumented.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clocks.h"
#include "heddle/heddle.h"

#define PLAIN __attribute__((no_instrument_function, noinline))
#define ROUNDS 2000

__attribute__((noinline)) static void instrumented(void)
{
	__asm__ volatile("");
}

PLAIN static void plain(void)
{
	__asm__ volatile("");
}

PLAIN static double per_call(void (*function)(void), long count)
{
	double least = 1e9;
	for (int round = 0; round < ROUNDS; round++) {
		double start = wall_seconds();
		for (long i = 0; i < count; i++)
			function();
		double each = (wall_seconds() - start) / (double)count * 1e9;
		least = each < least ? each : least;
	}
	return least;
}

__attribute__((noinline)) static int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* Switches the thread off by gasp_control, as GASP clients do. */
PLAIN static void switch_thread_off(void)
{
	int (*control)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "heddle_pupc_control");
	if (control)
		control(0);
	else
		exit(77);
}

PLAIN int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "pair";
	long count = argc > 2 ? atol(argv[2]) : 2000;
	if (strcmp(mode, "work") == 0) {
		double start = wall_seconds();
		int sum = fib((int)count);
		printf("seconds %.6f\n", wall_seconds() - start);
		return sum < 0;
	}
	double base = per_call(plain, count);
	if (strcmp(mode, "paused") == 0)
		heddle_stop();
	if (strcmp(mode, "off") == 0)
		switch_thread_off();
	printf("pair %.3f\n", per_call(instrumented, count) - base);
	return 0;
}
