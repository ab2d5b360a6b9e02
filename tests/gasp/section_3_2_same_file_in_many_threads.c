/* SPDX-License-Identifier: BSD-3-Clause */
/* "The same filename pointer is permitted to be passed in multiple calls and by multiple threads". */
#include "client.h"

#include <pthread.h>

static void *play(void *file)
{
	gasp_context_t context = init_upc();
	for (int line = 1; line <= 500; line++)
		fence(context, file, line);
	return NULL;
}

int main(void)
{
	pthread_t threads[8];
	static char one[] = "a.upc", other[] = "a.upc";
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, play, i % 2 ? one : other);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:*", 4000);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:500", 8);
	EXPECT_PATHS("GASP_UPC_FENCE*", 500);
	return 0;
}
