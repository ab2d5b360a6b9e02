/* SPDX-License-Identifier: BSD-3-Clause */
/* Constant addresses, which the C compiler folds: indices beyond their row, casts to other types, then steps. */
#include "check.h"
#pragma clang diagnostic ignored "-Warray-bounds"
struct pair {
	int x, y;
};
shared int matrix[4][2 * THREADS];
shared [3] short cube[2][3 * THREADS][5];
shared int one[10 * THREADS];
shared [2] short blocked[3][4 * THREADS];
shared [2] struct pair pairs[5 * THREADS];
union either {
	int i;
	long l;
};
shared [2] union either unions[5 * THREADS];
typedef shared [2] int *pointer;
typedef shared [2] int (*row_pointer)[3];
shared int *p = &one[4];
shared int *row_before = &matrix[1][-1];
shared short *cast = (shared short *)&one[1];

static int equal(void)
{
	return (shared void *)&one[4] == p;
}

static int is(int value)
{
	return value;
}

/* Returns true if A equals the result of the same steps on addresses that the C compiler does not know. */
static int same(shared void *a, shared void *b)
{
	return upc_threadof(a) == upc_threadof(b) && upc_phaseof(a) == upc_phaseof(b) && upc_addrfield(a) == upc_addrfield(b);
}

static void compared(void)
{
	CHECK(equal() && is((shared void *)&one[4] == p) && is(p == (shared void *)&one[4]));
	CHECK(!is((shared void *)one == p) && is((shared void *)&one[3] != p) && is((shared void *)&one[4] != NULL));
	int initial = (shared void *)&one[4] == p;
	CHECK(initial && ((shared void *)&one[4] == p ? 1 : 0));
	int *own = (int *)(shared void *)&one[0];
	CHECK(MYTHREAD != 0 || own == (int *)&one[0]);
}

static void rows(volatile long i)
{
	CHECK(same(&matrix[1][-1], &matrix[0][2 * THREADS - 1]) && same(&matrix[1][-1], &matrix[i][-i]));
	CHECK(same(row_before, &matrix[0][2 * THREADS - 1]));
	CHECK(same(&matrix[3][-2], &matrix[2 + i][-2 * i]) && same(&matrix[1][0] - 1, &matrix[1][-1]));
	CHECK(same(&cube[1][-1][4], &cube[0][3 * THREADS - 1][4]) && same(&cube[1][0][-1], &cube[1][-1][4]));
	CHECK(same(&cube[1][-1][6], &cube[1][i - 1][1]) && same(&cube[1][-2], &cube[i][-2 * i]));
}

static void casts(volatile long i)
{
	CHECK(same((shared char *)&one[1] + 2, (shared char *)&one[i] + 2 * i));
	CHECK(same((shared [2] char *)&one[3] + 5, (shared [2] char *)&one[3 * i] + 5 * i));
	CHECK(upc_phaseof((shared [2] int *)&blocked[0][1]) == 0 && upc_phaseof((shared [2] short *)&blocked[0][1]) == 1);
	CHECK(same((shared [2] int *)&blocked[1][3] + 3, (shared [2] int *)&blocked[i][3 * i] + 3 * i));
	CHECK(same((shared [2] int *)&pairs[1] + 3, (shared [2] int *)&pairs[i] + 3 * i));
	CHECK(same((shared int *)&pairs[1] + 3, (shared int *)&pairs[i] + 3 * i));
	CHECK(upc_threadof((shared int *)&pairs[1] + 1) == 1 % THREADS);
	shared void *list[] = {(shared [2] int *)&blocked[0][1], (shared char *)&one[1] + 6, NULL};
	CHECK(same(list[0], (shared [2] int *)&blocked[0][i]) && same(list[1], (shared char *)&one[i] + 6 * i));
	CHECK(same(cast, (shared short *)&one[i]));
	CHECK(upc_phaseof((pointer)&blocked[0][1]) == 0 && same((pointer)&pairs[1] + 3, (pointer)&pairs[i] + 3 * i));
	CHECK(same((row_pointer)&pairs[1] + 1, (pointer)&pairs[i] + 3 * i));
	CHECK(same((shared [2] int *)&unions[1] + 3, (shared [2] int *)(shared [2] char *)&unions[i] + 3 * i));
	CHECK(same((pointer)&unions[i] + 3, (shared [2] int *)(shared [2] char *)&unions[i] + 3 * i));
	CHECK(same((shared [] int *)&unions[1].i + 1, &unions[i].l) == 0 && (shared int *)0 == NULL);
}

static void members(volatile long i)
{
	shared [2] struct pair *q = &pairs[i];
	CHECK(upc_phaseof(q) == 1 && upc_phaseof(&q->y) == 0 && upc_phaseof(&q->x) == 0 && upc_phaseof(&pairs[1].y) == 0);
	shared void *v = &q->y;
	CHECK(upc_phaseof(v) == 0 && upc_phaseof((shared [2] int *)&q->y) == 0);
	CHECK(same((shared [2] int *)&q->y + 3, (shared [2] int *)(shared [] int *)&q->y + 3));
	CHECK(upc_blocksizeof(q->y) == 0 && upc_blocksizeof(*&q->y) == 0 && upc_blocksizeof((*&q->y)) == 0);
	CHECK(upc_blocksizeof(*&pairs[1].x) == 0 && upc_blocksizeof(*q) == 2 && upc_blocksizeof(*(shared [3] int *)&q->x) == 3);
}

int main(void)
{
	compared();
	rows(1);
	casts(1);
	members(1);
	return failures != 0;
}
