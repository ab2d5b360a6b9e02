/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * faulted: does what makes Heddle call the system: it loads a library, runs two threads with instrumented functions,
 * and flushes. Prints what it did, and ends with status 3.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <heddle/heddle.h>

#include "burn.h"

static volatile int sink;

NOINLINE void leaf(int step)
{
	sink = step;
}

NOINLINE void many(int count)
{
	for (int i = 0; i < count; i++)
		leaf(i);
}

NOINLINE void *work(void *unused)
{
	many(2000);
	burn_ms(4);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	int failed = 0;
	void *library = dlopen("libm.so.6", RTLD_NOW);
	many(100);
	for (int i = 0; i < 2; i++)
		failed += pthread_create(&threads[i], NULL, work, NULL) != 0;
	for (int i = 0; i < 2; i++)
		failed += pthread_join(threads[i], NULL) != 0;
	heddle_flush();
	many(100);
	printf("%d failed, library %d\n", failed, library != NULL);
	burn_ms(4);
	return 3;
}
