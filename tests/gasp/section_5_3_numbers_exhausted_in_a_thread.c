/* SPDX-License-Identifier: BSD-3-Clause */
/* "for the calling thread": other threads still have all their numbers; the fatal error still ends the process. */
#include "client.h"

#include <pthread.h>

static void *play(void *argument)
{
	gasp_context_t context = init_upc();
	unsigned int count = GASP_UPC_USEREVT_END - GASP_UPC_USEREVT_START + 1;
	for (unsigned int i = 0; i < count; i++)
		gasp_create_event(context, "many", NULL);
	if (argument)
		gasp_create_event(context, "too many", NULL);
	return NULL;
}

int main(void)
{
	pthread_t first, second;
	gasp_context_t context = init_upc();
	EXPECT_OUTCOME("exit 1");
	EXPECT_SAID("too many", 1);
	EXPECT("visits", "mine", 1);
	pthread_create(&first, NULL, play, NULL);
	pthread_join(first, NULL);
	ATOMIC(context, gasp_create_event(context, "mine", NULL), "a.upc", 1, 0);
	pthread_create(&second, NULL, play, context);
	pthread_join(second, NULL);
	TELL("failed\t%s", "the call returned");
	return 0;
}
