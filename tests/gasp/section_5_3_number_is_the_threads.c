/* SPDX-License-Identifier: BSD-3-Clause */
/* "The value returned is thread-specific": the same number refers to each thread's own event. */
#include "client.h"

#include <pthread.h>

#define THREADS 8

static pthread_barrier_t all;
static unsigned int numbers[THREADS];

static void *play(void *argument)
{
	int mine = *(int *)argument;
	char name[32];
	gasp_context_t context = init_upc();
	snprintf(name, sizeof(name), "of thread %d", mine);
	numbers[mine] = gasp_create_event(context, name, NULL);
	pthread_barrier_wait(&all);
	for (int i = 0; i < 100 + mine; i++)
		ATOMIC(context, numbers[mine], "a.upc", 1, 0);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	int mine[THREADS];
	pthread_barrier_init(&all, NULL, THREADS);
	for (int i = 0; i < THREADS; i++) {
		mine[i] = i;
		pthread_create(&threads[i], NULL, play, &mine[i]);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		char path[32];
		snprintf(path, sizeof(path), "of thread %d", i);
		EXPECT("visits", path, 100 + i);
	}
	return 0;
}
