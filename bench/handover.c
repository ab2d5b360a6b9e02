/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two threads on one processor that hand over to each other: `handover [TIMES]`. Prints CPU and elapsed seconds. Each
 * handover is a context switch, so this is the cost of starting and cancelling a timer at each switch.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include "clocks.h"

static sem_t there, back;
static int times;

static void work(void)
{
	for (int i = 0; i < 1500; i++)
		__asm__ volatile("" ::"r"(i));
}

static void *answer(void *unused)
{
	for (int i = 0; i < times; i++) {
		sem_wait(&there);
		work();
		sem_post(&back);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t other;
	cpu_set_t first;
	double wall = wall_seconds(), cpu = process_cpu_seconds();
	times = argc > 1 ? atoi(argv[1]) : 100000;
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	sem_init(&there, 0, 0);
	sem_init(&back, 0, 0);
	pthread_create(&other, NULL, answer, NULL);
	for (int i = 0; i < times; i++) {
		sem_post(&there);
		work();
		sem_wait(&back);
	}
	pthread_join(other, NULL);
	printf("cpu_s %.4f\nwall_s %.4f\n", process_cpu_seconds() - cpu, wall_seconds() - wall);
	return 0;
}
