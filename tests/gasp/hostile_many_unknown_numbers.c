/* SPDX-License-Identifier: BSD-3-Clause */
/* 100,000 unknown event numbers from 8 threads: bounded memory, one line, and known events are not lost. */
#include "client.h"

#include <pthread.h>

static void *play(void *argument)
{
	unsigned int first = *(unsigned int *)argument;
	gasp_context_t context = init_upc();
	for (unsigned int i = 0; i < 12500; i++) {
		START(context, first + i, "a.upc", 1, 0);
		fence(context, "a.upc", 2);
		END(context, first + i, "a.upc", 1, 0);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[8];
	unsigned int first[8];
	for (unsigned int i = 0; i < 8; i++) {
		first[i] = 100000 + 12500 * i;
		pthread_create(&threads[i], NULL, play, &first[i]);
	}
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	EXPECT("visits", "*GASP_UPC_FENCE @a.upc:2", 100000);
	EXPECT_SAID("unknown event numbers", 1);
	return 0;
}
