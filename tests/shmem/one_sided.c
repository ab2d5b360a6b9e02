/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * one_sided [open]: accesses of all kinds to the next PE, in two contexts, with waits and locks; open: ends without
 * completing the last one. What there is of each kind, one_sided.py knows.
 */
#include <heddle/heddle.h>
#include <sched.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long memory[8], values[8], flag, lock;

static void blocking(int next)
{
	shmem_long_put(memory, values, 4, next);
	shmem_long_p(memory, 1, next);
	shmem_long_get(values, memory, 2, next);
	values[2] = shmem_long_g(memory, next);
	shmem_quiet();
}

static void atomics(shmem_ctx_t context, int next)
{
	shmem_long_atomic_set(&memory[1], 1, next);
	shmem_long_atomic_inc(&memory[1], next);
	shmem_ctx_long_atomic_add(context, &memory[1], 2, next);
	values[3] = shmem_long_atomic_fetch(&memory[1], next);
	values[3] = shmem_long_atomic_swap(&memory[1], 5, next);
	values[3] = shmem_long_atomic_compare_swap(&memory[1], 5, 6, next);
	values[3] = shmem_long_atomic_fetch_add(&memory[1], 1, next);
	values[3] = shmem_ctx_long_atomic_fetch_inc(context, &memory[1], next);
}

/* Each context is completed for itself. */
static void nonblocking(shmem_ctx_t context, int next)
{
	shmem_long_put_nbi(&memory[2], values, 3, next);
	shmem_ctx_long_put_nbi(context, &memory[5], values, 1, next);
	shmem_ctx_long_get_nbi(context, values, &memory[5], 1, next);
	shmem_quiet();
	shmem_ctx_quiet(context);
	shmem_long_get_nbi(values, memory, 2, next);
	shmem_barrier_all();
}

static void locks(int next)
{
	shmem_set_lock(&lock);
	shmem_clear_lock(&lock);
	shmem_barrier_all();
	if (shmem_my_pe() == 0)
		while (shmem_test_lock(&lock))
			continue;
	shmem_barrier_all();
	if (shmem_my_pe() == 1) { /* Open MPI 5 may let it have the lock, too */
		printf("refused %d\n", shmem_test_lock(&lock));
		fflush(stdout);
	}
	shmem_barrier_all();
	if (shmem_my_pe() == 0)
		shmem_clear_lock(&lock);
	shmem_long_p(&flag, 1, next);
	shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
}

/* By files, since a further access could complete the last one. */
static void wait_for_all(void)
{
	char name[32];
	snprintf(name, sizeof name, "open.%d", shmem_my_pe());
	fclose(fopen(name, "w"));
	for (int pe = 0; pe < shmem_n_pes(); pe++) {
		snprintf(name, sizeof name, "open.%d", pe);
		while (access(name, F_OK) != 0)
			sched_yield();
	}
}

int main(int argc, char **argv)
{
	shmem_ctx_t context;
	(void)argv;
	shmem_init();
	int next = (shmem_my_pe() + 1) % shmem_n_pes();
	if (shmem_ctx_create(0, &context) != 0)
		return 1;
	blocking(next);
	atomics(context, next);
	nonblocking(context, next);
	locks(next);
	shmem_ctx_destroy(context);
	shmem_barrier_all();
	heddle_stop();
	shmem_long_put(memory, values, 4, next); /* not measured */
	heddle_start();
	shmem_long_put_nbi(memory, values, 1, next);
	if (argc > 1) {
		wait_for_all();
		abort();
	}
	shmem_finalize();
	return 0;
}
