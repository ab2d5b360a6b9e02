/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that never called gasp_init passes another thread's context, which is an error of the client: Heddle
 * survives, and the events of the owner thread are counted correctly.
 */
#include "client.h"

#include <pthread.h>

static void *play(void *context)
{
	for (int i = 0; i < 1000; i++)
		fence(context, "stray.upc", 1);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	gasp_context_t context = init_upc();
	pthread_create(&thread, NULL, play, context);
	for (int i = 0; i < 1000; i++)
		fence(context, "own.upc", 1);
	pthread_join(thread, NULL);
	fence(NULL, "null.upc", 1); /* and no context at all */
	EXPECT("visits", "GASP_UPC_FENCE @own.upc:1", 1000);
	return 0;
}
