/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For packaging/cross-cases, with OpenMP: two functions call the same region in turn, from frames that differ only in
 * the return address; the second function takes four times as long as the first one.
 */
#include <stdio.h>

#define NOINLINE __attribute__((noinline))
#define STAY __asm__ volatile("" ::: "memory")

static double total;
static volatile long length;

static NOINLINE double kernel(long n)
{
	double x = 1;
	for (long i = 0; i < n; i++)
		x = x * 1.0000001 + 1e-9;
	STAY;
	return x;
}

static NOINLINE long common(long n, long m)
{
#pragma omp parallel
	{
		double result = kernel(length);
#pragma omp atomic
		total += result;
	}
	STAY;
	return n + m;
}

static NOINLINE long first(long n, long m)
{
	length = 100000;
	long result = common(n, m);
	STAY;
	return result + n + m;
}

static NOINLINE long second(long n, long m)
{
	length = 400000;
	long result = common(n, m);
	STAY;
	return result + n - m;
}

int main(void)
{
	long sum = 0;
	for (int i = 0; i < 300; i++)
		sum += first(5, 1) + second(5, 1);
	printf("%g %ld\n", total, sum);
	return 0;
}
