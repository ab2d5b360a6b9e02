/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a PE access memory of the next one; prints "no threads" if the library does not support threads. */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>

#define THREADS 3
#define CALLS 1000

static long words[THREADS];

static void *work(void *context)
{
	long number = (long)context, value = 0;
	int next = (shmem_my_pe() + 1) % shmem_n_pes();
	for (int i = 0; i < CALLS; i++) {
		shmem_long_put(&words[number], &value, 1, next);
		value += shmem_long_g(&words[number], next);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	int provided;
	if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0 || provided != SHMEM_THREAD_MULTIPLE) {
		printf("no threads\n");
		shmem_finalize();
		return 0;
	}
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
