/* SPDX-License-Identifier: BSD-3-Clause */
/* late FILE: one of two PEs is late for each kind of meeting, always the same, or has a lock. FILE, new, is of late.h.
 */
#define _GNU_SOURCE
#include "tests/support/late.h"
#include <dlfcn.h>
#include <shmem.h>

static long psync[2][SHMEM_SYNC_SIZE], lock, number;
static double work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], from[4], to[4];

/* Calls Open MPI's function, as OpenSHMEM has none that only makes progress. */
static void progress(void)
{
	static void (*of_library)(void);
	if (!of_library)
		*(void **)&of_library = dlsym(RTLD_DEFAULT, "opal_progress");
	if (of_library)
		of_library();
}

static void late(int pe)
{
	step++;
	if (shmem_my_pe() == pe)
		be_late(1, 60000, progress);
	else
		come(shmem_my_pe());
}

/* PE 0 has the lock when PE 1 comes. */
static void hold_lock(void)
{
	if (shmem_my_pe() == 0)
		shmem_set_lock(&lock);
	shmem_barrier_all();
	late(0);
	if (shmem_my_pe() == 1)
		shmem_set_lock(&lock);
	number++;
	shmem_clear_lock(&lock);
}

int main(int argc, char **argv)
{
	if (argc < 2 || !map_steps(argv[1]))
		return 1;
	for (int i = 0; i < SHMEM_SYNC_SIZE; i++)
		psync[0][i] = psync[1][i] = SHMEM_SYNC_VALUE;
	shmem_init();
	int all = shmem_n_pes();
	shmem_barrier_all();
	for (int round = 0; round < 3; round++) {
		late(1);
		shmem_barrier_all();
		late(0);
		shmem_barrier(0, 0, all, psync[0]);
		late(1);
		shmem_broadcast64(to, from, 4, 1, 0, 0, all, psync[1]);
		late(0);
		shmem_sync_all();
		late(1);
		shmem_double_sum_to_all(to, from, 1, 0, 0, all, work, psync[0]);
		hold_lock();
	}
	shmem_finalize();
	return 0;
}
