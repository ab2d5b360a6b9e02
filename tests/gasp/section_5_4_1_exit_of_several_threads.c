/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "COLLECTIVE_EXIT events shall occur at the end of a program's execution on each thread": if UPC threads are pthreads,
 * everything that any of them measured before its END is in the profile, in whatever order they end.
 */
#include "client.h"

#include <pthread.h>

#define THREADS 8

static pthread_barrier_t all;

static void *play(void *argument)
{
	int mine = *(int *)argument;
	gasp_context_t context = init_upc();
	pthread_barrier_wait(&all);
	for (int i = 0; i < 1000 * mine; i++)
		fence(context, "a.upc", 1);
	START(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 9, 0, 0);
	END(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 9, 0, 0);
	pthread_barrier_wait(&all);
	if (mine == 3)
		_exit(0);
	pause();
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];
	pthread_barrier_init(&all, NULL, THREADS);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:1", 28000);
	EXPECT("visits", "GASP_UPC_COLLECTIVE_EXIT @a.upc:9", THREADS);
	EXPECT_FILES(1);
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, play, &numbers[i]);
	}
	pause();
	return 0;
}
