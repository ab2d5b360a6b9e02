/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers to arrays of variable length, with THREADS among the bounds: sizes, indices, differences. */
#include "check.h"

enum { FIVE = 5 };
typedef shared int cyclic_row[THREADS][3];
typedef shared [2] int blocked_row[4 * THREADS];
typedef shared int *cyclic;
typedef shared [2] int *blocked;

/* Returns how many of COUNT elements one thread has, in blocks of two. */
static size_t in_twos(size_t count)
{
	return ((count + 1) / 2 + THREADS - 1) / THREADS * 2;
}

static void three_bounds(int n, int m)
{
	typedef shared int (*rows)[n][THREADS][m];
	rows p = upc_all_alloc(4 * n * m * THREADS, sizeof(int));
	cyclic start = (cyclic)p;
	size_t row = (size_t)n * m * THREADS;

	CHECK(sizeof *p == row * sizeof(int) && sizeof **p == (size_t)m * THREADS * sizeof(int));
	CHECK(sizeof p[0][0][0] == m * sizeof(int) && sizeof ***p[0] == sizeof(int));
	CHECK(sizeof(shared int[n][THREADS][m]) == row * sizeof(int));
	CHECK((cyclic)(p + 1) - start == (ptrdiff_t)row);
	CHECK(&p[2][1][THREADS - 1][2] - start == (ptrdiff_t)(2 * row + m * THREADS + m * (THREADS - 1) + 2));
	CHECK((p + 2) - p == 2 && p - (p + 1) == -1 && p + 1 > p && p == p + 1 - 1);
	CHECK(upc_localsizeof(*p) == row / THREADS * sizeof(int) && upc_elemsizeof(*p) == sizeof(int));
	CHECK(upc_localsizeof(shared int[n][THREADS][m]) == row / THREADS * sizeof(int) && upc_blocksizeof(*p) == 1);
	upc_barrier;
	if (MYTHREAD == THREADS - 1)
		(*p)[1][THREADS - 1][2] = 7;
	upc_barrier;
	CHECK(start[THREADS * m + (THREADS - 1) * m + 2] == 7);
}

/* The bounds of the pointed-to type are constant or in a typedef, and those around it vary; or the other way round. */
static void typedefs(int n)
{
	cyclic_row(*c)[n] = upc_all_alloc(4 * n * 3 * THREADS, sizeof(int));
	blocked_row(*b)[n] = upc_all_alloc(2 * n * THREADS, 4 * sizeof(int));
	shared int(*constant)[FIVE][THREADS] = upc_all_alloc(2 * FIVE * THREADS, sizeof(int));
	size_t row = (size_t)n * 3 * THREADS;

	CHECK(sizeof *c == row * sizeof(int) && sizeof **c == 3u * THREADS * sizeof(int) && sizeof ***c == 12);
	CHECK((cyclic)&c[2][1][THREADS - 1][1] - (cyclic)c == (ptrdiff_t)(2 * row + 3 * THREADS + 3 * (THREADS - 1) + 1));
	CHECK(&c[3] - c == 3 && upc_localsizeof(*c) == row / THREADS * sizeof(int));
	CHECK(sizeof *b == n * 4u * THREADS * sizeof(int) && &b[1] - b == 1);
	CHECK((blocked)&b[1][0][5] - (blocked)b == n * 4 * THREADS + 5);
	CHECK(sizeof *constant == FIVE * THREADS * sizeof(int) && &constant[1] - constant == 1);
	CHECK((cyclic)&constant[1] - (cyclic)constant == FIVE * THREADS);
	CHECK(upc_localsizeof(*constant) == FIVE * sizeof(int));
}

struct pair {
	int x, y;
};

static void one_bound(int n)
{
	typedef shared [2] struct pair list[n * THREADS];
	list *p = upc_all_alloc(n * THREADS, 2 * sizeof(struct pair));
	shared [] int(*i)[n] = upc_alloc(2 * n * sizeof(int));

	CHECK(sizeof(list) == n * THREADS * sizeof(struct pair) && sizeof *p == sizeof(list));
	CHECK(upc_localsizeof(list) == in_twos(n * THREADS) * sizeof(struct pair));
	CHECK(upc_localsizeof(*p) == in_twos(n * THREADS) * sizeof(struct pair));
	CHECK(upc_localsizeof(shared [2] struct pair[n * THREADS]) == in_twos(n * THREADS) * sizeof(struct pair));
	CHECK((shared [2] struct pair *)&p[1] - (shared [2] struct pair *)p == n * THREADS && &p[1] - p == 1);
	CHECK(sizeof *i == n * sizeof(int) && &i[1] - i == 1 && upc_localsizeof(*i) == n * sizeof(int));
	(*i)[n - 1] = MYTHREAD;
	CHECK(((shared [] int *)i)[n - 1] == MYTHREAD);
}

/* Bounds with operators, types and constants in them. */
static void expressions(int n)
{
	shared int(*p)[n + 1][2 * THREADS][sizeof(short)] = upc_all_alloc(4 * (n + 1) * THREADS, sizeof(int));
	shared int(*q)[FIVE + sizeof(short)][2 * THREADS] = (shared void *)p;

	CHECK(sizeof *p == (n + 1) * 4u * THREADS * sizeof(int) && &p[1] - p == 1);
	CHECK((cyclic)&p[1] - (cyclic)p == (n + 1) * 4 * THREADS && upc_localsizeof(*p) == (n + 1) * 4 * sizeof(int));
	CHECK(sizeof *q == 14u * THREADS * sizeof(int) && (cyclic)&q[1] - (cyclic)q == 14 * THREADS);
}

static void parameters(int n, shared int (*p)[n][THREADS], shared int q[][THREADS][n], shared [2] int r[n][2 * THREADS])
{
	CHECK(sizeof *p == n * THREADS * sizeof(int) && sizeof *q == sizeof *p && sizeof *r == 2u * THREADS * sizeof(int));
	CHECK((cyclic)&p[3] - (cyclic)p == 3 * n * THREADS && &p[3] - p == 3);
	CHECK((cyclic)&q[3] - (cyclic)q == 3 * n * THREADS && q - &q[2] == -2 && q < &q[1]);
	CHECK((blocked)&r[3] - (blocked)r == 6 * THREADS && &r[4] - r == 4);
}

int main(void)
{
	static shared int memory[THREADS];
	shared void *v = memory;

	three_bounds(3, 4);
	three_bounds(11, 13);
	typedefs(2);
	typedefs(7);
	one_bound(3);
	one_bound(8);
	expressions(4);
	parameters(6, v, v, v);
	return failures != 0;
}
