/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program without races, for ThreadSanitizer: threads, calls that need a process without other threads, and time in
 * which Heddle's own thread is not needed. Ends with status 3.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sums[3];

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
	puts("done");
	return 3;
}
