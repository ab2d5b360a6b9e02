/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops over cyclic arrays find each element wherever it is: loops that access one thread in all iterations, and loops
 * that seem to, but change the thread. The value found is compared with the element's index.
 */
#include <stdint.h>
#include <upc_relaxed.h>

#include "check.h"

#define ROUNDS 24
#define N (ROUNDS * THREADS)
#define APART __attribute__((__noinline__))

struct part {
	int head;
	int values[3];
};
union any {
	int values[2];
	double real;
};
shared int a[N];
shared struct part parts[N];
shared union any unions[N];
shared int rows[ROUNDS][THREADS];
shared int wide[THREADS][ROUNDS];
shared int pairs[N][2];
shared int *outside;
strict shared int ordered[N];
shared int own[N];

/* Returns the sum of COUNT indices FIRST, FIRST + STEP, ... */
static long series(long first, long step, long count)
{
	return count * first + step * (count * (count - 1) / 2);
}

/* ---- loops that access one thread ---- */

static APART long multiplied(int t, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += a[i * THREADS + t];
	return sum;
}

static APART long multiplied_long(long t, long n)
{
	long sum = 0;
	for (long i = n - 1; i >= 0; i--)
		sum += a[t + THREADS * i];
	return sum;
}

static APART long multiplied_size(size_t t, size_t n)
{
	long sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += a[i * THREADS + t];
	return sum;
}

static APART long stepped(int first, int end)
{
	long sum = 0;
	for (int i = first; i < end; i += THREADS)
		sum += a[i];
	return sum;
}

static APART long stepped_down(int first)
{
	long sum = 0;
	for (int i = first; i >= 0; i -= THREADS)
		sum += a[i];
	return sum;
}

static APART long stepped_far(int first, int end)
{
	long sum = 0;
	for (long i = first; i < end; i += 3L * THREADS)
		sum += a[i] - a[i + THREADS] + a[i + 2 * THREADS];
	return sum;
}

static APART long pointer_up(shared int *p, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++) {
		sum += *p;
		p += THREADS;
	}
	return sum;
}

static APART long pointer_down(shared int *p, int n)
{
	long sum = 0;
	do {
		sum += *p;
		p -= THREADS;
	} while (--n > 0);
	return sum;
}

static APART long in_rows(int t, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += rows[i][t];
	return sum;
}

static APART long in_members(int t, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++) {
		int k = i * THREADS + t;
		sum += parts[k].head + parts[k].values[i % 3];
	}
	return sum;
}

static APART long in_pairs(int t, int second, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += pairs[i * THREADS + t][second];
	return sum;
}

static APART long in_unions(int t, int second, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += unions[i * THREADS + t].values[second];
	return sum;
}

static APART long in_one_element(int k)
{
	long sum = 0;
	for (int i = 0; i < 3; i++)
		sum += parts[k].values[i];
	for (int i = 0; i < 2; i++)
		sum += unions[k].values[i];
	return sum;
}

static APART long outside_kept(int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += outside[i * THREADS];
	return sum;
}

static APART void added(int t, int n, int term)
{
	for (int i = t; i < n; i += THREADS)
		own[i] += term;
}

static APART long strictly(int t, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += ordered[i * THREADS + t];
	return sum;
}

static APART int found(int t, int value)
{
	for (int i = 0;; i++)
		if (a[i * THREADS + t] == value)
			return i;
}

static APART int never(int n)
{
	shared int *p;
	int k, sum = 5;
	if (n > 0) {
		p = a;
		k = 0;
	}
	for (int i = 0; i < n; i++)
		sum += p[k + i * THREADS];
	return sum;
}

static void one_thread(int t)
{
	long all = series(t, THREADS, ROUNDS);
	CHECK(multiplied(t, ROUNDS) == all && multiplied(t, 0) == 0 && multiplied(t, -1) == 0);
	CHECK(multiplied_long(t, ROUNDS) == all && multiplied_size((size_t)t, ROUNDS) == all);
	CHECK(stepped(t, N) == all && stepped_down(N - THREADS + t) == all && stepped(N + t, N) == 0);
	CHECK(stepped_far(t, N) == series(t + THREADS, 3 * THREADS, ROUNDS / 3));
	CHECK(pointer_up(&a[t], ROUNDS) == all && pointer_down(&a[N - THREADS + t], ROUNDS) == all);
	CHECK(in_rows(t, ROUNDS) == all && strictly(t, ROUNDS) == all);
	CHECK(in_members(t, ROUNDS) == 2 * all + ROUNDS / 3 * (0 + 1 + 2));
	CHECK(in_pairs(t, 0, ROUNDS) == 2 * all && in_pairs(t, 1, ROUNDS) == 2 * all + ROUNDS);
	CHECK(in_unions(t, 0, ROUNDS) == all && in_unions(t, 1, ROUNDS) == all + ROUNDS);
	CHECK(in_one_element(t) == 5 * t + 4);
	CHECK(found(t, 7 * THREADS + t) == 7);
	outside = &a[t];
	CHECK(outside_kept(ROUNDS) == all);
}

