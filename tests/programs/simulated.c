/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads that burn CPU time and use the heap, for valgrind, under which programs run many times slower. */
#include "burn.h"

#include <pthread.h>
#include <stdlib.h>

static NOINLINE void burn_simulated(int ms)
{
	char *block = malloc(100);
	block[0] = 'a';
	burn_ms(ms + (block[0] == 'b'));
	free(block);
}

static void *thread(void *unused)
{
	for (int i = 0; i < 10; i++)
		burn_simulated(40);
	return unused;
}

int main(void)
{
	pthread_t other;
	if (pthread_create(&other, NULL, thread, NULL))
		return 2;
	thread(NULL);
	pthread_join(other, NULL);
	puts("done");
	return 3;
}
