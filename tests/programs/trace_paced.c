/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_paced MILLISECONDS [END] [EVENTS]: two threads, each with so many phases (1) every 2 ms. END: exit (the
 * default), abort, or flush: heddle_flush while the other thread goes on for a second, then SIGKILL.
 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int at_once = 1;
static _Atomic long end_ms;

static long now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void *work(void *unused)
{
	while (now_ms() < end_ms) {
		for (int i = 0; i < at_once; i++) {
			heddle_phase_begin("paced");
			heddle_phase_end("paced");
		}
		usleep(2000);
	}
	return unused;
}

int main(int argc, char **argv)
{
	const char *end = argc > 2 ? argv[2] : "exit";
	pthread_t other;
	end_ms = now_ms() + (argc > 1 ? atol(argv[1]) : 1000);
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
