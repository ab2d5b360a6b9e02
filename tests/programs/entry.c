/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread function whose first instruction belongs to an inlined function. */
#include "burn.h"

#include <pthread.h>

static pthread_t id;
static volatile long begun;

static inline __attribute__((always_inline)) void first(void)
{
	begun = 1;
}

NOINLINE void *thread(void *argument)
{
	(void)argument;
	first();
	return begun ? NULL : &id;
}

int main(void)
{
	if (pthread_create(&id, NULL, thread, NULL) == 0)
		pthread_join(id, NULL);
	puts("done");
	return 0;
}
