/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a known number of accesses to each of several static and dynamic variables. */
#include <shmem.h>

#define CALLS 100

static long halo[64];
double field[100];
struct grid {
	long *cells;
};

static long *allocate_cells(size_t size)
{
	return shmem_malloc(size);
}

int main(void)
{
	long sum = 0;
	struct grid grid;
	shmem_init();
	int next = (shmem_my_pe() + 1) % shmem_n_pes();
	long *rows = shmem_malloc(sizeof(long) * CALLS);
	grid.cells = allocate_cells(sizeof(long) * CALLS);
	for (int i = 0; i < CALLS; i++) {
		shmem_long_p(&halo[i % 64], i, next);
		shmem_double_p(&field[i], 1.5, shmem_my_pe());
		shmem_long_p(&rows[i], i, next);
		shmem_long_p(&rows[i], i, next);
		sum += shmem_long_g(&grid.cells[i], next);
	}
	shmem_free(rows);
	long *again = shmem_malloc(sizeof(long));
	shmem_long_atomic_inc(again, next);
	shmem_finalize();
	return sum != 0;
}
