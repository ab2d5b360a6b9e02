/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A upc_forall executes what a loop with a test in each iteration would execute, whether or not the compiler omits such
 * tests: the same iterations in the same order, with the same final value of the variable.
 */
#include <limits.h>

#include "check.h"

#define N (40 * THREADS)

struct pair {
	int x, y;
};
shared int cyclic[N];
shared [3] int threes[N];
shared [7] char sevens[N];
shared [*] long even[N];
shared [8] int grid[10 * THREADS][4];
shared [4] int rows[10 * THREADS][4];
shared [4] int wide[5 * THREADS][8];
shared [2] struct pair pairs[N];
shared int columns[10][THREADS];
shared [] int *nowhere;
static int global;
static volatile int changing = 25;

static long long seen[4000];
static int count;

static void see(long long i)
{
	if (count < 4000)
		seen[count++] = i;
}

static int owner(long long i)
{
	return (int)((i % THREADS + THREADS) % THREADS);
}

/* HEAD (init to step) is the loop's, without affinity; BODY what it does besides recording; MINE the test. */
#define COMPARE(variable, init, condition, step, affinity, mine, body) \
	do {                                                           \
		count = 0;                                             \
		upc_forall (init; condition; step; affinity) {         \
			see((long long)(variable));                    \
			body;                                          \
		}                                                      \
		long long last = (long long)(variable);                \
		int done = count, next = 0;                            \
		for (init; condition; step) {                          \
			if (!(mine))                                   \
				continue;                              \
			CHECK(next < done && seen[next] == (long long)(variable)); \
			next++;                                        \
			body;                                          \
		}                                                      \
		CHECK(next == done && last == (long long)(variable));  \
	} while (0)
#define BY_POINTER(variable, init, condition, step, pointer) \
	COMPARE(variable, init, condition, step, pointer, upc_threadof(pointer) == MYTHREAD, (void)0)
#define BY_NUMBER(variable, init, condition, step, number) \
	COMPARE(variable, init, condition, step, number, owner(number) == MYTHREAD, (void)0)

static void numbers(void)
{
	int i, n = 3 * THREADS + 2;
	unsigned u;
	long l, limit = n;
	unsigned long ul, end = 50, beyond = 1ul << 33;
	long long ll;
	BY_NUMBER(i, i = 0, i < n, i++, i);
	BY_NUMBER(i, i = 0, i <= n, ++i, i);
	BY_NUMBER(i, i = 5, n > i, i += 1, i);
	BY_NUMBER(i, i = 5, n >= i, i++, i);
	BY_NUMBER(i, i = -n, i < n, i++, i);
	BY_NUMBER(i, i = n, i < 2, i++, i);
	BY_NUMBER(i, i = 2, i < 3, i++, i);
	BY_NUMBER(i, i = 2, i < limit, i++, i);
	BY_NUMBER(i, i = 2, i <= limit, i++, i);
	BY_NUMBER(i, i = 3, i < end, i++, i);
	BY_NUMBER(i, i = -3, i < end, i++, i);
	BY_NUMBER(i, i = INT_MAX - 20, i < INT_MAX, i++, i);
	BY_NUMBER(i, i = INT_MIN, i < INT_MIN + 20, i++, i);
	BY_NUMBER(i, i = INT_MIN, i <= INT_MIN + 20, i++, i);
	BY_NUMBER(u, u = 3, u < 30, u++, u);
	BY_NUMBER(u, u = 3, u < end, u++, u);
	BY_NUMBER(u, u = UINT_MAX - 30, u < UINT_MAX, u++, u);
	BY_NUMBER(u, u = UINT_MAX - 30, u <= UINT_MAX - 1, u++, u);
	BY_NUMBER(l, l = -20, l < limit, l++, l);
	BY_NUMBER(l, l = 2, l < n, l++, l);
	BY_NUMBER(l, l = LONG_MAX - 20, l < LONG_MAX, l++, l);
	BY_NUMBER(l, l = LONG_MIN, l < LONG_MIN + 20, l++, l);
	BY_NUMBER(ll, ll = -5000000000, ll <= -5000000000 + 25, ll++, ll);
	COMPARE(ul, ul = ULONG_MAX - 20, ul < ULONG_MAX, ul++, ul, (int)(ul % THREADS) == MYTHREAD, (void)0);
	COMPARE(ul, ul = 0, ul < end, ul++, ul, (int)(ul % THREADS) == MYTHREAD, (void)0);
	/* With wraparound: the variable never reaches the bound. */
	int rounds = 0;
	COMPARE(u, (u = UINT_MAX - 10, rounds = 0), u < beyond, u++, u, (int)(u % THREADS) == MYTHREAD,
		if (++rounds == 30) break);
	/* Other steps and conditions. */
	BY_NUMBER(i, i = 40, i > 2, i--, i);
	BY_NUMBER(i, i = 40, i >= 0, --i, i);
	BY_NUMBER(i, i = 0, i < n, i += 2, i);
	BY_NUMBER(i, i = 0, i != n, i++, i);
	BY_NUMBER(i, i = 0, i < n && i < 7, i++, i);
	BY_NUMBER(i, i = 0, i < n - i, i++, i);
	BY_NUMBER(i, i = 0, i * i < n, i++, i);
	BY_NUMBER(i, i = 0, i < changing, i++, i);
	BY_NUMBER(i, i = MYTHREAD, i < n, i += THREADS, i);
	BY_NUMBER(i, i = 0, i < n, i++, i + 1);
	BY_NUMBER(i, i = 0, i < n, i++, 2 * i);
	BY_NUMBER(i, i = 0, i < n, i++, -i);
	BY_NUMBER(i, i = 0, i < n, i++, i / 2);
	BY_NUMBER(i, i = 0, i < n, i++, MYTHREAD);
	BY_NUMBER(i, i = 0, i < n, i++, 7);
	BY_NUMBER(global, global = 0, global < n, global++, global);
	for (short s = 0; s < 3; s++) {
		short k;
		BY_NUMBER(k, k = s, k < 40, k++, k);
	}
}

