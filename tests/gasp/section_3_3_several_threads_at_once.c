/* SPDX-License-Identifier: BSD-3-Clause */
/* Each thread has its own switch, even if all threads switch at the same time. */
#include "client.h"

#include <pthread.h>

#define THREADS 8
#define ROUNDS 20000

static pthread_barrier_t all;

static void *play(void *argument)
{
	int mine = *(int *)argument, wrong = 0;
	gasp_context_t context = init_upc();
	gasp_control(context, 1);
	pthread_barrier_wait(&all);
	for (int i = 0; i < ROUNDS; i++) {
		wrong += gasp_control(context, 0) != (i ? mine : 1);
		fence(context, "off.upc", mine);
		wrong += gasp_control(context, mine) != 0;
		fence(context, "on.upc", mine);
	}
	REQUIRE(wrong == 0);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	int values[THREADS];
	pthread_barrier_init(&all, NULL, THREADS);
	for (int i = 0; i < THREADS; i++) {
		values[i] = i + 1;
		pthread_create(&threads[i], NULL, play, &values[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	EXPECT("visits", "GASP_UPC_FENCE @on.upc:*", THREADS * ROUNDS);
	EXPECT("visits", "GASP_UPC_FENCE @on.upc:8", ROUNDS);
	EXPECT("visits", "*off.upc*", 0);
	return 0;
}
