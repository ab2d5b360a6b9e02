/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UPC threads around OpenMP threads around UPC accesses: the OpenMP threads of each UPC thread get rows of other UPC
 * threads and compute with them, tasks sum up the results, and a lock shared by all protects the total. One tree shows
 * it all:
 *
 *     main > upc_forall > phase exchange > exchange > omp parallel > omp for > mix_rows > upc memget
 *
 *     hybrid [ROUNDS]
 */
#include <math.h>
#include <pupc.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define ROWS 64 /* per thread */
#define COLUMNS 4096
#define ROW_SUM (COLUMNS * (COLUMNS - 1.0) / 2)

static shared [ROWS * COLUMNS] double table[ROWS * COLUMNS * THREADS];
static shared double total;
static upc_lock_t *guard;
static double sums[ROWS];

static double sum_row(int row)
{
	shared [ROWS * COLUMNS] double *from = &table[(size_t)(MYTHREAD * ROWS + row) * COLUMNS];
	const double *own = (const double *)from;
	double sum = 0;
	for (int i = 0; i < COLUMNS; i++)
		sum += own[i];
	return sum;
}

/* A row of the next thread: copied and processed by one of the OpenMP threads. */
static double mix_rows(int row)
{
	double other[COLUMNS], sum = 0;
	int from = (MYTHREAD + 1) % THREADS * ROWS + row;
	upc_memget(other, &table[(size_t)from * COLUMNS], sizeof other);
	for (int i = 0; i < COLUMNS; i++)
		sum += sqrt(other[i] * other[i]);
	return sum;
}

static double exchange(void)
{
	double sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
	for (int row = 0; row < ROWS; row++)
		sum += mix_rows(row);
	return sum;
}

static void sum_by_tasks(void)
{
#pragma omp parallel
#pragma omp single
	for (int row = 0; row < ROWS; row++) {
#pragma omp task
		sums[row] = sum_row(row);
	}
}

static void add_to_total(double sum)
{
	upc_lock(guard);
	total += sum;
	upc_unlock(guard);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 200;
	unsigned int phase = pupc_create_event("exchange", NULL);
	double *own = (double *)&table[(size_t)MYTHREAD * ROWS * COLUMNS];

	guard = upc_all_lock_alloc();
	for (int i = 0; i < ROWS * COLUMNS; i++)
		own[i] = i % COLUMNS;
	upc_barrier;
	for (int round = 0; round < rounds; round++) {
		double sum = 0;
		upc_forall (int thread = 0; thread < THREADS; thread++; thread) {
			pupc_event_start(phase);
			sum += exchange();
			pupc_event_end(phase);
		}
		sum_by_tasks();
		for (int row = 0; row < ROWS; row++)
			sum += sums[row];
		add_to_total(sum);
		upc_barrier;
	}
	double expected = 2.0 * rounds * ROWS * THREADS * ROW_SUM;
	int right = fabs(total - expected) <= 1e-9 * expected;
	if (MYTHREAD == 0)
		printf("hybrid: %d UPC threads, %d rounds: %s\n", THREADS, rounds, right ? "verified" : "WRONG");
	return !right;
}
