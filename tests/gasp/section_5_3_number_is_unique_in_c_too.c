/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that executes UPC code and C code: both get different numbers, and either may use the other's. A worker
 * without events of its own uses the thread's numbers; a thread with only C code has its own numbers.
 */
#define __UPC_PUPC_INST__ 1
#include <heddle/pupc.h>

#include "client.h"

#include <pthread.h>

static unsigned int of_upc, of_c;

static void *works(void *unused)
{
	pupc_event_start(of_upc);
	pupc_event_end(of_upc);
	pupc_event_atomic(of_c);
	return unused;
}

static void *executes_c(void *unused)
{
	unsigned int own = pupc_create_event("own", NULL);
	pupc_event_atomic(own);
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
	gasp_context_t context = init_upc();
	of_upc = gasp_create_event(context, "time step", NULL);
	of_c = pupc_create_event("io", NULL);
	REQUIRE(of_upc != of_c);
	works(NULL);
	ATOMIC(context, of_c, "a.upc", 1, 0);
	in_thread(works);
	in_thread(executes_c);
	EXPECT("visits", "time step", 2);
	EXPECT("visits", "io", 3);
	EXPECT("visits", "own", 1);
	return 0;
}
