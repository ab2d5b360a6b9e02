/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * short_threads COUNT BEGIN MIDDLE END [stop]: COUNT threads, one after another, each of which burns that many
 * milliseconds in burn_begin, burn_middle and burn_end. Prints the time in ns that all threads took in each function,
 * and until their end. With "stop", the program stops measuring while they run, and burns 20 ms afterwards.
 */
#include "burn.h"

#include <pthread.h>
#include <stdlib.h>

#include <heddle/heddle.h>

static double wanted[3];
static uint64_t took[3], lived;

static NOINLINE void burn_begin(void)
{
	took[0] += burn_ms(wanted[0]);
}

static NOINLINE void burn_middle(void)
{
	took[1] += burn_ms(wanted[1]);
}

static NOINLINE void burn_end(void)
{
	took[2] += burn_ms(wanted[2]);
}

static NOINLINE void burn_after(void)
{
	burn_ms(20);
}

static void *burn_in_thread(void *unused)
{
	burn_begin();
	burn_middle();
	burn_end();
	lived += thread_cpu_ns();
	return unused;
}

int main(int argc, char **argv)
{
	if (argc < 5)
		return 98;
	for (int i = 0; i < 3; i++)
		wanted[i] = atof(argv[2 + i]);
	if (argc > 5)
		heddle_stop();
	for (int i = 0; i < atoi(argv[1]); i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, burn_in_thread, NULL);
		pthread_join(thread, NULL);
	}
	if (argc > 5) {
		heddle_start();
		burn_after();
	}
	printf("burn_begin %llu\nburn_middle %llu\nburn_end %llu\nlived %llu\n", (unsigned long long)took[0],
		(unsigned long long)took[1], (unsigned long long)took[2], (unsigned long long)lived);
	return 0;
}
