/* SPDX-License-Identifier: BSD-3-Clause */
/* For packaging/cross-cases: functions with and without frames, recursion, a large frame, a C library callback. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))
#define STAY __asm__ volatile("" ::: "memory")

static volatile double sink;

static NOINLINE double leaf(long n)
{
	double x = 1;
	for (long i = 0; i < n; i++)
		x = x * 1.0000001 + 1e-9;
	return x;
}

static NOINLINE double alpha(long n)
{
	double x = leaf(n);
	STAY;
	return x + 1;
}

static NOINLINE double rec(int depth, long n)
{
	double x = depth ? rec(depth - 1, n) : leaf(n);
	STAY;
	return x + depth;
}

static NOINLINE double large(long n)
{
	volatile char bytes[70000];
	memset((char *)bytes, 1, sizeof(bytes));
	double x = leaf(n);
	STAY;
	return x + bytes[n % 70000];
}

static NOINLINE int compare(const void *a, const void *b)
{
	sink = leaf(2000);
	return *(const int *)a - *(const int *)b;
}

static NOINLINE void sorter(void)
{
	int numbers[100];
	for (int i = 0; i < 100; i++)
		numbers[i] = i * 7919 % 100;
	qsort(numbers, 100, sizeof(*numbers), compare);
	STAY;
}

int main(void)
{
	for (clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC;) {
		sink = alpha(400000) + rec(3, 200000) + large(200000);
		sorter();
	}
	return 0;
}
