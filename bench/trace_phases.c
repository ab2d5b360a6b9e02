/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_phases THREADS EVENTS: each thread begins and ends phases; prints ns of an event ("event") and seconds ("s").
 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS_MOST 64

static long events;

static void *work(void *unused)
{
	for (long i = 0; i < events; i += 2) {
		heddle_phase_begin("phase");
		heddle_phase_end("phase");
	}
	return unused;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	pthread_t others[THREADS_MOST];
	int threads = argc > 1 ? atoi(argv[1]) : 1;
	events = argc > 2 ? atol(argv[2]) : 1000000;
	if (threads < 1 || threads > THREADS_MOST)
		return 2;
	double start = now();
	for (int i = 1; i < threads; i++)
		pthread_create(&others[i], NULL, work, NULL);
	work(NULL);
	for (int i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
	double s = now() - start;
	printf("event %.3f\ns %.6f\n", s * 1e9 / (double)events, s);
	return 0;
}
