/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenMP's constructs on shared data and pointers-to-shared: each UPC thread has a separate team. */
#include "check.h"

#include <omp.h>

#define N 600
shared [N] double x[N * THREADS], y[N * THREADS];
shared [N] int counts[N * THREADS];
shared int total[THREADS];
static int per_worker;
static shared [N] double *of_worker;
#pragma omp threadprivate(per_worker, of_worker)

static void loops(shared [N] double *from, shared [N] double *to)
{
	double sum = 0, largest = 0;
#pragma omp parallel for schedule(dynamic, 7) firstprivate(from) shared(to)
	for (int i = 0; i < N; i++)
		to[i] = 2 * from[i];
#pragma omp parallel for reduction(+ : sum) reduction(max : largest)
	for (int i = 0; i < N; i++) {
		sum += to[i];
		largest = to[i] > largest ? to[i] : largest;
	}
	CHECK(sum == (double)N * (N - 1) + 2.0 * N * MYTHREAD && largest == 2 * (N - 1 + MYTHREAD));
#pragma omp parallel for simd reduction(+ : sum)
	for (int i = 0; i < N; i++)
		sum += from[i];
	CHECK(sum == 1.5 * ((double)N * (N - 1) + 2.0 * N * MYTHREAD));
#pragma omp parallel for collapse(2) lastprivate(from)
	for (int i = 0; i < N / 10; i++)
		for (int j = 0; j < 10; j++)
			counts[N * MYTHREAD + 10 * i + j] = i;
	CHECK(counts[N * MYTHREAD + N - 1] == N / 10 - 1);
#pragma omp simd
	for (int i = 0; i < N; i++)
		to[i] += 1;
	CHECK(to[N - 1] == 2 * (N - 1 + MYTHREAD) + 1);
}

static int fibonacci(int n)
{
	int a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fibonacci(n - 1);
#pragma omp task shared(b)
	b = fibonacci(n - 2);
#pragma omp taskwait
#pragma omp atomic
	total[MYTHREAD]++;
	return a + b;
}

int main(void)
{
	omp_set_num_threads(3);
	int next = (MYTHREAD + 1) % THREADS, workers = 0;
	for (int i = 0; i < N; i++)
		x[N * MYTHREAD + i] = i + MYTHREAD;
	loops(&x[N * MYTHREAD], &y[N * MYTHREAD]);
	/* Other threads' memory, too: atomics are atomic among the workers of all UPC threads. */
	upc_barrier;
	for (int t = 0; t < THREADS; t++)
		total[MYTHREAD] = 0;
	upc_barrier;
#pragma omp parallel
	{
		for (int i = 0; i < 100; i++) {
#pragma omp atomic
			total[next]++;
#pragma omp atomic update
			x[N * next] += 1;
		}
		int seen;
#pragma omp atomic capture
		seen = total[next]++;
#pragma omp atomic read
		seen = total[next];
		CHECK(seen > 0 && seen <= 303);
#pragma omp critical
		workers++;
#pragma omp barrier
#pragma omp master
		CHECK(workers == omp_get_num_threads());
	}
	upc_barrier;
	CHECK(total[MYTHREAD] == 101 * workers && x[N * MYTHREAD] == MYTHREAD + 100 * workers);
	/* Data that is private to workers. */
#pragma omp parallel
	{
		per_worker = omp_get_thread_num();
		of_worker = &y[N * next + per_worker];
	}
#pragma omp parallel
	CHECK(per_worker == omp_get_thread_num() && upc_phaseof(of_worker) == per_worker && upc_threadof(of_worker) == next);
#pragma omp parallel
	CHECK(&y[N] > &y[N - 1] && &y[N + 2] - &y[N - 1] == 3 && of_worker >= &y[N * next]);
	/* Tasks, sections, single, ordered. */
	upc_barrier;
	total[MYTHREAD] = 0;
	int result = 0;
#pragma omp parallel
#pragma omp single
	result = fibonacci(9);
	CHECK(result == 34 && total[MYTHREAD] == 54);
	shared int *mine = &total[MYTHREAD];
	int order = 0;
#pragma omp parallel sections firstprivate(mine)
	{
#pragma omp section
		{
#pragma omp atomic
			*mine += 1000;
		}
#pragma omp section
		{
#pragma omp atomic
			mine[0] += 2000;
		}
	}
	CHECK(*mine == 3054);
#pragma omp parallel for ordered schedule(static, 1)
	for (int i = 0; i < 20; i++)
#pragma omp ordered
		order = order == i ? order + 1 : -100;
	CHECK(order == 20);
	/* A upc_forall distributes iterations, and OpenMP shares the body's work; then the other way round. */
	int bodies = 0;
	upc_forall (int t = 0; t < 4 * THREADS; t++; t)
#pragma omp parallel for reduction(+ : bodies)
		for (int i = 0; i < 10; i++)
			bodies++;
	CHECK(bodies == 40);
	bodies = 0;
#pragma omp parallel num_threads(2) reduction(+ : bodies)
	upc_forall (int t = 0; t < 4 * THREADS; t++; t)
		bodies++;
	CHECK(bodies == 8);
	double device = 0;
#pragma omp parallel for default(none) shared(x, device, next)
	for (int i = 1; i < N; i++) {
		int of_next = (MYTHREAD + 1) % THREADS;
#pragma omp critical(name)
		device += x[N * next + i] - of_next;
	}
	CHECK(device == (double)N * (N - 1) / 2);
	upc_barrier;
	return failures != 0;
}
