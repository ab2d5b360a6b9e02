/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads create events with the same name: the profile has one path, with the values of all. */
#include "client.h"

#include <pthread.h>

static void *play(void *argument)
{
	(void)argument;
	gasp_context_t context = init_upc();
	for (int i = 0; i < 3; i++)
		gasp_create_event(context, "another", NULL);
	unsigned int event = gasp_create_event(context, "step", "step=%d");
	for (int i = 0; i < 10; i++) {
		START(context, event, "a.upc", 1, 0, i);
		END(context, event, "a.upc", 2, 0, i);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[8];
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, play, NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	EXPECT("visits", "step", 80);
	EXPECT_PATHS("step", 1);
	EXPECT_VALUES("step", 1, 80, 0, 9, 8 * 45);
	return 0;
}
