/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "or a nonzero value if gasp_control has never been called for this thread": even if other threads have called it; and
 * the thread is measured until it is switched off.
 */
#include "client.h"

#include <pthread.h>

static void *play(void *argument)
{
	(void)argument;
	gasp_context_t context = init_upc();
	fence(context, "a.upc", 1);
	REQUIRE(gasp_control(context, 0) != 0);
	REQUIRE(gasp_control(context, 0) == 0);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	gasp_context_t context = init_upc();
	REQUIRE(gasp_control(context, 0) != 0);
	for (int i = 0; i < 3; i++) { /* one after the other: a recycled context starts anew */
		pthread_create(&thread, NULL, play, NULL);
		pthread_join(thread, NULL);
	}
	REQUIRE(gasp_control(context, 0) == 0);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:1", 3);
	return 0;
}
