/* SPDX-License-Identifier: BSD-3-Clause */
/* upc_forall: with each form of affinity, every iteration is executed by one thread, the right one. */
#include "check.h"

shared [3] int blocked[20 * THREADS];
shared int owner[20 * THREADS];
shared int cyclic[20 * THREADS];
static int mine;

static void inner_loop(int iterations)
{
	int i;
	upc_forall (i = 0; i < iterations; i++; i)
		mine++;
}

static int leaves(int at)
{
	upc_forall (int i = 0; i < 100; i++; MYTHREAD)
		if (i == at)
			return i;
	return -1;
}

int main(void)
{
	int i, count = 0, n = 20 * THREADS;
	upc_forall (i = 0; i < n; i++; i) {
		CHECK(i % THREADS == MYTHREAD);
		count++;
	}
	CHECK(count == 20 && i == n);
	upc_forall (i = 0; i < n; i++; &blocked[i])
		CHECK(upc_threadof(&blocked[i]) == MYTHREAD);
	upc_forall (i = 0; i < n; i++; (shared void *)&blocked[i])
		CHECK(upc_threadof(&blocked[i]) == MYTHREAD);
	shared [3] int *p;
	count = 0;
	upc_forall (p = blocked; p < blocked + n; p++; p) {
		CHECK(upc_threadof(p) == MYTHREAD);
		count++;
	}
	int expected = 0;
	for (i = 0; i < n; i++)
		expected += i / 3 % THREADS == MYTHREAD;
	CHECK(count == expected);
	/* Integer types, negative and large values. */
	upc_forall (int k = -n; k < 0; k++; k)
		CHECK((k % THREADS + THREADS) % THREADS == MYTHREAD);
	upc_forall (unsigned k = 4000000000u; k < 4000000000u + 50; k++; k)
		CHECK(k % THREADS == MYTHREAD);
	upc_forall (unsigned long k = ~0ul - 30; k < ~0ul; k++; k)
		CHECK(k % THREADS == MYTHREAD);
	upc_forall (long long k = -5000000000; k < -5000000000 + 40; k++; k)
		CHECK((k % THREADS + THREADS) % THREADS == MYTHREAD);
	upc_forall (char c = 'a'; c < 'z'; c++; c)
		CHECK(c % THREADS == MYTHREAD);
	/* An affinity read from shared memory. */
	upc_forall (i = 0; i < n; i++; &owner[i])
		owner[i] = n - i;
	upc_barrier;
	upc_forall (i = 0; i < n; i++; owner[i])
		CHECK((n - i) % THREADS == MYTHREAD);
	/* No affinity: all threads execute all iterations. */
	count = 0;
	upc_forall (i = 0; i < 10; i++; continue)
		count++;
	upc_forall (i = 0; i < 10; i++;)
		count++;
	upc_forall (i = 0;; i++; continue) {
		if (i == 3)
			continue;
		if (i == 10)
			break;
		count++;
	}
	CHECK(count == 29);
	/* Nested: the outermost loop with an affinity distributes iterations, inner ones are executed completely. */
	mine = count = 0;
	upc_forall (i = 0; i < THREADS; i++; i) {
		upc_forall (int j = 0; j < 8; j++; j + 1)
			count++;
		inner_loop(8);
	}
	CHECK(count == 8 && mine == 8);
	count = 0;
	upc_forall (i = 0; i < 5; i++; continue)
		upc_forall (int j = 0; j < THREADS; j++; j)
			count++;
	CHECK(count == 5);
	/* However a loop is left, the next one distributes iterations again. */
	CHECK(leaves(50) == 50 && leaves(1000) == -1);
	upc_forall (i = 0; i < n; i++; i)
		if (i >= THREADS)
			break;
	mine = 0;
	inner_loop(n);
	CHECK(mine == 20);
	for (count = 0, i = 0; i < 3; i++)
		upc_forall (int j = 0; j < n; j++; &cyclic[j]) {
			if (j >= 4 * THREADS)
				goto out;
			count++;
		}
out:
	CHECK(count == 4);
	mine = 0;
	if (n > 0)
		upc_forall (i = 0; i < n; i++; i) if (i % 2) mine++; else mine += 1;
	else
		mine = -1;
	CHECK(mine == 20);
	return failures != 0;
}
