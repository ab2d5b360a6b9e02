/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenMP in UPC threads, on shared and private data. */
#include "check.h"

#include <omp.h>

#define N 1000
shared [N] double vectors[N * THREADS];
shared int counter[THREADS];
static int file_scope;

int main(void)
{
	omp_set_num_threads(3);
	shared [N] double *mine = &vectors[N * MYTHREAD];
	double sum = 0;
#pragma omp parallel for
	for (int i = 0; i < N; i++)
		mine[i] = MYTHREAD + i;
	upc_barrier;
	int next = (MYTHREAD + 1) % THREADS;
#pragma omp parallel for reduction(+ : sum) firstprivate(next)
	for (int i = 0; i < N; i++)
		sum += vectors[N * next + i];
	CHECK(sum == N * (double)next + N * (N - 1) / 2);
#pragma omp parallel shared(counter, file_scope)
	{
#pragma omp atomic
		counter[MYTHREAD] += 2;
#pragma omp critical
		{
			file_scope += MYTHREAD + 1;
			counter[MYTHREAD]++;
		}
#pragma omp single
#pragma omp task
		counter[MYTHREAD] += 0;
	}
	CHECK(file_scope == 3 * (MYTHREAD + 1));
	upc_barrier;
	return failures != 0;
}
