/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Known numbers of accesses (tests/upc/accesses.sh): to static variables, to dynamic memory of all threads, of other
 * threads, and to memory that was freed and allocated again. Prints whether it has the same address again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_nb.h>

struct part {
	shared [] int *mine;
};

static shared int table[8 * THREADS];
static shared [4] double field[4 * THREADS];
static shared int flag;
static shared struct part parts[THREADS];
static shared [] int *shared published[THREADS];
static shared [64] char *shared wide_of_all;

static long sum;

static void use_static(int next)
{
	for (int i = 0; i < 7; i++)
		sum += table[next + i * THREADS];
	for (int i = 0; i < 3; i++)
		field[4 * next + i] = i;
	for (int i = 0; i < 2; i++)
		sum += flag;
}

static void use_others(int next)
{
	char buffer[64];
	shared long *both = upc_all_alloc(4 * THREADS, sizeof(long));
	shared [] int *theirs;
	upc_handle_t handle;

	parts[MYTHREAD].mine =
		(shared [] int *)upc_alloc(64);
	upc_barrier;
	theirs = parts[next].mine;
	for (int i = 0; i < 5; i++)
		sum += both[next];
	for (int i = 0; i < 4; i++)
		upc_memget(buffer, theirs, 32);
	handle = upc_memget_nb(buffer, both + next, 8);
	upc_sync(handle);
	if (MYTHREAD == 0)
		wide_of_all = upc_global_alloc(THREADS, 64);
	upc_barrier;
	shared [64] char *wide = wide_of_all;
	for (int i = 0; i < 6; i++)
		sum += wide[64 * next + i];
	upc_memcpy(wide + 64 * next, both + next, 8);
	upc_barrier;
}

static void use_again(int next)
{
	shared [] int *first = upc_alloc(4096);
	shared [] int *theirs;

	published[MYTHREAD] = first;
	upc_barrier;
	theirs = published[next];
	for (int i = 0; i < 2; i++)
		sum += theirs[100 + i];
	upc_barrier;
	size_t before = upc_addrfield(first);
	upc_free(first);
	shared [] int *second = upc_alloc(4096);
	published[MYTHREAD] = second;
	upc_barrier;
	theirs = published[next];
	for (int i = 0; i < 3; i++)
		sum += theirs[200 + i];
	upc_barrier;
	printf("%s\n", upc_addrfield(second) == before ? "again" : "elsewhere");
}

int main(void)
{
	int next = (MYTHREAD + 1) % THREADS;

	upc_barrier;
	use_static(next);
	use_others(next);
	use_again(next);
	static void *volatile held;
	held = malloc(1000);
	return sum == 12345 || !held;
}
