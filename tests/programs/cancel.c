/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that are cancelled as soon as they exist: each one's cleanup handler must run. */
#include <pthread.h>
#include <stdio.h>

#define THREADS 50

static int cleaned;

static void clean_up(void *unused)
{
	(void)unused;
	cleaned++;
}

static void *wait_for_the_end(void *unused)
{
	pthread_cleanup_push(clean_up, NULL);
	for (;;)
		pthread_testcancel();
	pthread_cleanup_pop(0);
	return unused;
}

int main(void)
{
	for (int i = 0; i < THREADS; i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, wait_for_the_end, NULL))
			return 1;
		pthread_cancel(thread);
		pthread_join(thread, NULL);
	}
	printf("%d of %d cleaned up\n", cleaned, THREADS);
	return 0;
}
