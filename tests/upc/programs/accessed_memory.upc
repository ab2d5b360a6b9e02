/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic memory from functions that allocate for their callers (tests/upc/accesses.sh). */
#include <stdlib.h>
#include <upc_relaxed.h>

static shared int *first, *second;
static shared [] int *mine;
static shared [] int *shared others[THREADS];

__attribute__((noinline)) static shared void *checked(size_t blocks, size_t bytes)
{
	shared void *memory = upc_all_alloc(blocks, bytes);

	if (memory == NULL)
		exit(1);
	return memory;
}

static shared void *private_memory(size_t bytes)
{
	return upc_alloc(bytes);
}

__attribute__((noinline)) static shared void *outer(size_t blocks)
{
	return checked(blocks, sizeof(int));
}

int main(void)
{
	int next = (MYTHREAD + 1) % THREADS, sum = 0;

	first = checked(10 * THREADS, 4);
	second = outer(10 * THREADS);
	mine = private_memory(400);
	others[MYTHREAD] = mine;
	upc_barrier;
	for (int i = 0; i < 3; i++)
		sum += first[next];
	for (int i = 0; i < 5; i++)
		sum += second[next];
	shared [] int *theirs = others[next];
	for (int i = 0; i < 7; i++)
		sum += theirs[i];
	upc_barrier;
	return sum == 1234;
}
