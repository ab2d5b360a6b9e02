/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses the network: each thread writes to and reads from the next one, uses a lock, and checks the data. */
#include <stdio.h>
#include <upc_relaxed.h>

#define COUNT 3000

static shared [COUNT] int numbers[COUNT * THREADS];
static shared int sum;

int main(void)
{
	static int own[COUNT];
	const int other = (MYTHREAD + 1) % THREADS;
	int wrong = 0;
	upc_lock_t *lock = upc_all_lock_alloc();

	for (int i = 0; i < COUNT; i++)
		own[i] = other * COUNT + i;
	upc_memput(&numbers[other * COUNT], own, sizeof own);
	upc_barrier;
	for (int i = 0; i < COUNT; i++)
		wrong += numbers[MYTHREAD * COUNT + i] != MYTHREAD * COUNT + i;
	upc_memget(own, &numbers[other * COUNT], sizeof own);
	for (int i = 0; i < COUNT; i++)
		wrong += own[i] != other * COUNT + i;
	upc_lock(lock);
	sum += 1 + wrong;
	upc_unlock(lock);
	upc_barrier;
	if (MYTHREAD == 0)
		puts(sum == THREADS ? "right" : "wrong");
	return sum != THREADS;
}
