/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructs as real programs use them, separately and combined. */
#include "check.h"
#include <assert.h>
#include <stdlib.h>
enum { B = 4 };
#define BLK 3
shared [B] int e[8 * THREADS];
shared [BLK * 2] int m[12 * THREADS];
shared [sizeof(int)] int so[8 * THREADS];
shared struct {
	int a;
	short b;
} st[THREADS];
shared [] char *shared strs[THREADS];
typedef shared int *sip;
sip arr[10];
shared int a[10 * THREADS], *p1, single;
extern shared int later[];
const shared int cs = 4;
int shared *f1(int i)
{
	return &a[i];
}
shared void *f2(int i)
{
	return &a[i];
}
int kr(x, n) shared [B] int *x;
int n;
{
	return x[n];
}
struct pt {
	int x, y;
};
shared struct pt pts[2 * THREADS];
struct pt getpt(int i)
{
	return pts[i];
}
int par(shared [B] int x[8 * THREADS], shared [B] int (*y)[8 * THREADS], shared [2] struct pt *z)
{
	return x[1] + (*y)[2];
}
shared int *shared sp = &single;
shared [2] struct node {
	shared [] struct node *self;
	int k;
} nd[2 * THREADS];
#define SQ(x) ((x) * (x))
int glob;
int main(void)
{
	int i;
	upc_forall(i = 0; i < 8 * THREADS; i++; &e[i])
	{
		e[i] = i;
		so[i] = SQ(i);
	}
	upc_forall(i = 0; i < THREADS; i++; (shared void *)&st[i].b)
	{
		st[i].a = i;
		st[i].b = -i;
		CHECK(i == MYTHREAD);
	}
	upc_barrier(1);
	arr[2] = a + 3;
	*arr[2] = 7;
	upc_barrier;
	CHECK(a[3] == 7 && kr(e, 3) == 3 && par(e, &e, 0) == 3);
	upc_barrier;
	single = a[3] = e[1];
	CHECK(single == 1 && *f1(3) == 1 && *(shared int *)f2(3) == 1);
	shared void *v = i ? f2(1) : NULL;
	CHECK(v == f1(1) || i == 0);
	v = i ? (shared void *)f1(1) : f2(2);
	CHECK(v == (i ? a + 1 : a + 2));
	shared int *q = i ? f2(3) : f1(1);
	CHECK(q == &a[3] && &a[5] - &a[2] == 3 && &a[5] > &a[2] && !(&a[5] < &a[2]));
	upc_barrier 3;
	if (!MYTHREAD) {
		pts[1].x = 3;
		pts[1].y = 4;
		strs[0] = upc_alloc(10);
		strs[0][2] = 'c';
		nd[1].k = 9;
		nd[1].self = (shared [] struct node *)&nd[1];
	}
	upc_barrier;
	CHECK(getpt(1).y == 4 && strs[0][2] == 'c' && nd[1].self->k == 9);
	struct pt l = pts[1];
	l.x++;
	CHECK(l.x == 4 && cs == 4 && later[2] == 0 && sp == &single);
	shared [2] struct node *np = nd + 1;
	upc_barrier;
	if (!MYTHREAD) {
		np->k += 2 - 2;
		i = np->k--;
	}
	assert(a[3] == 1);
	{
		shared [B] int *x = e, *y = &e[4];
		CHECK(y - x == 4);
		x = y;
		CHECK(x == y);
	}
	long off = (long)upc_addrfield(&pts[0].y) - (long)upc_addrfield(&pts[0].x);
	CHECK(off == 4);
	CHECK(sizeof(shared int[10]) == 40 && sizeof(a) / THREADS == 40 && sizeof *e == 4 && sizeof(e[0]) == 4);
	upc_barrier;
	for (i = 0, q = a; i < 3; i++, q++)
		;
	{
		int *pp = malloc(THREADS * sizeof *pp);
		pp[THREADS - 1] = 2;
		free(pp);
	}
	upc_barrier;
	if (upc_threadof(&a[1]) == MYTHREAD) {
		int *loc = (int *)&a[1];
		*loc = 5;
		glob = *loc;
	}
	do
		upc_barrier;
	while (0);
	if (MYTHREAD)
		upc_fence;
	else
		upc_fence;
	q = &a[THREADS * 2];
	q += -THREADS;
	CHECK(q == &a[THREADS]);
	q = &q[-1];
	CHECK(q == &a[THREADS - 1]);
	CHECK(q[1 - THREADS] == a[0]);
	unsigned u = 2;
	CHECK(&a[u] == a + 2 && u[a] == a[2]);
	unsigned char uc = 1;
	CHECK(&a[uc] - a == 1);
	long long ll = 3;
	CHECK(a + ll == &a[3]);
	CHECK((&a[3])[-1] == a[2] && *&a[1] == a[1] && &*(a + 4) == &a[4]);
	return failures != 0;
}
shared int later[3 * THREADS];
