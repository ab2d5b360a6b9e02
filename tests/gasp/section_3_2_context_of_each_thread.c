/* SPDX-License-Identifier: BSD-3-Clause */
/* "The gasp_init function returns a pointer to an opaque, thread-specific, tool-implemented struct." */
#include "client.h"

#include <pthread.h>

#define THREADS 8

static gasp_context_t contexts[THREADS];
static pthread_barrier_t all;

static void *play(void *argument)
{
	gasp_context_t *mine = argument;
	*mine = init_upc();
	pthread_barrier_wait(&all); /* all threads live at the same time, so that no context is recycled */
	fence(*mine, "a.upc", 1 + (int)(mine - contexts));
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	pthread_barrier_init(&all, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, play, &contexts[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++) {
		for (int j = 0; j < i; j++)
			REQUIRE(contexts[i] != contexts[j]);
	}
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:*", THREADS);
	EXPECT_PATHS("GASP_UPC_FENCE @a.upc:*", THREADS);
	return 0;
}
