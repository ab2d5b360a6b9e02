/* SPDX-License-Identifier: BSD-3-Clause */
/* Events from destructors of thread-specific data, perhaps after the thread's final totals: other counts are right. */
#include "client.h"

#include <pthread.h>

static pthread_key_t key;

static void late(void *context)
{
	START(context, GASP_UPC_FORALL, "late.upc", 1, 0);
	gasp_control(context, 0);
	gasp_control(context, 1);
	ATOMIC(context, gasp_create_event(context, "late", NULL), "late.upc", 2, 0);
	init_upc();
}

static void *play(void *argument)
{
	gasp_context_t context = init_upc();
	pthread_setspecific(key, context);
	fence(context, "a.upc", 1);
	START(context, GASP_UPC_FORALL, "a.upc", 2, 0); /* never ends */
	return argument;
}

int main(void)
{
	pthread_key_create(&key, late);
	for (int i = 0; i < 200; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, play, NULL);
		pthread_join(thread, NULL);
	}
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:1", 200); /* none is in the region that an earlier thread left open */
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:2", 200);
	return 0;
}
