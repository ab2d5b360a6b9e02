/* SPDX-License-Identifier: BSD-3-Clause */
/* "events generated on the calling thread": other threads are measured while one is off. */
#include "client.h"

#include <pthread.h>

static pthread_barrier_t both;

static void *play(void *argument)
{
	(void)argument;
	gasp_context_t context = init_upc();
	pthread_barrier_wait(&both); /* meanwhile the other thread switches itself off */
	for (int i = 0; i < 100; i++)
		fence(context, "on.upc", 1);
	REQUIRE(gasp_control(context, 1) != 0);
	pthread_barrier_wait(&both);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	gasp_context_t context = init_upc();
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&thread, NULL, play, NULL);
	gasp_control(context, 0);
	pthread_barrier_wait(&both);
	for (int i = 0; i < 100; i++)
		fence(context, "off.upc", 1);
	pthread_barrier_wait(&both);
	REQUIRE(gasp_control(context, 0) == 0);
	pthread_join(thread, NULL);
	EXPECT("visits", "GASP_UPC_FENCE @on.upc:1", 100);
	EXPECT("visits", "*", 100);
	return 0;
}
