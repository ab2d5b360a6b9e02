/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops with known accesses to other threads' elements. Each thread has one iteration. */
#include <stdio.h>
#include <upc_relaxed.h>

#define PART 8192

static shared int few[PART * THREADS], many[PART * THREADS], outside[THREADS];
static shared [] int *block;

static int sum;

/* 3 x 1,000 gets of 1,000 elements, then 100 puts of the same elements. */
static void get_few(void)
{
	upc_forall (int t = 0; t < THREADS; t++; t) {
		int other = (t + 1) % THREADS;

		for (int i = 0; i < 3000; i++)
			sum += few[i % 1000 * THREADS + other];
		for (int i = 0; i < 100; i++)
			few[i * THREADS + other] = i;
	}
}

/* Every third element, 2,000 on each other thread: with 3 threads, more than a sample of elements holds. */
static void get_many(void)
{
	upc_forall (int t = 0; t < THREADS; t++; t) {
		for (int i = 0; i < 2000; i++) {
			for (int other = 0; other < THREADS; other++)
				sum += other != t ? many[3 * i * THREADS + other] : 0;
		}
	}
}

/* A loop in a loop: the accesses belong to the inner one. Other loops have no sketch. */
static void get_nested(void)
{
	upc_forall (int t = 0; t < THREADS; t++; t) {
		for (int i = 0; i < 5; i++) {
			upc_forall (int j = 0; j < 1; j++; continue)
				sum += block[i];
		}
		sum += few[t];
	}
	sum += outside[(MYTHREAD + 1) % THREADS];
}

int main(void)
{
	block = upc_all_alloc(1, 64 * sizeof(int));
	upc_barrier;
	get_few();
	upc_barrier;
	get_few();
	get_many();
	get_nested();
	upc_barrier;
	return sum == -1;
}