static void pointers(shared int *p, shared [3] int *q, shared [] int *one)
{
	int i, k = 2, n = 20;
	unsigned u;
	long l, all = N;
	BY_POINTER(i, i = 0, i < N, i++, &cyclic[i]);
	BY_POINTER(i, i = 4, i <= n, i++, &cyclic[i]);
	BY_POINTER(i, i = 0, i < n, i++, &cyclic[i + 1]);
	BY_POINTER(i, i = 1, i < n, i++, &cyclic[i - 1]);
	BY_POINTER(i, i = 0, i < n, i++, &cyclic[i + k]);
	BY_POINTER(i, i = 0, i < n, i++, &cyclic[k + i]);
	BY_POINTER(i, i = 0, i < n, i++, &cyclic[n - i]);
	BY_POINTER(i, i = 0, i < n, i++, &cyclic[i + i]);
	BY_POINTER(i, i = 0, i < n, i++, &cyclic[2 * i]);
	BY_POINTER(i, i = 0, i < n, i++, &cyclic[3]);
	BY_POINTER(i, i = 0, i < n, i++, cyclic + i);
	BY_POINTER(i, i = 0, i < n, i++, &*(cyclic + i));
	BY_POINTER(i, i = -15, i < n - 2, i++, &p[i]);
	BY_POINTER(i, i = -15, i < n - 2, i++, p + i);
	BY_POINTER(i, i = -15, i < n - 2, i++, p - i);
	BY_POINTER(i, i = -15, i < n - 2, i++, &q[i]);
	BY_POINTER(i, i = 0, i < n, i++, &q[i + k]);
	BY_POINTER(i, i = 0, i < n, i++, (shared void *)&q[i]);
	BY_POINTER(i, i = 0, i < n, i++, &one[i]);
	BY_POINTER(i, i = 0, i < N, i++, &threes[i]);
	BY_POINTER(i, i = 5, i <= N - 1, i++, &threes[i]);
	BY_POINTER(i, i = 5, i < N - 1, i++, &threes[i + 1]);
	BY_POINTER(i, i = 4, i < 6, i++, &threes[i]);
	BY_POINTER(i, i = 1, i < N, i++, &sevens[i]);
	BY_POINTER(i, i = N - 1, i >= 0, i--, &sevens[i]);
	BY_POINTER(i, i = 0, i < N, i += 5, &sevens[i]);
	BY_POINTER(i, i = 0, i < N, i++, &even[i]);
	BY_POINTER(i, i = 11, i < N, i++, &even[i]);
	BY_POINTER(u, u = 3, u < (unsigned)N, u++, &sevens[u]);
	BY_POINTER(l, l = 3, l < all, l++, &sevens[l]);
	BY_POINTER(i, i = 0, i < all, i++, &sevens[i]);
	BY_POINTER(i, i = 0, i < 10 * THREADS, i++, &grid[i][0]);
	BY_POINTER(i, i = 1, i < 10 * THREADS, i++, &grid[i][1]);
	BY_POINTER(i, i = 0, i < 10 * THREADS, i++, &grid[i][k]);
	BY_POINTER(i, i = 0, i < 10 * THREADS, i++, grid[i]);
	BY_POINTER(i, i = 3, i < 10 * THREADS, i++, &rows[i][0]);
	BY_POINTER(i, i = 3, i < 10 * THREADS, i++, &rows[i][3]);
	BY_POINTER(i, i = 3, i < 10 * THREADS, i++, &rows[i]);
	BY_POINTER(i, i = 0, i < 5 * THREADS, i++, &wide[i][5]);
	BY_POINTER(i, i = 0, i < 8, i++, &wide[2][i]);
	BY_POINTER(i, i = 0, i < 4, i++, &rows[k][i]);
	BY_POINTER(i, i = 0, i < N, i++, &pairs[i]);
	BY_POINTER(i, i = 0, i < N, i++, &pairs[i].y);
	BY_POINTER(i, i = 0, i < 10, i++, &columns[i][0]);
	BY_POINTER(i, i = 0, i < THREADS, i++, &columns[3][i]);
}

