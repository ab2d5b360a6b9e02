/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program without data races, for ThreadSanitizer: threads, calls that need a single-threaded process, a period in
 * which Heddle's own thread is not needed, and a thread that waits when the program ends with status 3.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sums[3];
static atomic_int waits; /* provides no ordering */

static void *work(void *sum)
{
	for (unsigned long i = 0; i < 5000000; i++)
		*(volatile unsigned long *)sum += i;
	return NULL;
}

static void run_threads(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, (void *)&sums[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

static void *wait_for_ever(void *unused)
{
	atomic_store_explicit(&waits, 1, memory_order_relaxed);
	for (;;)
		pause();
	return unused;
}

static void burn_alone(void)
{
	clock_t until = clock() + CLOCKS_PER_SEC / 2;
	while (clock() < until)
		;
}

int main(void)
{
	run_threads();
	if (setgid(getgid()))
		puts("setgid failed");
	run_threads();
	burn_alone();
	run_threads();
	pthread_t waiting;
	pthread_create(&waiting, NULL, wait_for_ever, NULL);
	pthread_detach(waiting);
	while (!atomic_load_explicit(&waits, memory_order_relaxed))
		;
	puts("done");
	return 3;
}