/* ---- loops that change the thread ---- */

static APART long one_more(int first, int at)
{
	long sum = 0;
	for (int i = first, n = 0; n < ROUNDS / 2; n++, i += THREADS) {
		if (n == at)
			i++;
		sum += a[i] - i;
	}
	return sum;
}

static APART long other_pointer(shared int *p, shared int *q, int at)
{
	long sum = 0;
	for (int n = 0; n < ROUNDS; n++) {
		if (n == at)
			p = q + n * THREADS;
		sum += *p;
		p += THREADS;
	}
	return sum;
}

static APART long step_of_pointer(shared int *p, int step)
{
	long sum = 0;
	for (int n = 0; n < ROUNDS; n++, p += step)
		sum += *p;
	return sum;
}

static APART long through_address(int t)
{
	int i = 0, *address = &i;
	long sum = 0;
	for (int n = 0; n < ROUNDS; n++) {
		sum += a[i * THREADS + t] + a[i] - i;
		++*address;
	}
	return sum;
}

/* An unsigned index that wraps around reaches another thread, unless their number divides the number of values. */
static APART long wrapped(unsigned i, int n)
{
	long sum = 0;
	for (; n > 0; n--, i += (unsigned)THREADS)
		if (i < (unsigned)N)
			sum += (long)a[i] - (long)i;
	return sum;
}

static APART long wrapped_sum(unsigned t, unsigned offset)
{
	long sum = 0;
	for (unsigned i = 0; i < ROUNDS; i++)
		if (i * (unsigned)THREADS + t + offset < (unsigned)N)
			sum += (long)a[i * (unsigned)THREADS + t + offset] - (long)(i * (unsigned)THREADS + t + offset);
	return sum;
}

/* So does a product with a large factor. */
static APART long wrapped_product(size_t first)
{
	long sum = 0;
	for (size_t i = first; i < first + 4; i++)
		sum += a[i * (size_t)THREADS] - (long)(i * (size_t)THREADS);
	return sum;
}

/* Before the loop, the index does not fit in an int. */
static APART long late(int first, int step, int offset)
{
	long sum = 0;
	for (int i = first; i < offset + N; i += THREADS * step)
		if (i >= offset)
			sum += 1 + a[i - offset] - (i - offset);
	return sum;
}

/* The index keeps its value from an earlier run of the inner loop. */
static APART long left_over(int n)
{
	long sum = 0;
	int k;
	for (int t = 0; t < n; t++)
		for (int i = 0; i < 4; i++) {
			if (t % 3 == 0)
				k = i * THREADS + t;
			sum += a[k] - (t % 3 == 0 ? i * THREADS + t : 3 * THREADS + t / 3 * 3);
		}
	return sum;
}

static APART long crossed(int first, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += wide[first][i] + rows[0][i % THREADS];
	return sum;
}

static APART long in_order(int n)
{
	long sum = 0;
	shared int *p = a, *q = a + n;
	for (int i = 0; i < n; i++)
		sum += a[i] + *p++ + *--q;
	return sum;
}

static APART long with_barriers(int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++) {
		own[i * THREADS + MYTHREAD] = i + MYTHREAD;
		upc_barrier;
		sum += own[i * THREADS + (MYTHREAD + 1) % THREADS];
		upc_barrier;
	}
	return sum;
}

static void many_threads(int t)
{
	int u = (t + 1) % THREADS;
	CHECK(one_more(t, 3) == 0 && one_more(t, 0) == 0 && one_more(t, -1) == 0);
	CHECK(other_pointer(&a[t], &a[u], 7) ==
		series(t, THREADS, 7) + series(u + 7 * THREADS, THREADS, ROUNDS - 7));
	CHECK(step_of_pointer(&a[t], THREADS - 1) == series(t, THREADS - 1, ROUNDS));
	CHECK(step_of_pointer(&a[t], 0) == ROUNDS * t);
	CHECK(through_address(t) == series(t, THREADS, ROUNDS));
	CHECK(wrapped(0u - 2u * (unsigned)THREADS + (unsigned)t, 9) == 0);
	CHECK(wrapped_sum((unsigned)t, 0u - 5u * (unsigned)THREADS - 1) == 0);
	CHECK(wrapped_product(SIZE_MAX / (size_t)THREADS + 1) == 0);
	int step = 1000003, offset = 200000000;
	long way = 2200000000 / (THREADS * step) * (THREADS * step);
	CHECK(late((int)(offset + t - way), step, offset) == 1);
	CHECK(in_order(N - t) == 3 * series(0, 1, N - t));
}

/* ---- upc_forall ---- */

static APART long forall_pointer(int n, int offset)
{
	long sum = 0;
	upc_forall (int i = 0; i < n; i++; &a[i])
		sum += a[i] + (i + offset >= 0 && i + offset < N ? a[i + offset] - offset : i);
	return sum;
}

