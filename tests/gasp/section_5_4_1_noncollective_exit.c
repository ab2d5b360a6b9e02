/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 3: NONCOLLECTIVE_EXIT ATOMIC with int status, "on a single thread": other threads may not continue. */
#include "client.h"

#include <pthread.h>
#include <signal.h>

static pthread_barrier_t both;

static void *play(void *argument)
{
	gasp_context_t context = init_upc();
	START(context, GASP_UPC_BARRIER, "a.upc", 1, 0, 0, 0);
	pthread_barrier_wait(argument);
	pause();
	return NULL;
}

int main(void)
{
	pthread_t thread;
	gasp_context_t context = init_upc();
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&thread, NULL, play, &both);
	pthread_barrier_wait(&both);
	EXPECT("visits", "GASP_UPC_BARRIER @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_NONCOLLECTIVE_EXIT @a.upc:2", 1);
	EXPECT_FILES(1);
	EXPECT_OUTCOME("signal 9");
	ATOMIC(context, GASP_UPC_NONCOLLECTIVE_EXIT, "a.upc", 2, 0, 1);
	kill(getpid(), SIGKILL);
	return 0;
}
