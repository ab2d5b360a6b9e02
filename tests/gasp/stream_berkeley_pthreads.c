/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley UPC with pthreads: all threads call gasp_init at once, not in the order of MYTHREAD; _exit ends them. */
#include "stream_berkeley.h"

#include <pthread.h>

#define THREADS 8

static pthread_barrier_t all;

static void wait_for_all(void)
{
	pthread_barrier_wait(&all);
}

void _pupc_create_event(void);
void _pupc_create_event(void)
{
}

static void *play(void *argument)
{
	pthread_barrier_wait(&all);
	berkeley_thread(*(int *)argument);
	pthread_barrier_wait(&all);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];
	berkeley_expect(THREADS);
	EXPECT_FILES(1);
	berkeley_barrier = wait_for_all;
	pthread_barrier_init(&all, NULL, THREADS);
	for (int i = THREADS - 1; i > 0; i--) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, play, &numbers[i]);
	}
	numbers[0] = 0;
	play(&numbers[0]);
	_exit(0);
}
