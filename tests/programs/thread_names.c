/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads with names: one names itself and ends, its creator names one, one works when the program ends, one keeps the
 * program's name.
 */
#include "burn.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t met;

static void *name_itself(void *name)
{
	pthread_setname_np(pthread_self(), name);
	burn_ms(5);
	return NULL;
}

static void *wait_for_name(void *unused)
{
	pthread_barrier_wait(&met);
	burn_ms(5);
	return unused;
}

static void *never_end(void *name)
{
	pthread_setname_np(pthread_self(), name);
	pthread_barrier_wait(&met);
	for (;;)
		burn_ms(5);
}

static void *keep_name(void *unused)
{
	burn_ms(5);
	return unused;
}

int main(void)
{
	pthread_t threads[4];
	pthread_barrier_init(&met, NULL, 3);
	pthread_create(&threads[0], NULL, name_itself, "io-pool");
	pthread_create(&threads[1], NULL, wait_for_name, NULL);
	pthread_setname_np(threads[1], "prefetch");
	pthread_create(&threads[2], NULL, never_end, "progress");
	pthread_create(&threads[3], NULL, keep_name, NULL);
	pthread_barrier_wait(&met);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	pthread_join(threads[3], NULL);
	exit(0);
}
