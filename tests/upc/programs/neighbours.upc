/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short loops with constant bounds, which compilers unroll and vectorize: objects of different threads are far apart in
 * memory, at distances whose lower half looks like that of adjacent ones.
 */
#include "check.h"
shared int rows[15 * THREADS][4];
shared [2] int pairs[8 * THREADS];
shared long cyclic[128 * THREADS];
shared struct {
	int x, y;
} structures[8 * THREADS];

__attribute__((noinline)) static void write_rows(void)
{
	for (int i = 0; i < 15; i++)
		rows[i][2] = i + 1;
}
__attribute__((noinline)) static void write_pairs(void)
{
	for (int i = 0; i < 8; i++)
		pairs[i] = i + 1;
}
__attribute__((noinline)) static void write_structures(void)
{
	for (int i = 0; i < 8; i++) {
		structures[i].x = i;
		structures[i].y = -i;
	}
}
__attribute__((noinline)) static long read_cyclic(int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += cyclic[4 * i * THREADS] * 3 + cyclic[4 * i * THREADS + THREADS + 1];
	return sum;
}
__attribute__((noinline)) static void write_cyclic(int n)
{
	for (int i = 0; i < n; i++) {
		cyclic[4 * i * THREADS] = i;
		cyclic[4 * i * THREADS + THREADS + 1] = 100 + i;
	}
}

int main(void)
{
	if (MYTHREAD == 0) {
		write_rows();
		write_pairs();
		write_structures();
	}
	upc_barrier;
	for (volatile int i = 0; i < 15; i++)
		CHECK(rows[i][2] == i + 1 && rows[i][1] == 0 && rows[i][3] == 0);
	for (volatile int i = 0; i < 8; i++)
		CHECK(pairs[i] == i + 1 && structures[i].x == i && structures[i].y == -i);
	upc_barrier;
	if (MYTHREAD == THREADS - 1)
		write_cyclic(30);
	upc_barrier;
	for (volatile int i = 0; i < 30; i++)
		CHECK(cyclic[4 * i * THREADS] == i && cyclic[4 * i * THREADS + THREADS + 1] == 100 + i);
	CHECK(read_cyclic(30) == 4 * 435 + 3000);
	return failures;
}