static void change(int *i)
{
	++*i;
}

/* Changes that the body makes have an immediate effect. */
static void changes_elsewhere(void)
{
	int i, n, *address = &n;
	COMPARE(i, i = 0, i < 50, i++, i, owner(i) == MYTHREAD, change(&i));
	COMPARE(i, (i = 0, n = 50), i < n, i++, i, owner(i) == MYTHREAD, *address = 45 - i);
}

static void changes_itself(void)
{
	int i;
	COMPARE(i, i = 0, i < 50, i++, i, owner(i) == MYTHREAD, if (i % 3 == 0) i++);
	COMPARE(i, i = 0, i < 50, i++, &threes[i], upc_threadof(&threes[i]) == MYTHREAD, i += i % 3);
}

static void changes(void)
{
	int i, n, k;
	shared [3] int *p;
	COMPARE(i, (i = 0, n = 50), i < n, i++, i, owner(i) == MYTHREAD, n--);
	COMPARE(i, (i = 0, n = 10), i < n, i++, i, owner(i) == MYTHREAD, if (n < 90) n += 2);
	COMPARE(i, (i = 0, n = 20), i < n, i++, i, owner(i) == MYTHREAD, n = 0);
	COMPARE(i, (i = 0, global = 60), i < global, i++, &threes[i], upc_threadof(&threes[i]) == MYTHREAD, global--);
	COMPARE(i, (i = 0, p = threes), i < 30, i++, &p[i], upc_threadof(&p[i]) == MYTHREAD, p = threes + i % 5);
	COMPARE(i, (i = 0, k = 0), i < 30, i++, &threes[i + k], upc_threadof(&threes[i + k]) == MYTHREAD, k = i % 4);
	COMPARE(i, i = 0, i < 60, i++, i, owner(i) == MYTHREAD, if (i % 4 == 1) continue);
	COMPARE(i, i = 0, i < 60, i++, &sevens[i], upc_threadof(&sevens[i]) == MYTHREAD, if (i > 20) break);
	COMPARE(i, i = 0, i < 60, i++, &sevens[i], upc_threadof(&sevens[i]) == MYTHREAD,
		switch (i % 5) {
		case 0:
			continue;
		case 1:
			break;
		default:
			k = 0;
		});
}

static int leave(int at)
{
	upc_forall (int i = 0; i < N; i++; &sevens[i])
		if (i >= at)
			return i;
	return -1;
}

static long inner(int n)
{
	long sum = 0;
	upc_forall (int i = 0; i < n; i++; &threes[i])
		sum += i;
	return sum;
}

static void nested(void)
{
	int i, j, times = 0;
	upc_forall (i = 0; i < N; i++; &threes[i]) {
		CHECK(upc_threadof(&threes[i]) == MYTHREAD);
		upc_forall (j = 0; j < 9; j++; &sevens[j])
			times++;
		CHECK(j == 9);
		CHECK(inner(12) == 66);
	}
	int expected = 0;
	for (i = 0; i < N; i++)
		expected += upc_threadof(&threes[i]) == MYTHREAD ? 9 : 0;
	CHECK(times == expected);
	for (i = 0; i < 3; i++) {
		int at = leave(5 * i);
		CHECK(at < 0 || upc_threadof(&sevens[at]) == MYTHREAD);
	}
	long sum = 0;
	for (i = 0; i < N; i++)
		sum += upc_threadof(&threes[i]) == MYTHREAD ? i : 0;
	CHECK(inner(N) == sum);
	times = 0;
	upc_forall (i = 0; i < 10; i++; continue)
		upc_forall (j = 0; j < N; j++; &cyclic[j])
			times++;
	CHECK(times == 400);
}

int main(void)
{
	nowhere = upc_all_alloc(1, 100 * sizeof(int));
	numbers();
	pointers(&cyclic[17], &threes[16], nowhere);
	changes();
	changes_itself();
	changes_elsewhere();
	nested();
	return failures != 0;
}
