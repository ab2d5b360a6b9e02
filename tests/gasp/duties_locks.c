/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Run with HEDDLE_BLAME=1: a thread that has released a lock is not charged with later waiting for it, though its
 * UNLOCK is not selected (HEDDLE_EVENTS names only GASP_UPC_LOCK) or its measurement is off; a thread that has acquired
 * the lock by LOCK_ATTEMPT is charged.
 */
#include "client.h"

#include "bridge.h"

#include <pthread.h>

static pthread_barrier_t both;

static void lock(gasp_context_t context, int line, uint64_t waited)
{
	START(context, GASP_UPC_LOCK, "a.upc", line, 0, SHARED_POINTER(1));
	spend(waited);
	END(context, GASP_UPC_LOCK, "a.upc", line, 0, SHARED_POINTER(1));
}

static void unlock(gasp_context_t context)
{
	START(context, GASP_UPC_UNLOCK, "a.upc", 9, 0, SHARED_POINTER(1));
	END(context, GASP_UPC_UNLOCK, "a.upc", 9, 0, SHARED_POINTER(1));
}

static void *play_waiter(void *argument)
{
	(void)argument;
	bridge_mythread = 1;
	gasp_context_t context = init_upc();
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both);
	lock(context, 2, 20000000);
	unlock(context);
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both);
	lock(context, 3, 20000000);
	pthread_barrier_wait(&both);
	return NULL;
}

int main(void)
{
	pthread_t waiter;
	gasp_context_t context = init_upc();
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&waiter, NULL, play_waiter, NULL);
	unsigned int released = gasp_create_event(context, "released", NULL),
		     attempted = gasp_create_event(context, "attempted", NULL);
	pthread_barrier_wait(&both);
	START(context, released, "a.upc", 1, 0);
	lock(context, 1, 0);
	if (getenv("OFF"))
		gasp_control(context, 0);
	unlock(context);
	gasp_control(context, 1);
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both);
	END(context, released, "a.upc", 1, 0);
	START(context, attempted, "a.upc", 5, 0);
	START(context, GASP_UPC_LOCK_ATTEMPT, "a.upc", 5, 0, SHARED_POINTER(1));
	END(context, GASP_UPC_LOCK_ATTEMPT, "a.upc", 5, 0, SHARED_POINTER(1), 1);
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both);
	unlock(context);
	END(context, attempted, "a.upc", 5, 0);
	EXPECT("lock-blame", "released", 0);
	EXPECT_BETWEEN("lock-blame", "GASP_UPC_LOCK @a.upc:2;<hand-off>", 19000000, UINT64_MAX); /* no holder */
	EXPECT_BETWEEN("lock-blame", "attempted", 19000000, UINT64_MAX);
	pthread_join(waiter, NULL);
	return 0;
}
