/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_paced MILLISECONDS [END] [EVENTS]: two threads, each with EVENTS (1) phases every 2 ms. END: exit (the
 * default), abort, or flush: heddle_flush while the other thread continues for a second, then SIGKILL.
 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../support/simulated.h"

static int at_once = 1;
static _Atomic long end_ms;
static pthread_barrier_t both;

static long now_ms(void)
{
	struct timespec now;
	if (simulated())
		return (long)(simulated_time(CLOCK_MONOTONIC) / 1000000);
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* On a simulated machine, 2 ms pass when both threads have called this. */
static void pace(void)
{
	if (!simulated())
		usleep(2000);
	else if (pthread_barrier_wait(&both) == PTHREAD_BARRIER_SERIAL_THREAD)
		simulated_sleep(2000000);
	if (simulated())
		pthread_barrier_wait(&both);
}

static void *work(void *unused)
{
	while (now_ms() < end_ms) {
		for (int i = 0; i < at_once; i++) {
			heddle_phase_begin("paced");
			heddle_phase_end("paced");
		}
		pace();
	}
	return unused;
}

int main(int argc, char **argv)
{
	const char *end = argc > 2 ? argv[2] : "exit";
	pthread_t other;
	end_ms = now_ms() + (argc > 1 ? atol(argv[1]) : 1000);
	pthread_barrier_init(&both, NULL, 2);
	at_once = argc > 3 ? atoi(argv[3]) : 1;
	pthread_create(&other, NULL, work, NULL);
	work(NULL);
	if (strcmp(end, "abort") == 0)
		abort();
	if (strcmp(end, "flush") == 0) {
		end_ms = now_ms() + 1000;
		usleep(20000);
		heddle_flush();
		raise(SIGKILL);
	}
	pthread_join(other, NULL);
	return 0;
}
