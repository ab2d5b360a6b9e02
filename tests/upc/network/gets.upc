/* SPDX-License-Identifier: BSD-3-Clause */
/* Thread 0 reads 1,000 numbers of the last thread, one after another, which waits in a barrier meanwhile. */
#include <stdio.h>
#include <upc_strict.h>

#define GETS 1000
static shared [GETS] int numbers[GETS * THREADS];

int main(void)
{
	shared [GETS] int *last = &numbers[GETS * (THREADS - 1)];
	long sum = 0;
	for (int i = 0; i < GETS; i++)
		numbers[GETS * MYTHREAD + i] = i;
	upc_barrier;
	for (int i = 0; MYTHREAD == 0 && i < GETS; i++)
		sum += last[i];
	upc_barrier;
	if (MYTHREAD == 0)
		printf("sum %ld\n", sum);
	return 0;
}
