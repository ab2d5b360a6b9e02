/* SPDX-License-Identifier: BSD-3-Clause */
/* upc_all_alloc is collective: its memory counts once, on the thread with MYTHREAD 0; each thread has a visit. */
#include "bridge.h"

#include <pthread.h>

static void *play(void *argument)
{
	bridge_mythread = *(int *)argument;
	gasp_context_t context = init_upc();
	START(context, GASP_UPC_ALL_ALLOC, "a.upc", 1, 0, (size_t)4, (size_t)1000);
	END(context, GASP_UPC_ALL_ALLOC, "a.upc", 1, 0, (size_t)4, (size_t)1000, (void *)SHARED_POINTER(0));
	START(context, GASP_UPC_ALLOC, "a.upc", 2, 0, (size_t)10);
	END(context, GASP_UPC_ALLOC, "a.upc", 2, 0, (size_t)10, (void *)SHARED_POINTER(0));
	return NULL;
}

int main(void)
{
	pthread_t threads[BRIDGE_THREADS];
	int ranks[BRIDGE_THREADS];
	for (int i = 0; i < BRIDGE_THREADS; i++) {
		ranks[i] = i;
		pthread_create(&threads[i], NULL, play, &ranks[i]);
	}
	for (int i = 0; i < BRIDGE_THREADS; i++)
		pthread_join(threads[i], NULL);
	EXPECT("visits", "GASP_UPC_ALL_ALLOC @a.upc:1", 4);
	EXPECT("shared-bytes", "GASP_UPC_ALL_ALLOC @a.upc:1", 4000);
	EXPECT_OF_RANK(0, "shared-bytes", "GASP_UPC_ALL_ALLOC @a.upc:1", 4000);
	EXPECT("shared-bytes", "GASP_UPC_ALLOC @a.upc:2", 40);
	EXPECT_OF_RANK(3, "shared-bytes", "*", 10);
	return 0;
}