static APART long forall_number(int n)
{
	long sum = 0;
	upc_forall (int i = 0; i <= n; i++; i) {
		int k = N - 1 - i;
		sum += a[i] + a[k] - k;
	}
	return sum;
}

static APART long forall_unsigned(unsigned n)
{
	long sum = 0;
	upc_forall (unsigned i = 0; i < n; i++; i)
		sum += a[i];
	upc_forall (size_t i = 0; i < n; i++; &a[i])
		sum += a[i];
	return sum;
}

static APART long forall_moved(shared int *p, int n)
{
	long sum = 0;
	upc_forall (int i = -3; i < n; i++; &p[i])
		sum += p[i];
	return sum;
}

static APART long forall_twice(int n)
{
	long sum = 0;
	upc_forall (int r = 0; r < ROUNDS; r++; r)
		upc_forall (int i = 0; i < n; i++; &rows[r][i])
			sum += rows[r][i];
	return sum;
}

static APART long forall_left(int n, int last)
{
	long sum = 0;
	int i;
	upc_forall (i = 0; i < n; i++; &a[i]) {
		if (a[i] % 2)
			continue;
		if (i > last)
			return sum;
		sum += a[i] + 1 + (i + 1 < N ? a[i + 1] - a[i] - 1 : 0);
	}
	return sum;
}

static APART long forall_before(int n)
{
	long sum = 0;
	upc_forall (int i = 1; i < n; i++; &a[i]) {
		shared int *p = &a[i];
		p--;
		sum += *p + 1;
	}
	return sum;
}

static APART long forall_never(int n)
{
	shared int *p;
	long sum = 5;
	if (n > 0)
		p = a;
	upc_forall (int i = 0; i < n; i++; &p[i])
		sum += p[i];
	return sum;
}

static void foralls(void)
{
	long mine = series(MYTHREAD, THREADS, ROUNDS);
	for (int offset = -2; offset <= THREADS; offset++)
		CHECK(forall_pointer(N, offset) == 2 * mine);
	CHECK(forall_number(N - 1) == mine && forall_number(-1) == 0);
	CHECK(forall_unsigned((unsigned)N) == 2 * mine);
	for (int t = 0; t < THREADS; t++) {
		long sum = 0;
		for (int i = 3; i < N - THREADS; i++)
			sum += i % THREADS == MYTHREAD ? i : 0;
		int first = 3 + t;
		for (int i = 3; i < first; i++)
			sum -= i % THREADS == MYTHREAD ? i : 0;
		CHECK(forall_moved(&a[3 + first], N - THREADS - 3 - first) == sum);
	}
	long all = 0, left = 0;
	for (int r = MYTHREAD; r < ROUNDS; r += THREADS)
		all += series(r * THREADS, 1, THREADS);
	CHECK(forall_twice(THREADS) == all);
	for (int i = MYTHREAD; i < N && i <= N / 2; i += THREADS)
		left += i % 2 ? 0 : i + 1;
	CHECK(forall_left(N, N / 2) == left);
	CHECK(forall_before(N) == mine);
	CHECK(forall_never(0) == 5);
}

static void fill(void)
{
	for (int i = MYTHREAD; i < N; i += THREADS) {
		a[i] = ordered[i] = i;
		parts[i].head = i;
		for (int k = 0; k < 3; k++)
			parts[i].values[k] = i + k;
		for (int k = 0; k < 2; k++)
			unions[i].values[k] = i + k;
	}
	for (int i = 0; i < N; i++)
		for (int k = 0; k < 2; k++)
			if ((2 * i + k) % THREADS == MYTHREAD)
				pairs[i][k] = 2 * i + k;
	for (int r = 0; r < ROUNDS; r++)
		rows[r][MYTHREAD] = r * THREADS + MYTHREAD;
	for (int t = 0; t < THREADS; t++)
		for (int i = 0; i < ROUNDS; i++)
			if ((t * ROUNDS + i) % THREADS == MYTHREAD)
				wide[t][i] = t * ROUNDS + i;
	upc_barrier;
}

int main(void)
{
	fill();
	for (int t = 0; t < THREADS; t++) {
		one_thread(t);
		many_threads(t);
		long others = 0;
		for (int i = 0; i < ROUNDS; i++)
			others += i % THREADS;
		CHECK(crossed(t, ROUNDS) == series(t * ROUNDS, 1, ROUNDS) + others);
	}
	CHECK(left_over(THREADS) == 0);
	CHECK(never(0) == 5);
	foralls();
	CHECK(with_barriers(ROUNDS) == series((MYTHREAD + 1) % THREADS, 1, ROUNDS));
	int next = (MYTHREAD + 1) % THREADS;
	for (int turn = 0; turn < 2; turn++) {
		added((next + turn) % THREADS, N, 100);
		upc_barrier;
	}
	CHECK(own[MYTHREAD] == MYTHREAD + 200 && own[N - THREADS + next] == ROUNDS - 1 + next + 200);
	return failures != 0;
}
