/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * User events of a C program that is compiled with one of the --inst options: place and arguments are recorded, in each
 * thread that creates events.
 */
#define __UPC_PUPC_INST__ 1
#include <heddle/pupc.h>

#include "client.h"

#include <pthread.h>

static void *play(void *argument)
{
	(void)argument;
	unsigned int step = pupc_create_event("step", "%d %g");
	for (int i = 0; i < 10; i++) {
		pupc_event_start(step, i, i / 2.);
		pupc_event_end(step, i, i / 2.);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, play, NULL);
	play(NULL);
	pthread_join(thread, NULL);
	EXPECT("visits", "step", 20);
	EXPECT_VALUES("step", 1, 20, 0, 9, 90);
	EXPECT_VALUES("step", 2, 20, 0, 4.5, 45);
	return 0;
}
