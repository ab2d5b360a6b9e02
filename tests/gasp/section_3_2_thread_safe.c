/* SPDX-License-Identifier: BSD-3-Clause */
/* "The gasp_event_notify function shall be thread-safe": 16 threads initialize and send events at the same time. */
#include "client.h"

#include <pthread.h>

#define THREADS 16
#define ROUNDS 20000

static pthread_barrier_t all;

static void *play(void *argument)
{
	(void)argument;
	pthread_barrier_wait(&all);
	gasp_context_t context = init_upc();
	unsigned int own = gasp_create_event(context, "own", "round=%d");
	for (int i = 0; i < ROUNDS; i++) {
		START(context, own, "a.upc", 1, 0, i);
		get(context, "a.upc", 2 + i % 7, 8);
		END(context, own, "a.upc", 9, 0, i);
	}
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
	EXPECT("visits", "own", THREADS * ROUNDS);
	EXPECT("visits", "own;GASP_UPC_GET @a.upc:*", THREADS * ROUNDS);
	EXPECT("bytes-got", "*", THREADS * ROUNDS * 8);
	EXPECT_PATHS("own;GASP_UPC_GET @a.upc:*", 7);
	EXPECT("visits", "*", 2 * THREADS * ROUNDS);
	return 0;
}
