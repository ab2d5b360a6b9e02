/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 1.3's gasp_control switches "until the tool code receives another gasp_control call", from any thread; 1.5 says "of
 * this thread". Heddle does the latter, also for clients of 1.3 (in practice, each was a thread of its own).
 */
#include "client.h"

#include <pthread.h>

static void *play(void *argument)
{
	gasp_context_t context = init_upc();
	gasp_control(context, *(int *)argument);
	fence(context, "other.upc", 1);
	return NULL;
}

int main(void)
{
	gasp_context_t context = init_upc();
	for (int on = 0; on < 2; on++) {
		pthread_t thread;
		pthread_create(&thread, NULL, play, &on);
		pthread_join(thread, NULL);
		fence(context, "main.upc", 1);
	}
	EXPECT("visits", "GASP_UPC_FENCE @main.upc:1", 2);
	EXPECT("visits", "GASP_UPC_FENCE @other.upc:1", 1);
	return 0;
}
