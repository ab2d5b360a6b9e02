/* SPDX-License-Identifier: BSD-3-Clause */
/* Each phase of a step uses another model: OpenMP computes, UPC exchanges, MPI reduces (mpi.c). */
#include <stdio.h>

#include <omp.h>
#include <upc.h>

int mpi_start(void), mpi_sum(int number);
void mpi_end(void);

shared int number[THREADS];

static int compute(void)
{
	int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 1000; i++)
		sum += i % 2;
	return sum;
}

static void exchange(int mine)
{
	number[(MYTHREAD + 1) % THREADS] = mine;
	upc_barrier;
}

int main(void)
{
	int sum = 0;
	mpi_start();
	for (int step = 0; step < 3; step++) {
		exchange(compute() + MYTHREAD);
		sum = mpi_sum(number[MYTHREAD]);
	}
	mpi_end();
	if (MYTHREAD == 0)
		printf("sum %d\n", sum);
	return 0;
}
