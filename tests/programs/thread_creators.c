/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads created in several ways, each of which begins one phase: its path shows where the thread was created. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static void work(const char *name)
{
	heddle_phase_begin(name);
	heddle_phase_end(name);
}

static void *worker(void *name)
{
	work(name);
	return NULL;
}

static int c11_worker(void *name)
{
	work(name);
	return 0;
}

static void *opens_region(void *name)
{
#pragma omp parallel num_threads(2)
	work(name);
	return NULL;
}

static void run(void *(*routine)(void *), void *argument)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, routine, argument) != 0 || pthread_join(thread, NULL) != 0)
		exit(1);
}

static void run_c11(void)
{
	thrd_t thread;
	if (thrd_create(&thread, c11_worker, "c11") != thrd_success || thrd_join(thread, NULL) != thrd_success)
		exit(1);
}

/* Each thread creates the next one. */
static void *chain(void *left)
{
	work("link");
	if ((intptr_t)left > 0)
		run(chain, (void *)((intptr_t)left - 1));
	return NULL;
}

int main(void)
{
	heddle_phase_begin("outer");
	run(worker, "first");
	heddle_phase_end("outer");
	run(worker, "second");
	run(worker, "second");
	run_c11();
	run(opens_region, "in region");
	run(chain, (void *)19);
	puts("done");
	return 0;
}
