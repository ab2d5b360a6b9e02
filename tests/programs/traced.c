/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks that create tasks and wait, locks, critical sections and loops, in five parallel regions: for exported traces.
 */
#include <omp.h>

static volatile double sum;

static void work(int amount)
{
	for (int i = 0; i < amount * 500; i++)
		sum += i;
}

static void create_tasks(void)
{
	for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
		{
			work(i);
#pragma omp task
			work(5);
#pragma omp taskwait
		}
	}
}

static void use_locks(omp_lock_t *lock)
{
#pragma omp critical
	work(3);
	omp_set_lock(lock);
	work(2);
	omp_unset_lock(lock);
}

int main(void)
{
	omp_lock_t lock;
	omp_init_lock(&lock);
	for (int round = 0; round < 5; round++) {
#pragma omp parallel num_threads(3)
		{
#pragma omp single
			create_tasks();
			use_locks(&lock);
#pragma omp for
			for (int i = 0; i < 10; i++)
				work(i);
		}
	}
	omp_destroy_lock(&lock);
	return 0;
}
