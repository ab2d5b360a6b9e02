/* SPDX-License-Identifier: BSD-3-Clause */
/* ends_at_work MILLISECONDS: the program calls exit while its other threads execute instrumented functions. */
#include "burn.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS 3

static _Atomic long sink;

NOINLINE void inner(void)
{
	sink++;
}

NOINLINE void outer(void)
{
	inner();
	inner();
	sink++;
}

static void *work(void *unused)
{
	for (;;)
		outer();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread, NULL, work, NULL);
	usleep((unsigned int)(argc > 1 ? atoi(argv[1]) : 30) * 1000);
	exit(0);
}
