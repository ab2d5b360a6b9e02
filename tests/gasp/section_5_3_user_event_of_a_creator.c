/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that never created an event uses a number of another thread, as OpenMP workers do: it refers to that
 * thread's event. In a thread that created events, only its own numbers are valid.
 */
#define __UPC_PUPC_INST__ 1
#include <heddle/pupc.h>

#include "client.h"

#include <pthread.h>

static unsigned int first, second;

static void *works(void *unused)
{
	pupc_event_start(second, 7);
	pupc_event_end(second, 7);
	return unused;
}

static void *has_its_own(void *unused)
{
	pupc_create_event("own", NULL);
	pupc_event_atomic(first);
	return unused;
}

static void in_thread(void *(*routine)(void *))
{
	pthread_t thread;
	pthread_create(&thread, NULL, routine, NULL);
	pthread_join(thread, NULL);
}

int main(void)
{
	first = pupc_create_event("first", NULL);
	second = pupc_create_event("second", "%d");
	in_thread(works);
	in_thread(has_its_own);
	EXPECT("visits", "first", 0);
	EXPECT("visits", "own", 1);
	EXPECT("visits", "second", 1);
	EXPECT_VALUES("second", 1, 1, 7, 7, 7);
	return 0;
}
