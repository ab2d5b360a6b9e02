/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic memory from several allocations on one source line (tests/upc/accesses.sh). */
#include <upc_relaxed.h>

#define NEW(variable) variable = upc_all_alloc(THREADS, sizeof(int))

struct pair {
	shared int *left, *right;
};

static shared int *rare, *hot, *from_macro, *from_next, *either, *parts[2], *first, *second, *third, *fourth;
static shared int *stored, *stored_next;

__attribute__((noinline)) static shared int *checked(size_t blocks)
{
	return upc_all_alloc(blocks, sizeof(int));
}

static shared int *inlined(size_t blocks)
{
	shared int *memory = upc_all_alloc(blocks, sizeof(int));
	return memory;
}

__attribute__((noinline)) static void store(shared int **to)
{
	*to = upc_all_alloc(THREADS, sizeof(int));
}

static int sum_of(shared int *memory, int count)
{
	int sum = 0;
	for (int i = 0; i < count; i++)
		sum += memory[(MYTHREAD + 1) % THREADS];
	return sum;
}

int main(int argc, char **argv)
{
	struct pair pair;
	(void)argv;
	rare = upc_all_alloc(THREADS, sizeof(int)), hot = upc_all_alloc(THREADS, sizeof(int));
	shared int *here = upc_global_alloc(THREADS, 4), *there = upc_global_alloc(THREADS, 4);
	NEW(from_macro), NEW(from_next);
	either = argc > 1 ? upc_all_alloc(1, 4) : upc_all_alloc(THREADS, sizeof(int));
	pair.left =
		upc_all_alloc(THREADS, 4), pair.right = upc_all_alloc(THREADS, 4); /* = upc_all_alloc(1, 4) */
	for (int i = 0; i < 2; i++)
		parts[i] = upc_all_alloc(THREADS, sizeof(int));
	first = checked(THREADS), second = checked(THREADS);
	third = inlined(THREADS), fourth = inlined(THREADS);
	store(&stored), store(&stored_next);
	upc_barrier;
	int sum = sum_of(rare, 1) + sum_of(hot, 2) + sum_of(here, 3) + sum_of(there, 4) + sum_of(from_macro, 5) +
		  sum_of(from_next, 6) + sum_of(either, 7) + sum_of(pair.left, 8) + sum_of(pair.right, 9) +
		  sum_of(parts[0], 10) + sum_of(parts[1], 10) + sum_of(first, 11) + sum_of(second, 12) +
		  sum_of(third, 13) + sum_of(fourth, 14) + sum_of(stored, 15) + sum_of(stored_next, 15);
	upc_barrier;
	return sum == 1234;
}
